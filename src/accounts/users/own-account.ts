import { Refused, wrongField } from '../../domain/refused-act.ts';
import { rowsOf, type Steps } from '../../platform/sql/query-runner.ts';
import { confirmLimit, countAttempt, locksOf, tooMany, waitOf } from './attempts.ts';
import { deleteSteps } from './deleting.ts';
import { emailAddress } from './email-address.ts';
import { addErrand, type Errands } from './errands.ts';
import { normalPassword, passwordProblem } from './password-rules.ts';
import type { NewSession, People } from './people.ts';
import { type PeopleContext, timeText } from './people-context.ts';
import { isTimezone, nameProblem } from './people-names.ts';
import { WRONG_EMAIL } from './registering.ts';
import { setPassword } from './resetting.ts';
import { endSessions, REMEMBERED_SECONDS } from './session-rows.ts';
import { noteEvent } from './sql-security-log.ts';
import { type PresentRow, searchText, userBy } from './user-rows.ts';

const WRONG_PASSWORD = 'This is not your password.';

type OwnAccount = Pick<
  People,
  'endSession' | 'revokeSession' | 'revokeOthers' | 'changeProfile' | 'changePassword' | 'deleteUser'
>;

/** What somebody does who is signed in. */
export function createOwnAccount(context: PeopleContext, { errands }: { readonly errands: Errands }): OwnAccount {
  const { database, digest, now, passwords } = context;

  const rowOf = async (userId: number): Promise<PresentRow> => {
    const row = await context.read(() => userBy(context, 'id', userId));
    if (!row) throw new Refused(404, 'There is no such user any more.');
    return row;
  };

  /** Nothing where none is set. @throws Refused */
  async function confirm({ id, password_hash: hash }: PresentRow, given: string): Promise<void> {
    if (hash === null) return;
    const limits = [confirmLimit(context, id)];
    const isRight = await passwords.verify(hash, normalPassword(given));
    const waitMs = await context.beside(locksOf(limits), function* () {
      const wait = yield* waitOf(context, limits);
      if (wait === 0 && !isRight) yield* countAttempt(context, limits);
      return wait;
    });
    if (waitMs > 0) throw tooMany(waitMs);
    if (!isRight) throw wrongField('current_password', WRONG_PASSWORD);
  }

  /** @throws Refused where the password was changed since it was asked for */
  function* unchanged(user: PresentRow): Steps<PresentRow> {
    const row = yield* userBy(context, 'id', user.id);
    if (!row || row.password_hash !== user.password_hash) throw wrongField('current_password', WRONG_PASSWORD);
    return row;
  }

  function* changeEmail(user: PresentRow, email: string): Steps<void> {
    yield database.deleteFrom('email_changes').where('user_id', '=', user.id);
    const [change] = yield* rowsOf(
      database
        .insertInto('email_changes')
        .values({ user_id: user.id, email, made_at: timeText(now()) })
        .returning('id'),
    );
    yield* addErrand(context, { kind: 'new_address', changeId: change!.id }, user.id);
    yield* addErrand(context, { kind: 'email_changing', email: user.email, newEmail: email }, user.id);
  }

  const endOne = (userId: number, sessionId: number) =>
    database.deleteFrom('sessions').where('user_id', '=', userId).where('id', '=', sessionId).returning('id');

  return {
    async endSession({ id, user }, client) {
      await context.beside([], function* () {
        const ended = yield* rowsOf(endOne(user.id, id));
        if (ended.length > 0) yield* noteEvent(context, { type: 'signed_out', userId: user.id, client });
      });
    },
    async revokeSession(user, sessionId, client) {
      return context.beside([], function* () {
        const ended = yield* rowsOf(endOne(user.id, sessionId));
        if (ended.length > 0) yield* noteEvent(context, { type: 'session_revoked', userId: user.id, client });
        return ended.length > 0;
      });
    },
    async revokeOthers({ id, user }, client) {
      await context.change(function* () {
        yield* endSessions(context, user.id, id);
        yield* noteEvent(context, { type: 'session_revoked', userId: user.id, client });
      });
    },

    async changeProfile({ user: { id } }, given, _client) {
      const user = await rowOf(id);
      const name = given.name.trim();
      const email = emailAddress(given.email);
      const wrong: Record<string, string | undefined> = {
        name: nameProblem(name),
        timezone: isTimezone(given.timezone) ? undefined : 'Choose a time zone, such as Europe/Berlin.',
        email: email === undefined ? WRONG_EMAIL : undefined,
      };
      const fields = Object.fromEntries(
        Object.entries(wrong).filter((entry): entry is [string, string] => entry[1] !== undefined),
      );
      const [first] = Object.values(fields);
      if (first !== undefined) throw new Refused(422, first, { fields });
      const isOther = email !== user.email;
      if (isOther) await confirm(user, given.currentPassword);
      await context.change(function* () {
        const row = yield* isOther ? unchanged(user) : userBy(context, 'id', id);
        if (!row) return;
        yield database
          .updateTable('users')
          .set({ name, timezone: given.timezone, search_text: searchText(row.email, name) })
          .where('id', '=', id);
        if (isOther) yield* changeEmail(row, email!);
      });
      errands.soon();
    },

    async changePassword(session, given, client) {
      const user = await rowOf(session.user.id);
      await confirm(user, given.currentPassword);
      const problem = await passwordProblem(given.password, user.email);
      if (problem !== undefined) throw wrongField('password', problem);
      const hash = await passwords.hash(normalPassword(given.password));
      const token = context.newToken();
      const begun = await context.change(function* (): Steps<NewSession | undefined> {
        yield* unchanged(user);
        yield* setPassword(context, user.id, hash);
        yield* endSessions(context, user.id, session.id);
        const [kept] = yield* rowsOf(
          database
            .updateTable('sessions')
            .set({ token_hash: digest('session', token) })
            .where('id', '=', session.id)
            .where('user_id', '=', user.id)
            .returning('is_remembered'),
        );
        // It was ended meanwhile: whoever ended it wants none.
        if (!kept) throw new Refused(403, 'This session has ended. Sign in again.');
        yield* noteEvent(context, { type: 'password_changed', userId: user.id, client });
        yield* addErrand(context, { kind: 'password_changed', email: user.email }, user.id);
        return {
          ...{ token, session: { ...session, user: { ...session.user, hasPassword: true } } },
          maxAgeSeconds: kept.is_remembered === 1 ? REMEMBERED_SECONDS : null,
        };
      });
      errands.soon();
      return begun!;
    },

    async deleteUser(session, given, _client) {
      const user = await rowOf(session.user.id);
      if (user.password_hash !== null) await confirm(user, given.currentPassword);
      else if (emailAddress(given.confirm) !== user.email) throw wrongField('confirm', 'Write your e-mail address.');
      await context.change(function* () {
        yield* deleteSteps(context, yield* unchanged(user));
      });
      await errands.run();
    },
  };
}
