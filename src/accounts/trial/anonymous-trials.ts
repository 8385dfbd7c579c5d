import type { ExpressionBuilder, Kysely, SelectQueryBuilder } from 'kysely';
import { type QuerySteps, queryRows } from '../../platform/sql/query-runner.ts';
import type { NewApiKey } from '../keys/key-registry.ts';
import { insertKeySteps } from '../keys/sql-key-creation.ts';
import type { TrialDatabase } from './trial-tables.ts';

type Database = Kysely<TrialDatabase>;

/** The plan of an account that nobody owns. */
export const ANONYMOUS_PLAN = 'trial';

/**
 * Makes a key with an account of its own, which ends with the key.
 * @param most how many such accounts there may be
 * @returns the id of the key, or the milliseconds until an account ends if there are too many
 */
export function* addAnonymousSteps(
  database: Database,
  key: NewApiKey,
  { most, now, expiresAt }: { readonly most: number; readonly now: number; readonly expiresAt: number },
): QuerySteps<{ readonly keyId: number } | { readonly waitMs: number }> {
  const [full] = yield* queryRows(
    database
      .selectFrom('anonymous_trials')
      .select('expires_at')
      .orderBy('expires_at', 'desc')
      .offset(most - 1)
      .limit(1),
  );
  if (full) return { waitMs: Math.max(0, full.expires_at - now) };
  const keys = database as unknown as Parameters<typeof insertKeySteps>[0];
  const keyId = yield* insertKeySteps(keys, key);
  const [made] = yield* queryRows(keys.selectFrom('api_keys').select('account_id').where('id', '=', keyId));
  yield database
    .insertInto('anonymous_trials')
    .values({ account_id: made!.account_id, key_id: keyId, expires_at: expiresAt });
  return { keyId };
}

/** Accounts that have ended, the first of them. */
export const selectEndedAccounts = (database: Database, now: number, limit: number) =>
  database
    .selectFrom('anonymous_trials')
    .select('account_id')
    .where('expires_at', '<=', now)
    .orderBy('expires_at')
    .limit(limit);

const all = (database: Database) => database as unknown as Kysely<any>;

/** Such accounts that staff have put on a plan, or that have bought something: their key no longer ends. */
export const selectKeptAccounts = (database: Database, limit: number) =>
  all(database)
    .selectFrom('anonymous_trials')
    .innerJoin('accounts', 'accounts.id', 'anonymous_trials.account_id')
    .where(isKept)
    .select('anonymous_trials.account_id as account_id')
    .orderBy('anonymous_trials.account_id')
    .limit(limit) as SelectQueryBuilder<any, any, { account_id: number }>;

const isKept = ({ or, eb, exists, selectFrom }: ExpressionBuilder<any, any>) =>
  or([
    eb('accounts.plan', '<>', ANONYMOUS_PLAN),
    ...['payments', 'customers'].map((table) =>
      exists(selectFrom(table).select(`${table}.account_id`).whereRef(`${table}.account_id`, '=', 'accounts.id')),
    ),
  ]);

/** Makes such an account one that stays, with its key. */
export function* keepAccountSteps(database: Database, accountId: number): QuerySteps<void> {
  yield database.deleteFrom('anonymous_trials').where('account_id', '=', accountId);
  yield all(database).updateTable('api_keys').set({ expires_at: null }).where('account_id', '=', accountId);
}

/**
 * Ends such an account with its key, links, bets and list of books. What it was charged stays in the log, under its id,
 * which no other account gets. One that is kept by now (`selectKeptAccounts`) stays.
 */
export function* removeAccountSteps(database: Database, accountId: number): QuerySteps<void> {
  const [kept] = yield* queryRows(
    all(database).selectFrom('accounts').select('accounts.id').where('accounts.id', '=', accountId).where(isKept),
  );
  if (kept) return yield* keepAccountSteps(database, accountId);
  for (const table of ['anonymous_trials', 'read_links', 'bets', 'my_books', 'seal_keys', 'api_keys'])
    yield all(database).deleteFrom(table).where('account_id', '=', accountId);
  yield all(database).deleteFrom('accounts').where('id', '=', accountId);
}
