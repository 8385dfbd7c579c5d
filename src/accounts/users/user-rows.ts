import type { Selectable } from 'kysely';
import { rowsOf, type Steps } from '../../platform/sql/query-runner.ts';
import type { PeopleContext } from './people-context.ts';
import type { UserTable } from './people-tables.ts';
import type { Role, SignedInUser, User } from './user.ts';

export type UserRow = Selectable<UserTable>;

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

export const usersBy = (
  { database }: Pick<PeopleContext, 'database'>,
  column: 'id' | 'email' | 'github_id' | 'account_id',
  value: string | number,
) => database.selectFrom('users').selectAll().where(column, '=', value).where('email', 'is not', null);

export function* userBy(
  context: PeopleContext,
  column: Parameters<typeof usersBy>[1],
  value: string | number,
): Steps<PresentRow | undefined> {
  const [row] = yield* rowsOf(usersBy(context, column, value));
  return isPresent(row) ? row : undefined;
}

/** The newest one of an address that is not verified yet. */
export const newestRegistrations = ({ database }: Pick<PeopleContext, 'database'>, userId: number) =>
  database.selectFrom('registrations').selectAll().where('user_id', '=', userId).orderBy('id', 'desc').limit(1);

/** An unverified one goes without a trace: nobody has been it yet. */
export function* removeUnverified({ database }: PeopleContext, userId: number): Steps<void> {
  for (const table of ['registrations', 'password_resets', 'email_changes', 'errands'] as const) {
    yield database.deleteFrom(table).where('user_id', '=', userId);
  }
  yield database.deleteFrom('users').where('id', '=', userId).where('account_id', 'is', null);
}

/** Another user's, or an account's that a command has made. */
export function* isTaken(context: PeopleContext, email: string, userId: number): Steps<boolean> {
  const user = yield* userBy(context, 'email', email);
  if (user && user.id !== userId && user.verified_at !== null) return true;
  const own = yield* userBy(context, 'id', userId);
  const [account] = yield* rowsOf(context.database.selectFrom('accounts').select('id').where('email', '=', email));
  return account !== undefined && account.id !== own?.account_id;
}
