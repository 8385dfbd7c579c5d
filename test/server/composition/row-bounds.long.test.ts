import { existsSync, mkdirSync } from 'node:fs';
import { DummyDriver, Kysely, PostgresAdapter, PostgresIntrospector, PostgresQueryCompiler } from 'kysely';
import { afterEach, describe, expect, it } from 'vitest';
import { MAX_REVOKED_KEYS } from '../../../src/accounts/keys/sql-key-creation.ts';
import { databaseFile } from '../../../src/platform/data-folder/folder-paths.ts';
import { openSqliteDatabase } from '../../../src/platform/sqlite/sqlite-database.ts';
import { REGISTRY_MIGRATIONS } from '../../../src/server/cluster/registry-migrations.ts';
import { temporaryFolder } from '../../event-log/temporary-folder.ts';
import { type Composed, composed } from '../../support/composed.ts';
import { EMBEDDED_BOUNDS, REGISTRY_BOUNDS } from './row-bounds.ts';

const folder = temporaryFolder();

/** The tables of a new data folder. */
async function tablesOfFolder(): Promise<readonly string[]> {
  const path = folder.path('folder');
  mkdirSync(path, { recursive: true });
  const server = await composed({ folder: path });
  await server.core.runner.start();
  await server.core.projected();
  await server.close();
  const database = openSqliteDatabase({ file: databaseFile(path), readonly: true });
  const names = database.prepare("SELECT name FROM sqlite_master WHERE type = 'table'").raw().all().flat() as string[];
  database.close();
  return names;
}

/** The tables of a new cluster's registry, by the statements that make and rename them. */
async function tablesOfCluster(): Promise<readonly string[]> {
  const names = new Set<string>(['schema_versions']);
  const db = new Kysely<any>({
    dialect: {
      createAdapter: () => new PostgresAdapter(),
      createDriver: () => new DummyDriver(),
      createIntrospector: (one) => new PostgresIntrospector(one),
      createQueryCompiler: () => new PostgresQueryCompiler(),
    },
    log({ query }) {
      const made = /^\s*create table (?:if not exists )?"?(\w+)"?/i.exec(query.sql);
      if (made) names.add(made[1]!);
      const renamed = /^\s*alter table "?(\w+)"? rename to "?(\w+)"?/i.exec(query.sql);
      if (renamed && names.delete(renamed[1]!)) names.add(renamed[2]!);
    },
  });
  for (const { steps } of REGISTRY_MIGRATIONS) for (const step of steps) await step(db);
  return [...names];
}

/** The tables of projections: their rows are documents, which follow from the log. */
const isOfProjection = (table: string) => /^(doc|index|text)_/.test(table);

describe('which table grows by a request without a bound?', () => {
  it('none of a data folder: each has a bound, or is a read model of the log', async () => {
    const known = { ...REGISTRY_BOUNDS, ...EMBEDDED_BOUNDS };
    const tables = await tablesOfFolder();
    expect(tables.length).toBeGreaterThan(40);
    expect(tables.filter((table) => !Object.hasOwn(known, table) && !isOfProjection(table))).toEqual([]);
  });

  it('none of a cluster: each table of its registry has a bound', async () => {
    const tables = await tablesOfCluster();
    expect(tables.length).toBeGreaterThan(40);
    expect(tables.filter((table) => !Object.hasOwn(REGISTRY_BOUNDS, table))).toEqual([]);
  });

  it('no bound is of a table that is gone, and the test that drives a number is there', async () => {
    const tables = new Set([...(await tablesOfFolder()), ...(await tablesOfCluster())]);
    const known = { ...REGISTRY_BOUNDS, ...EMBEDDED_BOUNDS };
    expect(Object.keys(known).filter((table) => !tables.has(table))).toEqual([]);
    for (const bound of Object.values(known)) {
      if (bound.drivenBy !== undefined) expect(existsSync(bound.drivenBy), bound.drivenBy).toBe(true);
    }
  });
});

describe('past the bound', () => {
  let server: Composed;
  afterEach(() => server.close());

  it('revoked keys of an account go, the oldest first', async () => {
    server = await composed();
    const registry = await server.registry();
    const { key, record } = await server.newKey();
    const { accountId } = record;
    const revoked = {
      account_id: accountId,
      name: 'old',
      hash: 'h',
      scopes: '["all"]',
      created_at: '',
      revoked_at: '2020',
    };
    const rows = Array.from({ length: MAX_REVOKED_KEYS + 50 }, (_, n) => ({ ...revoked, prefix: `p${n}` }));
    for (let at = 0; at < rows.length; at += 100)
      await registry
        .insertInto('api_keys')
        .values(rows.slice(at, at + 100))
        .execute();
    const made = await fetch(`${server.url}/api/agent/keys`, {
      method: 'POST',
      headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
      body: JSON.stringify({ name: 'new' }),
    });
    expect(made.status).toBe(201);
    const kept = await registry
      .selectFrom('api_keys')
      .select('prefix')
      .where('revoked_at', '=', '2020')
      .orderBy('id')
      .execute();
    expect([kept.length, kept[0]!.prefix]).toEqual([MAX_REVOKED_KEYS, 'p50']);
  });

  it('a subscription is refused where the account has 1,000, ended ones included', async () => {
    server = await composed();
    const registry = await server.registry();
    const { key, record } = await server.newKey();
    const { accountId } = record;
    const create = () =>
      fetch(`${server.url}/v1/webhooks`, {
        method: 'POST',
        headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
        body: JSON.stringify({ url: 'https://93.184.215.14/1', event_types: ['score'] }),
      });
    expect((await create()).status).toBe(201);
    const [{ id, ...first }] = (await registry.selectFrom('webhook_subscriptions').selectAll().execute()) as [any];
    expect(first.account_id).toBe(accountId);
    const ended = Array.from({ length: 999 }, () => ({ ...first, is_active: 0, made_in: null }));
    for (let at = 0; at < ended.length; at += 50)
      await registry
        .insertInto('webhook_subscriptions')
        .values(ended.slice(at, at + 50))
        .execute();
    const refused = await create();
    expect(refused.status).toBe(403);
    expect(await refused.text()).toContain('subscriptions');
  });
});
