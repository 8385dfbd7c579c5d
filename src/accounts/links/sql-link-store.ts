import { type Generated, type Kysely, type Selectable, sql } from 'kysely';
import { SQLITE, type SqlDialect } from '../../platform/sql/dialects.ts';
import { type QueryRunner, type QuerySteps, queryRows } from '../../platform/sql/query-runner.ts';
import type { KeyTables } from '../keys/key-tables.ts';
import type { LinkStore, StoredLink } from './link-store.ts';

interface LinkTable {
  id: Generated<number>;
  account_id: number;
  hash: string;
  name: string | null;
  path: string;
  format: string;
  /** JSON array. */
  scopes: string;
  created_at: string;
  expires_at: string | null;
  last_used_at: string | null;
  uses: number;
}

export interface LinkTables {
  read_links: LinkTable;
}

export async function createLinkTables(
  { schema }: Kysely<any>,
  { types: { integer, id } }: SqlDialect = SQLITE,
): Promise<void> {
  await schema
    .createTable('read_links')
    .ifNotExists()
    .addColumn('id', integer, id)
    .addColumn('account_id', integer, (column) => column.notNull().references('accounts.id'))
    .addColumn('hash', 'text', (column) => column.notNull().unique())
    .addColumn('name', 'text')
    .addColumn('path', 'text', (column) => column.notNull())
    .addColumn('format', 'text', (column) => column.notNull())
    .addColumn('scopes', 'text', (column) => column.notNull())
    .addColumn('created_at', 'text', (column) => column.notNull())
    .addColumn('expires_at', 'text')
    .addColumn('last_used_at', 'text')
    .addColumn('uses', integer, (column) => column.notNull())
    .execute();
  await schema
    .createIndex('read_links_by_account')
    .ifNotExists()
    .on('read_links')
    .columns(['account_id', 'id'])
    .execute();
}

type Tables = LinkTables & Pick<KeyTables, 'accounts'>;

export function createSqlLinkStore(
  database: Kysely<any>,
  runner: Pick<QueryRunner, 'transact'>,
  dialect: SqlDialect,
): LinkStore {
  const db = database as Kysely<Tables>;

  function* addSteps(
    { accountId, hash, name, path, format, scopes, createdAt, expiresAt }: Parameters<LinkStore['add']>[0],
    most: number,
  ): QuerySteps<StoredLink | undefined> {
    yield dialect.lock(`links ${accountId}`);
    yield db.deleteFrom('read_links').where('account_id', '=', accountId).where('expires_at', '<=', createdAt);
    const own = db.selectFrom('read_links').select('id').where('account_id', '=', accountId).limit(most);
    if ((yield* queryRows(own)).length >= most) return undefined;
    const values = {
      account_id: accountId,
      hash,
      name,
      path,
      format,
      scopes: JSON.stringify(scopes),
      created_at: createdAt,
      expires_at: expiresAt,
      last_used_at: null,
      uses: 0,
    };
    const [row] = yield* queryRows(db.insertInto('read_links').values(values).returningAll());
    return toLink(row!);
  }

  return {
    add: (link, most) => runner.transact(() => addSteps(link, most)),
    async list(accountId) {
      const rows = db.selectFrom('read_links').selectAll().where('account_id', '=', accountId).orderBy('id');
      return (await rows.execute()).map(toLink);
    },
    async findByHash(hash) {
      const row = await db
        .selectFrom('read_links')
        .innerJoin('accounts', 'accounts.id', 'read_links.account_id')
        .selectAll('read_links')
        .where('hash', '=', hash)
        .where('accounts.suspended_at', 'is', null)
        .executeTakeFirst();
      return row && toLink(row);
    },
    async remove(id, accountId) {
      const removed = await db
        .deleteFrom('read_links')
        .where('id', '=', id)
        .where('account_id', '=', accountId)
        .returning('id')
        .executeTakeFirst();
      return removed !== undefined;
    },
    async noteUse(id, at) {
      await db.updateTable('read_links').set({ last_used_at: at, uses: sql`uses + 1` }).where('id', '=', id).execute();
    },
  };
}

const toLink = (row: Selectable<LinkTable>): StoredLink => ({
  id: row.id,
  accountId: row.account_id,
  name: row.name,
  path: row.path,
  format: row.format,
  scopes: JSON.parse(row.scopes),
  createdAt: row.created_at,
  expiresAt: row.expires_at,
  lastUsedAt: row.last_used_at,
  uses: Number(row.uses),
});
