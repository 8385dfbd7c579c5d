import type { Generated, Kysely, Selectable } from 'kysely';
import { addMissingColumn } from '../../sqlite/missing-column.ts';
import { gap, template } from '../../sqlite/query-template.ts';
import { type ApiKey, DEFAULT_PLAN, type KeyRegistry, type NewApiKey, TooManyKeys } from './key-registry.ts';

interface AccountTable {
  id: Generated<number>;
  email: string | null;
  plan: string;
  /** The account's only grant of credits; null: what its plan grants. */
  granted_credits: number | null;
  /** When the operator granted them. */
  granted_at: string | null;
  created_at: string;
}

interface ApiKeyTable {
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
}

export interface KeyTables {
  accounts: AccountTable;
  api_keys: ApiKeyTable;
}

export async function createKeyTables(database: Kysely<any>): Promise<void> {
  await database.schema
    .createTable('accounts')
    .ifNotExists()
    .addColumn('id', 'integer', (column) => column.primaryKey().autoIncrement())
    .addColumn('email', 'text', (column) => column.unique())
    .addColumn('plan', 'text', (column) => column.notNull())
    .addColumn('granted_credits', 'integer')
    .addColumn('granted_at', 'text')
    .addColumn('created_at', 'text', (column) => column.notNull())
    .execute();
  await addMissingColumn(database, 'accounts', 'granted_at', 'text');
  await database.schema
    .createTable('api_keys')
    .ifNotExists()
    .addColumn('id', 'integer', (column) => column.primaryKey().autoIncrement())
    .addColumn('account_id', 'integer', (column) => column.notNull().references('accounts.id'))
    .addColumn('name', 'text', (column) => column.notNull())
    .addColumn('prefix', 'text', (column) => column.notNull().unique())
    .addColumn('hash', 'text', (column) => column.notNull())
    .addColumn('scopes', 'text', (column) => column.notNull())
    .addColumn('created_at', 'text', (column) => column.notNull())
    .addColumn('last_used_at', 'text')
    .addColumn('expires_at', 'text')
    .addColumn('revoked_at', 'text')
    .execute();
  await database.schema
    .createIndex('api_keys_by_account')
    .ifNotExists()
    .on('api_keys')
    .columns(['account_id', 'id'])
    .execute();
}

/**
 * Keys in a relational database, through the query builder. Every change is one statement: a transaction would hold the
 * file's write lock across turns of the event loop, and another connection of this process that waits for the lock
 * stops that very loop. An account without a key, left by a crash in between, does no harm.
 */
export function sqliteKeys<Tables extends KeyTables>(registry: Kysely<Tables>): KeyRegistry {
  const database = registry as unknown as Kysely<KeyTables>;
  const keys = () =>
    database
      .selectFrom('api_keys')
      .innerJoin('accounts', 'accounts.id', 'api_keys.account_id')
      .selectAll('api_keys')
      .select(['accounts.plan', 'accounts.created_at as account_created_at'])
      .select(['accounts.granted_credits', 'accounts.granted_at']);
  // Each key in use is looked up twice a second: to build and compile the query takes longer than to run it.
  const byPrefix = template<Selectable<ApiKeyTable> & AccountColumns>(
    keys().where('api_keys.prefix', '=', gap<string>('prefix')),
  );

  return {
    async create(key) {
      const accountId = await accountOf(database, key);
      const id = await insertKey(database, accountId, key);
      if (id === undefined) throw new TooManyKeys(`account ${accountId} has as many keys as it may have`);
      return toApiKey(await keys().where('api_keys.id', '=', id).executeTakeFirstOrThrow());
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

/** Counts and inserts in one statement: between two, others could add keys. Undefined where there are too many. */
async function insertKey(
  database: Kysely<KeyTables>,
  accountId: number,
  { name, prefix, hash, scopes, createdAt, expiresAt, most }: NewApiKey,
): Promise<number | undefined> {
  const row = {
    account_id: accountId,
    name,
    prefix,
    hash,
    scopes: JSON.stringify(scopes),
    created_at: createdAt,
    last_used_at: null,
    expires_at: expiresAt,
    revoked_at: null,
  };
  const insert = database.insertInto('api_keys').returning('id');
  if (most === undefined) return (await insert.values(row).executeTakeFirstOrThrow()).id;
  const columns = Object.keys(row) as (keyof typeof row)[];
  const inForce = database
    .selectFrom('api_keys')
    .select((select) => select.fn.countAll<number>().as('count'))
    .where('account_id', '=', accountId)
    .where('revoked_at', 'is', null);
  const source = database
    .selectNoFrom((select) => columns.map((column) => select.val(row[column]).as(column)))
    .where(inForce, '<', most);
  const inserted = await insert.columns(columns).expression(source).executeTakeFirst();
  return inserted?.id;
}

/** Id of the account that the new key belongs to. */
async function accountOf(database: Kysely<KeyTables>, key: NewApiKey): Promise<number> {
  const { account, plan, credits, createdAt } = key;
  const grantedAt = credits === undefined ? null : createdAt;
  if (account !== 'own' && 'id' in account) {
    const found = await database
      .updateTable('accounts')
      .set((set) => ({
        plan: plan ?? set.ref('accounts.plan'),
        granted_credits: credits ?? set.ref('accounts.granted_credits'),
        granted_at: grantedAt ?? set.ref('accounts.granted_at'),
      }))
      .where('id', '=', account.id)
      .returning('id')
      .executeTakeFirst();
    if (!found) throw new Error(`there is no account ${account.id}`);
    return found.id;
  }
  const email = account === 'own' ? null : account.email.trim().toLowerCase();
  const { id } = await database
    .insertInto('accounts')
    .values({
      email,
      plan: plan ?? DEFAULT_PLAN,
      granted_credits: credits ?? null,
      granted_at: grantedAt,
      created_at: createdAt,
    })
    .onConflict((conflict) =>
      conflict.column('email').doUpdateSet((set) => ({
        plan: plan ?? set.ref('accounts.plan'),
        granted_credits: credits ?? set.ref('accounts.granted_credits'),
        granted_at: grantedAt ?? set.ref('accounts.granted_at'),
      })),
    )
    .returning('id')
    .executeTakeFirstOrThrow();
  return id;
}

/** Of a key's account. */
interface AccountColumns {
  readonly plan: string;
  readonly account_created_at: string;
  readonly granted_credits: number | null;
  readonly granted_at: string | null;
}

function toApiKey(row: Selectable<ApiKeyTable> & AccountColumns): ApiKey {
  const { granted_credits: credits, granted_at: at, account_created_at: accountCreatedAt } = row;
  return {
    id: row.id,
    accountId: row.account_id,
    plan: row.plan,
    accountCreatedAt,
    // Folders of before the time was noted: the account began with its grant.
    order: credits === null ? null : { credits, at: at ?? accountCreatedAt },
    name: row.name,
    prefix: row.prefix,
    hash: row.hash,
    scopes: JSON.parse(row.scopes) as string[],
    createdAt: row.created_at,
    lastUsedAt: row.last_used_at,
    expiresAt: row.expires_at,
    revokedAt: row.revoked_at,
  };
}
