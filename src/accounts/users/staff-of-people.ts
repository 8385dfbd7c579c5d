import { sql } from 'kysely';
import { Refused, wrongField } from '../../domain/refused-act.ts';
import { containing } from '../../platform/sql/like-pattern.ts';
import { rowsOf, type Steps } from '../../platform/sql/query-runner.ts';
import { deleteSteps } from './deleting.ts';
import { addErrand, type Errand, type Errands } from './errands.ts';
import type { StaffOfPeople } from './people.ts';
import { type PeopleContext, timeText, withoutNul } from './people-context.ts';
import { endSessions, type SessionReader } from './session-rows.ts';
import { noteEvent } from './sql-security-log.ts';
import type { Client, SignedInUser, User } from './user.ts';
import { isPresent, type PresentRow, toUser, userBy, usersBy } from './user-rows.ts';

const A_PAGE = 50;
const MOST_REQUESTS = 100_000;
const NOBODY = 'There is no such user.';
const UNVERIFIED = 'This user has not verified the e-mail address yet.';

interface StaffParts {
  readonly errands: Errands;
  readonly sessions: SessionReader;
}

export function createStaffOfPeople(context: PeopleContext, { errands, sessions }: StaffParts): StaffOfPeople {
  const { database, all, now } = context;

  const first = (rows: readonly Parameters<typeof isPresent>[0][]): User | undefined =>
    isPresent(rows[0]) ? toUser(rows[0]) : undefined;

  /** One of whom it was asked. @throws Refused 404 */
  function* existing(userId: number): Steps<PresentRow> {
    const user = yield* userBy(context, 'id', userId);
    if (!user) throw new Refused(404, NOBODY);
    return user;
  }

  /** Of an act that has no event of its own. */
  const noteAct = (by: SignedInUser, userId: number, path: string, client: Client) =>
    noteEvent(context, { type: 'admin_action', userId, byUserId: by.id, path, client });
  const pathOf = (userId: number, act: string) => `/admin/users/${userId}/${act}`;

  async function act(
    by: SignedInUser,
    userId: number,
    client: Client,
    path: string,
    steps: (user: PresentRow) => Steps<void>,
  ): Promise<void> {
    await context.change(function* () {
      yield* steps(yield* existing(userId));
      yield* noteAct(by, userId, path, client);
    });
  }

  async function mail(
    by: SignedInUser,
    userId: number,
    client: Client,
    path: string,
    errand: (email: string) => Errand,
  ): Promise<void> {
    await act(by, userId, client, path, ({ email }) => addErrand(context, errand(email), userId));
    errands.soon();
  }

  /** @throws Refused 422 */
  function notHimself(by: SignedInUser, userId: number, what: string): void {
    if (by.id === userId) throw new Refused(422, `You cannot ${what} yourself.`);
  }

  return {
    find: async (userId) => first(await all(usersBy(context, 'id', userId))),
    ofAccount: async (accountId) => first(await all(usersBy(context, 'account_id', accountId))),
    async list(page, q) {
      const words = withoutNul(q).trim().toLowerCase();
      const found = database
        .selectFrom('users')
        .where('email', 'is not', null)
        .$if(words !== '', (query) => query.where(sql<boolean>`search_text like ${containing(words)} escape '\\'`));
      const rows = await all(
        found
          .selectAll()
          .orderBy('id', 'desc')
          .limit(A_PAGE)
          .offset((page - 1) * A_PAGE),
      );
      const [counted] = await all(found.select(({ fn }) => fn.countAll<number>().as('total')));
      return { users: rows.filter(isPresent).map(toUser), total: counted!.total };
    },
    sessionsOf: (userId) => sessions.of(userId),

    revokeSessions: (by, userId, client) =>
      act(by, userId, client, pathOf(userId, 'revoke-sessions'), () => endSessions(context, userId)),
    mailPasswordReset: (by, userId, client) =>
      mail(by, userId, client, pathOf(userId, 'password-reset'), (email) => ({
        kind: 'reset',
        email,
        isOrdered: true,
      })),
    resendVerification: (by, userId, client, path = pathOf(userId, 'resend-verification')) =>
      mail(by, userId, client, path, (email) => ({ kind: 'verification', email, isOrdered: true })),
    async delete(by, userId, client) {
      notHimself(by, userId, 'delete');
      await act(by, userId, client, pathOf(userId, 'delete'), (user) =>
        deleteSteps(context, user, { userId: by.id, client }),
      );
      await errands.run();
    },

    async setStaff(by, userId, isStaff, client) {
      if (!isStaff) notHimself(by, userId, 'lower');
      await context.change(function* () {
        const user = yield* existing(userId);
        if (isStaff && user.verified_at === null) throw new Refused(422, UNVERIFIED);
        yield* staffSteps(context, userId, isStaff);
        yield* noteEvent(context, { type: 'staff_changed', userId, byUserId: by.id, client });
      });
    },
    async setRole(by, userId, role, client) {
      if (role !== 'admin') notHimself(by, userId, 'lower');
      await context.change(function* () {
        yield* existing(userId);
        yield database.updateTable('users').set({ role }).where('id', '=', userId);
        yield* noteEvent(context, { type: 'staff_changed', userId, byUserId: by.id, client });
      });
    },
    async setRateLimit(by, userId, requestsPerMinute, client) {
      const isWrong =
        requestsPerMinute !== null &&
        !(Number.isInteger(requestsPerMinute) && requestsPerMinute >= 1 && requestsPerMinute <= MOST_REQUESTS);
      if (isWrong) throw wrongField('requests_per_minute', `Write a whole number from 1 to ${MOST_REQUESTS}.`);
      await act(by, userId, client, pathOf(userId, 'rate-limit'), function* (user) {
        if (user.account_id === null) throw wrongField('requests_per_minute', UNVERIFIED);
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
      if (!isActive) notHimself(by, userId, 'suspend');
      await context.change(function* () {
        const user = yield* existing(userId);
        if ((user.suspended_at === null) === isActive) return;
        const change = { suspended_at: isActive ? null : timeText(now()) };
        yield database.updateTable('users').set(change).where('id', '=', userId);
        if (user.account_id !== null) {
          yield database.updateTable('accounts').set(change).where('id', '=', user.account_id);
        }
        if (!isActive) yield* endSessions(context, userId);
        const type = isActive ? 'account_reactivated' : 'account_suspended';
        yield* noteEvent(context, { type, userId, byUserId: by.id, client });
      });
    },
  };
}

/** Who is staff no more begins anew with the lesser role. */
export function* staffSteps(
  { database }: PeopleContext,
  userId: number,
  isStaff: boolean,
  role?: 'admin',
): Steps<void> {
  const change = { is_staff: isStaff ? 1 : 0, ...(isStaff ? role && { role } : { role: 'support' }) };
  yield* rowsOf(database.updateTable('users').set(change).where('id', '=', userId).returning('id'));
}
