import { Refused } from '../../domain/refused-act.ts';
import { rowsOf, type Steps } from '../../platform/sql/query-runner.ts';
import { takeFromIp } from './attempts.ts';
import { emailAddress } from './email-address.ts';
import { addErrand, type Errands } from './errands.ts';
import { tooOld, VERIFICATION_MS } from './links.ts';
import { normalPassword, passwordProblem } from './password-rules.ts';
import type { People } from './people.ts';
import { type PeopleContext, timeText } from './people-context.ts';
import { nameProblem } from './people-names.ts';
import { noteEvent } from './sql-security-log.ts';
import type { Client } from './user.ts';
import { isTaken, removeUnverified, searchText, userBy } from './user-rows.ts';
import { askedPlan, rememberAddress, verifyUser } from './verified-users.ts';

export const WRONG_EMAIL = 'Write an e-mail address, such as name@example.com.';

interface RegisteringParts {
  readonly errands: Errands;
  readonly isOpen: boolean;
}

/** From the form to the opened link. */
export function createRegistering(
  context: PeopleContext,
  { errands, isOpen }: RegisteringParts,
): Pick<People, 'register' | 'verifyEmail' | 'resendVerification'> {
  const { database, digest, now, passwords } = context;

  function* register(email: string, name: string | null, plan: string, passwordHash: string, client: Client) {
    const known = yield* userBy(context, 'email', email);
    if (known && known.verified_at !== null) {
      yield* addErrand(context, { kind: 'registered', email, registrationId: null }, null);
      return;
    }
    const userId = known ? known.id : yield* addUser(context, email, name);
    const [registration] = yield* rowsOf(
      database
        .insertInto('registrations')
        .values({
          ...{ user_id: userId, password_hash: passwordHash, name, plan: askedPlan(plan), made_at: timeText(now()) },
          ...{ token_hash: null, link_made_at: null, opened_at: null },
        })
        .returning('id'),
    );
    yield* noteEvent(context, { type: 'registered', userId, client });
    yield* addErrand(context, { kind: 'registered', email, registrationId: registration!.id }, userId);
  }

  /** Of a registration. */
  function* openRegistration(hash: string, client: Client): Steps<boolean | undefined> {
    const [found] = yield* rowsOf(database.selectFrom('registrations').selectAll().where('token_hash', '=', hash));
    if (!found) return undefined;
    if (found.link_made_at === null || found.link_made_at <= tooOld(context, VERIFICATION_MS)) return false;
    if (found.opened_at !== null) return true;
    const user = yield* userBy(context, 'id', found.user_id);
    if (!user || user.verified_at !== null) return false;
    yield database
      .updateTable('registrations')
      .set({ opened_at: timeText(now()) })
      .where('id', '=', found.id);
    yield* verifyUser(context, user, { plan: found.plan, passwordHash: found.password_hash }, found.id);
    yield database
      .updateTable('users')
      .set({ name: found.name, search_text: searchText(user.email, found.name) })
      .where('id', '=', user.id);
    yield* noteEvent(context, { type: 'email_verified', userId: user.id, client });
    return true;
  }

  /** Of a new address. */
  function* openChange(hash: string, client: Client): Steps<boolean> {
    const [found] = yield* rowsOf(database.selectFrom('email_changes').selectAll().where('token_hash', '=', hash));
    if (!found || found.link_made_at === null || found.link_made_at <= tooOld(context, VERIFICATION_MS)) return false;
    if (found.opened_at !== null) return true;
    const { email } = found;
    const user = yield* userBy(context, 'id', found.user_id);
    if (!user || (yield* isTaken(context, email, user.id))) return false;
    // The address was proven here, and not by whoever has registered with it.
    const unproven = yield* userBy(context, 'email', email);
    if (unproven && unproven.id !== user.id) yield* removeUnverified(context, unproven.id);
    yield database
      .updateTable('email_changes')
      .set({ opened_at: timeText(now()) })
      .where('id', '=', found.id);
    yield database
      .updateTable('users')
      .set({ email, search_text: searchText(email, user.name) })
      .where('id', '=', user.id);
    yield database.updateTable('accounts').set({ email }).where('id', '=', user.account_id!);
    for (const one of [user.email, email]) yield* rememberAddress(context, one);
    // They went to the old address.
    yield database.deleteFrom('password_resets').where('user_id', '=', user.id);
    yield* noteEvent(context, { type: 'email_changed', userId: user.id, client });
    yield* addErrand(context, { kind: 'email_changed', email: user.email, newEmail: email }, user.id);
    return true;
  }

  return {
    async register({ email, password, name, plan }, client) {
      if (!isOpen) throw new Refused(404, 'Nobody can register here.');
      const address = emailAddress(email);
      const wrong = {
        email: address === undefined ? WRONG_EMAIL : undefined,
        password: await passwordProblem(password, address),
        name: name.trim() === '' ? undefined : nameProblem(name),
      };
      const fields = Object.fromEntries(Object.entries(wrong).filter(([, message]) => message !== undefined));
      if (address === undefined || Object.keys(fields).length > 0) {
        throw new Refused(422, Object.values(fields)[0]!, { fields: fields as Record<string, string> });
      }
      await takeFromIp(context, 'register', client.ip);
      const hash = await passwords.hash(normalPassword(password));
      await context.change(() => register(address, name.trim() || null, plan, hash, client));
      errands.soon();
    },
    async verifyEmail(token, client) {
      const hash = digest('link', token);
      // Guesses wait for nobody, and nobody for them.
      const known = await Promise.all([
        context.all(database.selectFrom('registrations').select('id').where('token_hash', '=', hash)),
        context.all(database.selectFrom('email_changes').select('id').where('token_hash', '=', hash)),
      ]);
      if (known.flat().length === 0) return false;
      const isRight = await context.change(function* () {
        return (yield* openRegistration(hash, client)) ?? (yield* openChange(hash, client));
      });
      errands.soon();
      return isRight;
    },
    async resendVerification(email, client) {
      await takeFromIp(context, 'resend', client.ip);
      const address = emailAddress(email);
      if (address === undefined) return;
      await context.beside([], () => addErrand(context, { kind: 'verification', email: address }, null));
      errands.soon();
    },
  };
}

/** One whose address nobody has proven yet. @returns its id */
export function* addUser({ database, now }: PeopleContext, email: string, name: string | null): Steps<number> {
  const [user] = yield* rowsOf(
    database
      .insertInto('users')
      .values({
        ...{ email, name, timezone: 'UTC', is_staff: 0, role: 'support', created_at: timeText(now()) },
        search_text: searchText(email, name),
      })
      .returning('id'),
  );
  return user!.id;
}
