import { invalidField, RefusedError } from '../../domain/primitives/domain-errors.ts';
import { toIsoTime } from '../../platform/clock/iso-time.ts';
import { readPage } from '../../platform/sql/newest-first.ts';
import { type QuerySteps, queryRows } from '../../platform/sql/query-runner.ts';
import { deleteUserSteps } from './delete-user.ts';
import { addJob, type Job, type JobQueue } from './job-queue.ts';
import { recordSecurityEvent } from './sql-security-log.ts';
import { type UserContext, withoutNul } from './user-context.ts';
import { findUserBy, isPresent, type PresentRow, selectUsersBy, toUser } from './user-queries.ts';
import type { Client, SignedInUser, StaffUserActions, User } from './user-service.ts';
import { endSessions, readSessionPage, type SessionReader } from './user-sessions.ts';

const USERS_PER_PAGE = 50;
const MOST_REQUESTS = 100_000;
const UNKNOWN_USER = 'There is no such user.';
const UNVERIFIED = 'This user has not verified the e-mail address yet.';

interface StaffParts {
  readonly jobs: JobQueue;
  readonly sessions: SessionReader;
}

export function createStaffUserActions(context: UserContext, { jobs, sessions }: StaffParts): StaffUserActions {
  const { database, all, now } = context;

  const first = (rows: readonly Parameters<typeof isPresent>[0][]): User | undefined =>
    isPresent(rows[0]) ? toUser(rows[0]) : undefined;

  /** @throws RefusedError 404 if there is no such user */
  function* requireUser(userId: number): QuerySteps<PresentRow> {
    const user = yield* findUserBy(context, 'id', userId);
    if (!user) throw new RefusedError(404, UNKNOWN_USER);
    return user;
  }

  /** For an action without its own type of event. */
  const recordAction = (by: SignedInUser, userId: number, path: string, client: Client) =>
    recordSecurityEvent(context, { type: 'admin_action', userId, byUserId: by.id, path, client });
  const pathOf = (userId: number, act: string) => `/admin/users/${userId}/${act}`;

  async function act(
    by: SignedInUser,
    userId: number,
    client: Client,
    path: string,
    steps: (user: PresentRow) => QuerySteps<void>,
  ): Promise<void> {
    await context.transactExclusive(function* () {
      yield* steps(yield* requireUser(userId));
      yield* recordAction(by, userId, path, client);
    });
  }

  async function mail(
    by: SignedInUser,
    userId: number,
    client: Client,
    path: string,
    job: (email: string) => Job,
  ): Promise<void> {
    await act(by, userId, client, path, ({ email }) => addJob(context, job(email), userId));
    jobs.runSoon();
  }

  /** @throws RefusedError 422 */
  function refuseSelf(by: SignedInUser, userId: number, what: string): void {
    if (by.id === userId) throw new RefusedError(422, `You cannot ${what} yourself.`);
  }

  return {
    find: async (userId) => first(await all(selectUsersBy(context, 'id', userId))),
    ofAccount: async (accountId) => first(await all(selectUsersBy(context, 'account_id', accountId))),
    async list(page, q, before) {
      const words = withoutNul(q).trim().toLowerCase();
      const { rows, hasMore } = await readPage(
        (below, limit) =>
          all(
            database
              .selectFrom('users')
              .selectAll()
              .$if(below !== undefined, (query) => query.where('id', '<', below!))
              .orderBy('id', 'desc')
              .limit(limit),
          ),
        { page, before, size: USERS_PER_PAGE },
        (row) => isPresent(row) && (words === '' || (row.search_text ?? '').includes(words)),
      );
      return { users: rows.filter(isPresent).map(toUser), hasMore };
    },
    sessionsOf: async (userId) => (await readSessionPage(sessions.listOfUser(userId))).sessions,

    revokeSessions: (by, userId, client) =>
      act(by, userId, client, pathOf(userId, 'revoke-sessions'), function* () {
        yield* endSessions(context, userId);
      }),
    mailPasswordReset: (by, userId, client) =>
      mail(by, userId, client, pathOf(userId, 'password-reset'), (email) => ({
        kind: 'reset',
        email,
        isOrdered: true,
      })),
    resendVerification: (by, userId, client, path = pathOf(userId, 'resend-verification')) =>
      mail(by, userId, client, path, (email) => ({ kind: 'verification', email, isOrdered: true })),
    async delete(by, userId, client) {
      refuseSelf(by, userId, 'delete');
      await act(by, userId, client, pathOf(userId, 'delete'), (user) =>
        deleteUserSteps(context, user, { userId: by.id, client }),
      );
      await jobs.run();
    },

    async setStaff(by, userId, isStaff, client) {
      if (!isStaff) refuseSelf(by, userId, 'lower');
      await context.transactExclusive(function* () {
        const user = yield* requireUser(userId);
        if (isStaff && user.verified_at === null) throw new RefusedError(422, UNVERIFIED);
        yield* setStaffSteps(context, userId, isStaff);
        yield* recordSecurityEvent(context, { type: 'staff_changed', userId, byUserId: by.id, client });
      });
    },
    async setRole(by, userId, role, client) {
      if (role !== 'admin') refuseSelf(by, userId, 'lower');
      await context.transactExclusive(function* () {
        yield* requireUser(userId);
        yield database.updateTable('users').set({ role }).where('id', '=', userId);
        yield* recordSecurityEvent(context, { type: 'staff_changed', userId, byUserId: by.id, client });
      });
    },
    async setRateLimit(by, userId, requestsPerMinute, client) {
      const isWrong =
        requestsPerMinute !== null &&
        !(Number.isInteger(requestsPerMinute) && requestsPerMinute >= 1 && requestsPerMinute <= MOST_REQUESTS);
      if (isWrong) throw invalidField('requests_per_minute', `Write a whole number from 1 to ${MOST_REQUESTS}.`);
      await act(by, userId, client, pathOf(userId, 'rate-limit'), function* (user) {
        if (user.account_id === null) throw invalidField('requests_per_minute', UNVERIFIED);
        const change = { requests_per_minute: requestsPerMinute };
        yield database.updateTable('accounts').set(change).where('id', '=', user.account_id);
      });
    },
    async rateLimitOf(userId) {
      const [row] = await all(
        database
          .selectFrom('users')
          .innerJoin('accounts', 'accounts.id', 'users.account_id')
          .select('accounts.requests_per_minute')
          .where('users.id', '=', userId),
      );
      return row?.requests_per_minute ?? null;
    },
    async setActive(by, userId, isActive, client) {
      if (!isActive) refuseSelf(by, userId, 'suspend');
      await context.transactExclusive(function* () {
        const user = yield* requireUser(userId);
        if ((user.suspended_at === null) === isActive) return;
        const change = { suspended_at: isActive ? null : toIsoTime(now()) };
        yield database.updateTable('users').set(change).where('id', '=', userId);
        if (user.account_id !== null) {
          yield database.updateTable('accounts').set(change).where('id', '=', user.account_id);
        }
        if (!isActive) yield* endSessions(context, userId);
        const type = isActive ? 'account_reactivated' : 'account_suspended';
        yield* recordSecurityEvent(context, { type, userId, byUserId: by.id, client });
      });
    },
  };
}

/** A user who loses staff rights also loses the admin role. */
export function* setStaffSteps(
  { database }: UserContext,
  userId: number,
  isStaff: boolean,
  role?: 'admin',
): QuerySteps<void> {
  const change = { is_staff: isStaff ? 1 : 0, ...(isStaff ? role && { role } : { role: 'support' }) };
  yield* queryRows(database.updateTable('users').set(change).where('id', '=', userId).returning('id'));
}
