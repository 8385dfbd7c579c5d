import { type Generated, type Kysely, sql } from 'kysely';
import { SQLITE, type SqlDialect } from '../../platform/sql/dialects.ts';
import { addMissingColumns } from '../../platform/sqlite/schema-upgrades.ts';

export interface AccountTable {
  id: Generated<number>;
  email: string | null;
  plan: string;
  /** The account's only grant of credits; null: the plan's grants apply. */
  granted_credits: number | null;
  /** When the operator granted them. */
  granted_at: string | null;
  created_at: string;
  /** Since when its keys are refused; null: they are accepted. */
  suspended_at: string | null;
  /** 1: one of its addresses has received the free plan's credits before. */
  free_grant_used: number | null;
  /** For each of its keys, in place of the plan's number. */
  requests_per_minute: number | null;
  /** When its plan ends: later months bring no credits; null: it does not end. */
  plan_until: string | null;
}

export interface ApiKeyTable {
  id: Generated<number>;
  account_id: number;
  name: string;
  prefix: string;
  hash: string;
  /** JSON array. */
  scopes: string;
  created_at: string;
  last_used_at: string | null;
  expires_at: string | null;
  revoked_at: string | null;
  /** The key that made it, or `CREATED_BY_OWNER`; null: the operator or an earlier version made it. */
  made_by: number | null;
  /** Equals `created_at` if the key counts among those that its account has made; null: it does not count. */
  counted_at: string | null;
  /** The run that made it; null: none. */
  run: string | null;
  /** Credits that it may be charged in 24 hours; null: no cap. */
  max_credits_a_day: number | null;
}

export interface KeyTables {
  accounts: AccountTable;
  api_keys: ApiKeyTable;
}

export async function createKeyTables(database: Kysely<any>, dialect: SqlDialect = SQLITE): Promise<void> {
  const { integer, id } = dialect.types;
  await database.schema
    .createTable('accounts')
    .ifNotExists()
    .addColumn('id', integer, id)
    .addColumn('email', 'text', (column) => column.unique())
    .addColumn('plan', 'text', (column) => column.notNull())
    .addColumn('granted_credits', integer)
    .addColumn('granted_at', 'text')
    .addColumn('created_at', 'text', (column) => column.notNull())
    .addColumn('suspended_at', 'text')
    .addColumn('free_grant_used', 'integer')
    .addColumn('requests_per_minute', 'integer')
    .addColumn('plan_until', 'text')
    .execute();
  if (dialect === SQLITE) {
    await addMissingColumns(database, 'accounts', {
      granted_at: 'text',
      suspended_at: 'text',
      free_grant_used: 'integer',
      requests_per_minute: 'integer',
      plan_until: 'text',
    });
  }
  await database.schema
    .createTable('api_keys')
    .ifNotExists()
    .addColumn('id', integer, id)
    .addColumn('account_id', integer, (column) => column.notNull().references('accounts.id'))
    .addColumn('name', 'text', (column) => column.notNull())
    .addColumn('prefix', 'text', (column) => column.notNull().unique())
    .addColumn('hash', 'text', (column) => column.notNull())
    .addColumn('scopes', 'text', (column) => column.notNull())
    .addColumn('created_at', 'text', (column) => column.notNull())
    .addColumn('last_used_at', 'text')
    .addColumn('expires_at', 'text')
    .addColumn('revoked_at', 'text')
    .addColumn('made_by', integer)
    .addColumn('counted_at', 'text')
    .addColumn('run', 'text')
    .addColumn('max_credits_a_day', integer)
    .execute();
  if (dialect === SQLITE) {
    await addMissingColumns(database, 'api_keys', {
      made_by: 'integer',
      counted_at: 'text',
      run: 'text',
      max_credits_a_day: 'integer',
    });
  }
  await database.schema
    .createIndex('api_keys_by_account')
    .ifNotExists()
    .on('api_keys')
    .columns(['account_id', 'id'])
    .execute();
  await database.schema
    .createIndex('api_keys_by_run')
    .ifNotExists()
    .unique()
    .on('api_keys')
    .columns(['account_id', 'run'])
    .execute();
  // Revoked keys are never deleted, so neither a creation nor a list may read all of them.
  for (const column of ['revoked_at', 'counted_at'] as const) {
    await database.schema
      .createIndex(`api_keys_by_${column}`)
      .ifNotExists()
      .on('api_keys')
      .columns(['account_id', column])
      .execute();
  }
}

/** For a registry created before accounts had exceptions. */
export async function addAccountOverrideColumns(database: Kysely<any>): Promise<void> {
  await sql`alter table accounts
    add column if not exists suspended_at text,
    add column if not exists free_grant_used integer,
    add column if not exists requests_per_minute integer`.execute(database);
}

/** For a registry created before plans could end. */
export async function addPlanEndColumn(database: Kysely<any>): Promise<void> {
  await sql`alter table accounts add column if not exists plan_until text`.execute(database);
}

/** For a registry created before keys could have a daily cap. */
export async function addKeyCapColumn(database: Kysely<any>): Promise<void> {
  await sql`alter table api_keys add column if not exists max_credits_a_day bigint`.execute(database);
}
