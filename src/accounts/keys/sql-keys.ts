import type { Kysely, Selectable } from 'kysely';
import { isUniqueViolation } from '../../platform/sql/dialects.ts';
import { createStepwiseRunner, type QueryRunner } from '../../platform/sql/query-runner.ts';
import { compileTemplate, placeholder } from '../../platform/sql/query-template.ts';
import type { ApiKey, KeyRegistry } from './key-registry.ts';
import type { AccountTable, ApiKeyTable, KeyTables } from './key-tables.ts';
import { insertKeySteps } from './sql-key-creation.ts';

/**
 * Keys in an SQLite file. Every change is one statement. A transaction would hold the file's write lock across turns of
 * the event loop; another connection of this process that waits for the lock would block that same loop. A crash in
 * between may leave an account without a key, which does no harm.
 */
export const createSqliteKeys = (registry: Kysely<any>): KeyRegistry =>
  createSqlKeys(registry, createStepwiseRunner(registry));

/** Keys in a relational database. */
export function createSqlKeys(database: Kysely<KeyTables>, runner: QueryRunner): KeyRegistry {
  const keys = () =>
    database
      .selectFrom('api_keys')
      .innerJoin('accounts', 'accounts.id', 'api_keys.account_id')
      .selectAll('api_keys')
      .select(['accounts.plan', 'accounts.created_at as account_created_at'])
      .select(['accounts.granted_credits', 'accounts.granted_at'])
      .select('accounts.plan_until')
      .select(['accounts.suspended_at', 'accounts.free_grant_used', 'accounts.requests_per_minute']);
  // Each key in use is looked up twice a second. Building and compiling the query would take longer than running it.
  const byPrefix = compileTemplate<Selectable<ApiKeyTable> & AccountColumns>(
    keys().where('api_keys.prefix', '=', placeholder<string>('prefix')),
  );

  return {
    async create(key) {
      const make = () => runner.transact(() => insertKeySteps(database, key));
      // Without a transaction another call of the same run may insert first. The second attempt finds its key.
      const id = await make().catch((error: unknown) => {
        if (key.run === undefined || !isUniqueViolation(error)) throw error;
        return make();
      });
      return toApiKey(await keys().where('api_keys.id', '=', id).executeTakeFirstOrThrow());
    },
    async find(id) {
      const row = await keys().where('api_keys.id', '=', id).executeTakeFirst();
      return row && toApiKey(row);
    },
    async findByPrefix(prefix) {
      const [row] = (await database.executeQuery(byPrefix({ prefix }).compile())).rows;
      return row && toApiKey(row);
    },
    async list(accountId) {
      const all = keys().orderBy('api_keys.id');
      const rows = await (accountId === undefined ? all : all.where('account_id', '=', accountId)).execute();
      return rows.map(toApiKey);
    },
    async listMatching({ accountId, revokedAfter, mostRevoked, without }) {
      const wanted = database
        .selectFrom('api_keys')
        .select('id')
        .where('account_id', '=', accountId)
        // Matches a scope in the JSON text.
        .where(({ and, eb }) => and(without.map((scope) => eb('scopes', 'not like', `%"${scope}"%`))));
      const newest = wanted
        .where('revoked_at', '>', revokedAfter)
        .orderBy('revoked_at', 'desc')
        .orderBy('id', 'desc')
        .limit(mostRevoked);
      const ids = wanted
        .where('revoked_at', 'is', null)
        .unionAll(database.selectFrom(newest.as('newest')).select('newest.id'));
      const rows = await keys().where('api_keys.id', 'in', ids).orderBy('api_keys.id').execute();
      return rows.map(toApiKey);
    },
    async revokedSince(accountId, after) {
      const rows = await database
        .selectFrom('api_keys')
        .select(['id', 'revoked_at'])
        .where('account_id', '=', accountId)
        .where('revoked_at', '>', after)
        .orderBy('id')
        .execute();
      return rows.map((row) => ({ id: row.id, revokedAt: row.revoked_at! }));
    },
    async madeSince(after) {
      const rows = await database
        .selectFrom('api_keys')
        .select(['id', 'account_id', 'made_by', 'created_at'])
        .where('made_by', 'is not', null)
        .where('created_at', '>', after)
        .orderBy('id')
        .execute();
      return rows.map((row) => ({
        id: row.id,
        accountId: row.account_id,
        madeBy: row.made_by!,
        createdAt: row.created_at,
      }));
    },
    async revoke(id, at, accountId) {
      const revoked = database
        .updateTable('api_keys')
        .set({ revoked_at: at })
        .where('id', '=', id)
        .where('revoked_at', 'is', null);
      const { numUpdatedRows } = await (accountId === undefined
        ? revoked
        : revoked.where('account_id', '=', accountId)
      ).executeTakeFirst();
      return numUpdatedRows > 0n;
    },
    async touch(id, at) {
      await database
        .updateTable('api_keys')
        .set({ last_used_at: at })
        .where('id', '=', id)
        .where((where) => where.or([where('last_used_at', 'is', null), where('last_used_at', '<', at)]))
        .execute();
    },
  };
}

/** The columns of the key's account. */
interface AccountColumns extends OverrideColumns {
  readonly plan: string;
  readonly account_created_at: string;
  readonly granted_credits: number | null;
  readonly granted_at: string | null;
  readonly plan_until: string | null;
}

function toApiKey(row: Selectable<ApiKeyTable> & AccountColumns): ApiKey {
  const { granted_credits: credits, granted_at: at, account_created_at: accountCreatedAt } = row;
  return {
    id: row.id,
    accountId: row.account_id,
    plan: row.plan,
    accountCreatedAt,
    // Older folders lack the time of the grant: use the account's creation.
    order: credits === null ? null : { credits, at: at ?? accountCreatedAt },
    ...(row.plan_until !== null && { planUntil: row.plan_until }),
    ...toOverrides(row),
    name: row.name,
    prefix: row.prefix,
    hash: row.hash,
    scopes: JSON.parse(row.scopes) as string[],
    createdAt: row.created_at,
    lastUsedAt: row.last_used_at,
    expiresAt: row.expires_at,
    revokedAt: row.revoked_at,
    ...(row.max_credits_a_day !== null && { maxCreditsADay: row.max_credits_a_day }),
  };
}

type OverrideColumns = Pick<Selectable<AccountTable>, 'suspended_at' | 'free_grant_used' | 'requests_per_minute'>;

/** Empty for nearly all accounts, which have no exceptions. */
function toOverrides(row: OverrideColumns): Pick<ApiKey, 'exceptions'> {
  const { suspended_at: suspendedAt, free_grant_used: used, requests_per_minute: requestsPerMinute } = row;
  if (suspendedAt === null && used !== 1 && requestsPerMinute === null) return {};
  return { exceptions: { isSuspended: suspendedAt !== null, isFreeGrantUsed: used === 1, requestsPerMinute } };
}
