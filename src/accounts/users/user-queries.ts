import type { Selectable } from 'kysely';
import { DAY, HOUR } from '../../domain/primitives/time.ts';
import { type QuerySteps, queryRows } from '../../platform/sql/query-runner.ts';
import { toIsoText, type UserContext, type UserContextParts } from './user-context.ts';
import type { Role, SignedInUser, User } from './user-service.ts';
import type { UserTable } from './user-tables.ts';

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

/** A deleted one is nobody's any more. */
export type PresentRow = UserRow & { readonly email: string };
export const isPresent = (row: UserRow | undefined): row is PresentRow => row !== undefined && row.email !== null;

export const isSignedIn = (user: User): user is SignedInUser => user.accountId !== null;

/** What `q` of a list is looked for in. */
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

/** The newest one of an address that is not verified yet. */
export const selectNewestRegistration = ({ database }: Pick<UserContext, 'database'>, userId: number) =>
  database.selectFrom('registrations').selectAll().where('user_id', '=', userId).orderBy('id', 'desc').limit(1);

/** An unverified one goes without a trace: nobody has been it yet. */
export function* removeUnverified({ database }: UserContext, userId: number): QuerySteps<void> {
  for (const table of ['registrations', 'password_resets', 'email_changes', 'errands'] as const) {
    yield database.deleteFrom(table).where('user_id', '=', userId);
  }
  yield database.deleteFrom('users').where('id', '=', userId).where('account_id', 'is', null);
}

/** Another user's, or an account's that a command has made. */
export function* isEmailTaken(context: UserContext, email: string, userId: number): QuerySteps<boolean> {
  const user = yield* findUserBy(context, 'email', email);
  if (user && user.id !== userId && user.verified_at !== null) return true;
  const own = yield* findUserBy(context, 'id', userId);
  const [account] = yield* queryRows(context.database.selectFrom('accounts').select('id').where('email', '=', email));
  return account !== undefined && account.id !== own?.account_id;
}

/** So long a link of a registration, or to a new address, can be opened. */
export const VERIFICATION_MS = DAY;
export const RESET_MS = HOUR;

/** What was made at this time or before is too old. */
export const expiryTime = ({ now }: UserContext, forMs: number): string => toIsoText(now() - forMs);

/** Of a link to set a new password, where it can still be used. */
export const selectReset = (context: UserContext, token: string) =>
  context.database
    .selectFrom('password_resets')
    .selectAll()
    .where('token_hash', '=', context.digest('reset', token))
    .where('made_at', '>', expiryTime(context, RESET_MS));

/** The one before works no more. */
export const upsertReset = ({ database, digest, now }: UserContext, userId: number, token: string) => {
  const values = { token_hash: digest('reset', token), made_at: toIsoText(now()) };
  return database
    .insertInto('password_resets')
    .values({ user_id: userId, ...values })
    .onConflict((conflict) => conflict.column('user_id').doUpdateSet(values));
};

/** Tells whether staff has suspended an account, or its user is gone: nothing is done for it then. */
export const createSuspensionCheck =
  ({ database, runner }: Pick<UserContextParts, 'database' | 'runner'>) =>
  async (accountId: number): Promise<boolean> => {
    const [account] = await runner.all(
      database.selectFrom('accounts').select('suspended_at').where('id', '=', accountId),
    );
    return account !== undefined && account.suspended_at !== null;
  };
