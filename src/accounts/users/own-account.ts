import { invalidField, RefusedError } from '../../domain/primitives/domain-errors.ts';
import { toIsoTime } from '../../platform/clock/iso-time.ts';
import { type QuerySteps, queryRows } from '../../platform/sql/query-runner.ts';
import {
  confirmLimit,
  countAttempt,
  lockNamesOf,
  proofLimits,
  readWait,
  tooManyAttemptsError,
} from './attempt-limits.ts';
import { deleteUserSteps } from './delete-user.ts';
import { askForEmailChange, dropPendingEmailChange } from './email-change.ts';
import { addJob, type JobQueue } from './job-queue.ts';
import { setPassword } from './password-reset.ts';
import { findPasswordProblem, normalizePassword } from './password-rules.ts';
import { findNameProblem, isTimezone, normalizeEmail } from './profile-rules.ts';
import { WRONG_EMAIL } from './registration.ts';
import { recordSecurityEvent } from './sql-security-log.ts';
import type { UserContext } from './user-context.ts';
import { findUserBy, type PresentRow, searchText } from './user-queries.ts';
import type { Client, NewSession, Session, UserService } from './user-service.ts';
import { endSessions, isSessionConfirmed, REMEMBERED_SECONDS } from './user-sessions.ts';

/** For a session of a user who has no password to prove himself with. */
export const SIGN_IN_AGAIN = 'Sign in again first: it was more than 15 minutes ago.';
const WRONG_PASSWORD = 'This is not your password.';

type OwnAccount = Pick<
  UserService,
  | 'endSession'
  | 'revokeSession'
  | 'revokeOthers'
  | 'mustConfirm'
  | 'confirmSession'
  | 'changeProfile'
  | 'changePassword'
  | 'deleteUser'
>;

/** Actions of a signed-in user. */
export function createOwnAccount(context: UserContext, { jobs }: { readonly jobs: JobQueue }): OwnAccount {
  const { database, digest, now, passwords } = context;

  const rowOf = async (userId: number): Promise<PresentRow> => {
    const row = await context.read(() => findUserBy(context, 'id', userId));
    if (!row) throw new RefusedError(404, 'There is no such user any more.');
    return row;
  };

  /** Checks the current password; does nothing if the user has none. @throws RefusedError */
  async function confirm({ id, password_hash: hash }: PresentRow, given: string, { ip }: Client): Promise<void> {
    if (hash === null) return;
    const [wrong, right] = [[confirmLimit(context, id)], proofLimits(context, ip)];
    const limits = [...wrong, ...right];
    // Check the limits before spending time on a hash.
    const waitBefore = await context.read(() => readWait(context, limits));
    if (waitBefore > 0) throw tooManyAttemptsError(waitBefore);
    const isRight = await passwords.verify(hash, normalizePassword(given), ip);
    const waitMs = await context.transactShared(lockNamesOf(limits), function* () {
      const wait = yield* readWait(context, limits);
      if (wait === 0) yield* countAttempt(context, isRight ? right : wrong);
      return wait;
    });
    if (waitMs > 0) throw tooManyAttemptsError(waitMs);
    if (!isRight) throw invalidField('current_password', WRONG_PASSWORD);
  }

  /** @throws RefusedError if the password has changed since it was checked */
  function* requireUnchanged(user: PresentRow): QuerySteps<PresentRow> {
    const row = yield* findUserBy(context, 'id', user.id);
    if (!row || row.password_hash !== user.password_hash) throw invalidField('current_password', WRONG_PASSWORD);
    return row;
  }

  /** Requires the password; of a user without one, a sign-in of the last minutes. @throws RefusedError */
  async function requireProof(session: Session, user: PresentRow, password: string, client: Client): Promise<void> {
    if (user.password_hash !== null) await confirm(user, password, client);
    else if (!(await context.read(() => isSessionConfirmed(context, session.id)))) {
      throw new RefusedError(403, SIGN_IN_AGAIN);
    }
  }

  const endOne = (userId: number, sessionId: number) =>
    database.deleteFrom('sessions').where('user_id', '=', userId).where('id', '=', sessionId).returning('id');

  return {
    async endSession({ id, user }, client) {
      await context.transactShared([], function* () {
        const ended = yield* queryRows(endOne(user.id, id));
        if (ended.length > 0) yield* recordSecurityEvent(context, { type: 'signed_out', userId: user.id, client });
      });
    },
    async revokeSession(user, sessionId, client) {
      return context.transactShared([], function* () {
        const ended = yield* queryRows(endOne(user.id, sessionId));
        if (ended.length > 0) yield* recordSecurityEvent(context, { type: 'session_revoked', userId: user.id, client });
        return ended.length > 0;
      });
    },
    async revokeOthers({ id, user }, client) {
      await context.transactExclusive(function* () {
        // Nothing is noted if nothing has ended: a request must not add a row each time.
        const hasEnded = yield* endSessions(context, user.id, id);
        yield* dropPendingEmailChange(context, user.id);
        if (hasEnded) yield* recordSecurityEvent(context, { type: 'session_revoked', userId: user.id, client });
      });
    },

    mustConfirm: async ({ id }) => !(await context.read(() => isSessionConfirmed(context, id))),
    async confirmSession(session, password, client) {
      const user = await rowOf(session.user.id);
      if (user.password_hash === null) throw new RefusedError(403, SIGN_IN_AGAIN);
      await confirm(user, password, client);
      await context.transactShared([], function* () {
        const confirmed = { confirmed_at: toIsoTime(now()) };
        yield database.updateTable('sessions').set(confirmed).where('id', '=', session.id);
      });
    },

    async changeProfile(session, given, client) {
      const { id } = session.user;
      const user = await rowOf(id);
      const name = given.name.trim();
      const email = normalizeEmail(given.email);
      const wrong: Record<string, string | undefined> = {
        name: findNameProblem(name),
        timezone: isTimezone(given.timezone) ? undefined : 'Choose a time zone, such as Europe/Berlin.',
        email: email === undefined ? WRONG_EMAIL : undefined,
      };
      const fields = Object.fromEntries(
        Object.entries(wrong).filter((entry): entry is [string, string] => entry[1] !== undefined),
      );
      const [first] = Object.values(fields);
      if (first !== undefined) throw new RefusedError(422, first, { fields });
      const isOther = email !== user.email;
      if (isOther) await requireProof(session, user, given.currentPassword, client);
      await context.transactExclusive(function* () {
        const row = yield* isOther ? requireUnchanged(user) : findUserBy(context, 'id', id);
        if (!row) return;
        yield database
          .updateTable('users')
          .set({ name, timezone: given.timezone, search_text: searchText(row.email, name) })
          .where('id', '=', id);
        if (isOther) yield* askForEmailChange(context, session, row, email!);
      });
      jobs.runSoon();
    },

    async changePassword(session, given, client) {
      const user = await rowOf(session.user.id);
      await requireProof(session, user, given.currentPassword, client);
      const problem = await findPasswordProblem(given.password, user.email);
      if (problem !== undefined) throw invalidField('password', problem);
      const hash = await passwords.hash(normalizePassword(given.password), client.ip);
      const token = context.newToken();
      const newSession = await context.transactExclusive(function* (): QuerySteps<NewSession | undefined> {
        yield* requireUnchanged(user);
        yield* setPassword(context, user.id, hash);
        yield* endSessions(context, user.id, session.id);
        const [renewed] = yield* queryRows(
          database
            .updateTable('sessions')
            .set({ token_hash: digest('session', token), confirmed_at: toIsoTime(now()) })
            .where('id', '=', session.id)
            .where('user_id', '=', user.id)
            .returning('is_remembered'),
        );
        // The session was ended meanwhile. Do not start it again.
        if (!renewed) throw new RefusedError(403, 'This session has ended. Sign in again.');
        yield* recordSecurityEvent(context, { type: 'password_changed', userId: user.id, client });
        yield* addJob(context, { kind: 'password_changed', email: user.email }, user.id);
        return {
          token,
          session: { ...session, user: { ...session.user, hasPassword: true } },
          maxAgeSeconds: renewed.is_remembered === 1 ? REMEMBERED_SECONDS : null,
        };
      });
      jobs.runSoon();
      return newSession!;
    },

    async deleteUser(session, given, client) {
      const user = await rowOf(session.user.id);
      if (user.password_hash !== null) await confirm(user, given.currentPassword, client);
      else if (normalizeEmail(given.confirm) !== user.email)
        throw invalidField('confirm', 'Write your e-mail address.');
      await context.transactExclusive(function* () {
        yield* deleteUserSteps(context, yield* requireUnchanged(user));
      });
      await jobs.run();
    },
  };
}
