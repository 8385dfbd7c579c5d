import { RefusedError } from '../../domain/primitives/domain-errors.ts';
import { toIsoTime } from '../../platform/clock/iso-time.ts';
import { type QuerySteps, queryRows } from '../../platform/sql/query-runner.ts';
import { countAttemptFromIp } from './attempt-limits.ts';
import { addJob, type JobQueue } from './job-queue.ts';
import { findPasswordProblem, normalizePassword } from './password-rules.ts';
import { findNameProblem, normalizeEmail } from './profile-rules.ts';
import { recordSecurityEvent } from './sql-security-log.ts';
import type { UserContext } from './user-context.ts';
import { expiryTime, findUserBy, isEmailTaken, removeUnverified, searchText, VERIFICATION_MS } from './user-queries.ts';
import type { Client, UserService } from './user-service.ts';
import { rememberAddress, requestablePlan, verifyUser } from './verify-user.ts';

export const WRONG_EMAIL = 'Write an e-mail address, such as name@example.com.';

/** Registrations with one address that wait for their link to be opened, beside those whose link works. */
const MAX_REGISTRATIONS = 20;

interface RegistrationParts {
  readonly jobs: JobQueue;
  readonly isOpen: boolean;
}

/** From the form to the opened link. */
export function createRegistration(
  context: UserContext,
  { jobs, isOpen }: RegistrationParts,
): Pick<UserService, 'register' | 'verifyEmail' | 'resendVerification'> {
  const { database, digest, now, passwords } = context;

  function* register(email: string, name: string | null, plan: string, passwordHash: string, client: Client) {
    const known = yield* findUserBy(context, 'email', email);
    if (known && known.verified_at !== null) {
      yield* addJob(context, { kind: 'registered', email, registrationId: null }, null);
      return;
    }
    const userId = known ? known.id : yield* insertUser(context, email, name);
    const [registration] = yield* queryRows(
      database
        .insertInto('registrations')
        .values({
          user_id: userId,
          password_hash: passwordHash,
          name,
          plan: requestablePlan(plan),
          made_at: toIsoTime(now()),
          token_hash: null,
          link_made_at: null,
          opened_at: null,
        })
        .returning('id'),
    );
    yield* dropExcessRegistrations(userId);
    yield* recordSecurityEvent(context, { type: 'registered', userId, client });
    yield* addJob(context, { kind: 'registered', email, registrationId: registration!.id }, userId);
  }

  /**
   * Drops the oldest registrations of an unverified user beyond the bound. One whose link still works stays: mails have a
   * limit of their own, so there are few.
   */
  function* dropExcessRegistrations(userId: number): QuerySteps<void> {
    const ofUser = database.selectFrom('registrations').select('id').where('user_id', '=', userId);
    const newest = ofUser.orderBy('id', 'desc').limit(MAX_REGISTRATIONS);
    yield database
      .deleteFrom('registrations')
      .where('user_id', '=', userId)
      .where('id', 'not in', database.selectFrom(newest.as('newest')).select('newest.id'))
      .where(({ or, eb }) =>
        or([eb('link_made_at', 'is', null), eb('link_made_at', '<=', expiryTime(context, VERIFICATION_MS))]),
      );
  }

  /** Opens the link of a registration. */
  function* openRegistration(hash: string, client: Client): QuerySteps<boolean | undefined> {
    const [found] = yield* queryRows(database.selectFrom('registrations').selectAll().where('token_hash', '=', hash));
    if (!found) return undefined;
    if (found.link_made_at === null || found.link_made_at <= expiryTime(context, VERIFICATION_MS)) return false;
    if (found.opened_at !== null) return true;
    const user = yield* findUserBy(context, 'id', found.user_id);
    if (!user || user.verified_at !== null) return false;
    yield database
      .updateTable('registrations')
      .set({ opened_at: toIsoTime(now()) })
      .where('id', '=', found.id);
    yield* verifyUser(context, user, { plan: found.plan, passwordHash: found.password_hash }, found.id);
    yield database
      .updateTable('users')
      .set({ name: found.name, search_text: searchText(user.email, found.name) })
      .where('id', '=', user.id);
    yield* recordSecurityEvent(context, { type: 'email_verified', userId: user.id, client });
    return true;
  }

  /** Opens the link for a new address. */
  function* openChange(hash: string, client: Client): QuerySteps<boolean> {
    const [found] = yield* queryRows(database.selectFrom('email_changes').selectAll().where('token_hash', '=', hash));
    if (!found || found.link_made_at === null || found.link_made_at <= expiryTime(context, VERIFICATION_MS))
      return false;
    if (found.opened_at !== null) return true;
    const { email } = found;
    const user = yield* findUserBy(context, 'id', found.user_id);
    if (!user || (yield* isEmailTaken(context, email, user.id))) return false;
    // This link proves the address. An unverified registration with it is removed.
    const unproven = yield* findUserBy(context, 'email', email);
    if (unproven && unproven.id !== user.id) yield* removeUnverified(context, unproven.id);
    yield database
      .updateTable('email_changes')
      .set({ opened_at: toIsoTime(now()) })
      .where('id', '=', found.id);
    yield database
      .updateTable('users')
      .set({ email, search_text: searchText(email, user.name) })
      .where('id', '=', user.id);
    yield database.updateTable('accounts').set({ email }).where('id', '=', user.account_id!);
    for (const one of [user.email, email]) yield* rememberAddress(context, one);
    // The reset links were mailed to the old address.
    yield database.deleteFrom('password_resets').where('user_id', '=', user.id);
    yield* recordSecurityEvent(context, { type: 'email_changed', userId: user.id, client });
    yield* addJob(context, { kind: 'email_changed', email: user.email, newEmail: email }, user.id);
    return true;
  }

  return {
    async register({ email, password, name, plan }, client) {
      if (!isOpen) throw new RefusedError(404, 'Nobody can register here.');
      const address = normalizeEmail(email);
      const wrong = {
        email: address === undefined ? WRONG_EMAIL : undefined,
        password: await findPasswordProblem(password, address),
        name: name.trim() === '' ? undefined : findNameProblem(name),
      };
      const fields = Object.fromEntries(Object.entries(wrong).filter(([, message]) => message !== undefined));
      if (address === undefined || Object.keys(fields).length > 0) {
        throw new RefusedError(422, Object.values(fields)[0]!, { fields: fields as Record<string, string> });
      }
      await countAttemptFromIp(context, 'register', client.ip);
      const hash = await passwords.hash(normalizePassword(password), client.ip);
      await context.transactExclusive(() => register(address, name.trim() || null, plan, hash, client));
      jobs.runSoon();
    },
    async verifyEmail(token, client) {
      const hash = digest('link', token);
      // Check without a lock first, so that guessed tokens neither wait for others nor make others wait.
      const known = await Promise.all([
        context.all(database.selectFrom('registrations').select('id').where('token_hash', '=', hash)),
        context.all(database.selectFrom('email_changes').select('id').where('token_hash', '=', hash)),
      ]);
      if (known.flat().length === 0) return false;
      const isRight = await context.transactExclusive(function* () {
        return (yield* openRegistration(hash, client)) ?? (yield* openChange(hash, client));
      });
      jobs.runSoon();
      return isRight;
    },
    async resendVerification(email, client) {
      await countAttemptFromIp(context, 'resend', client.ip);
      const address = normalizeEmail(email);
      if (address === undefined) return;
      await context.transactShared([], () => addJob(context, { kind: 'verification', email: address }, null));
      jobs.runSoon();
    },
  };
}

/** Creates a user with an unverified address. @returns the id */
export function* insertUser({ database, now }: UserContext, email: string, name: string | null): QuerySteps<number> {
  const [user] = yield* queryRows(
    database
      .insertInto('users')
      .values({
        email,
        name,
        timezone: 'UTC',
        is_staff: 0,
        role: 'support',
        created_at: toIsoTime(now()),
        search_text: searchText(email, name),
      })
      .returning('id'),
  );
  return user!.id;
}
