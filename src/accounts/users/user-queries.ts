import type { Selectable } from 'kysely';
import { DAY, HOUR } from '../../domain/primitives/time.ts';
import { toIsoTime } from '../../platform/clock/iso-time.ts';
import { type QuerySteps, queryRows } from '../../platform/sql/query-runner.ts';
import type { UserContext, UserContextParts } from './user-context.ts';
import type { Client, Role, SignedInUser, User } from './user-service.ts';
import type { RegistrationTable, UserTable } from './user-tables.ts';

type UserRow = Selectable<UserTable>;

export const toUser = (row: UserRow & { readonly email: string }): User => ({
  id: row.id,
  accountId: row.account_id,
  email: row.email,
  name: row.name,
  timezone: row.timezone,
  isVerified: row.verified_at !== null,
  hasPassword: row.password_hash !== null,
  githubId: row.github_id,
  isStaff: row.is_staff === 1,
  role: row.role as Role,
  isActive: row.suspended_at === null,
  createdAt: row.created_at,
});

/** A deleted user has no e-mail address. */
export type PresentRow = UserRow & { readonly email: string };
export const isPresent = (row: UserRow | undefined): row is PresentRow => row !== undefined && row.email !== null;

export const isSignedIn = (user: User): user is SignedInUser => user.accountId !== null;

/** The text that the `q` of a list is searched in. */
export const searchText = (email: string, name: string | null): string => [email, name?.toLowerCase() ?? ''].join('\n');

export const selectUsersBy = (
  { database }: Pick<UserContext, 'database'>,
  column: 'id' | 'email' | 'github_id' | 'account_id',
  value: string | number,
) => database.selectFrom('users').selectAll().where(column, '=', value).where('email', 'is not', null);

export function* findUserBy(
  context: UserContext,
  column: Parameters<typeof selectUsersBy>[1],
  value: string | number,
): QuerySteps<PresentRow | undefined> {
  const [row] = yield* queryRows(selectUsersBy(context, column, value));
  return isPresent(row) ? row : undefined;
}

/** The newest registration of an unverified user. */
export const selectNewestRegistration = ({ database }: Pick<UserContext, 'database'>, userId: number) =>
  database.selectFrom('registrations').selectAll().where('user_id', '=', userId).orderBy('id', 'desc').limit(1);

/** The newest registration that this browser has made for an unverified user, else the newest. @param browser hashed */
export function* findRegistrationOf(
  context: UserContext,
  userId: number,
  browser: string | null,
): QuerySteps<Selectable<RegistrationTable> | undefined> {
  const newest = selectNewestRegistration(context, userId);
  const [own] = browser === null ? [] : yield* queryRows(newest.where('browser', '=', browser));
  return own ?? (yield* queryRows(newest))[0];
}

/** The HMAC of a browser's own cookie; null: it has none. */
export const hashBrowser = ({ digest }: Pick<UserContext, 'digest'>, { visitor }: Client): string | null =>
  visitor === undefined ? null : digest('visitor', visitor);

/** Removes an unverified user completely; the user never had an account. */
export function* removeUnverified({ database }: UserContext, userId: number): QuerySteps<void> {
  for (const table of ['registrations', 'password_resets', 'email_changes', 'background_jobs'] as const) {
    yield database.deleteFrom(table).where('user_id', '=', userId);
  }
  yield database.deleteFrom('users').where('id', '=', userId).where('account_id', 'is', null);
}

/** Whether the address belongs to another user, or to an account that a command has made. */
export function* isEmailTaken(context: UserContext, email: string, userId: number): QuerySteps<boolean> {
  const user = yield* findUserBy(context, 'email', email);
  if (user && user.id !== userId && user.verified_at !== null) return true;
  const own = yield* findUserBy(context, 'id', userId);
  const [account] = yield* queryRows(context.database.selectFrom('accounts').select('id').where('email', '=', email));
  return account !== undefined && account.id !== own?.account_id;
}

/** How long a verification link is valid. */
export const VERIFICATION_MS = DAY;
export const RESET_MS = HOUR;
/** How long an address can be taken back after it was changed. */
export const TAKEBACK_MS = 7 * DAY;

/** Anything made at this time or earlier has expired. */
export const expiryTime = ({ now }: UserContext, forMs: number): string => toIsoTime(now() - forMs);

/** The row of a valid reset link. */
export const selectReset = (context: UserContext, token: string) =>
  context.database
    .selectFrom('password_resets')
    .selectAll()
    .where('token_hash', '=', context.digest('reset', token))
    .where('made_at', '>', expiryTime(context, RESET_MS));

/** Replaces an earlier reset link. */
export const upsertReset = ({ database, digest, now }: UserContext, userId: number, token: string) => {
  const values = { token_hash: digest('reset', token), made_at: toIsoTime(now()) };
  return database
    .insertInto('password_resets')
    .values({ user_id: userId, ...values })
    .onConflict((conflict) => conflict.column('user_id').doUpdateSet(values));
};

/** Tells whether an account is suspended, or its user deleted. Then nothing is done for the account. */
export const createSuspensionCheck =
  ({ database, runner }: Pick<UserContextParts, 'database' | 'runner'>) =>
  async (accountId: number): Promise<boolean> => {
    const [account] = await runner.all(
      database.selectFrom('accounts').select('suspended_at').where('id', '=', accountId),
    );
    return account !== undefined && account.suspended_at !== null;
  };

/** Finds the verified address of an account's user; undefined if it has none, or is suspended. */
export const createVerifiedAddressFinder =
  (context: Pick<UserContextParts, 'database' | 'runner'>) =>
  async (accountId: number): Promise<string | undefined> => {
    const [row] = await context.runner.all(selectUsersBy(context, 'account_id', accountId));
    return isPresent(row) && row.verified_at !== null && row.suspended_at === null ? row.email : undefined;
  };
