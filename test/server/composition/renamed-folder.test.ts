import { beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import { createBillingStoreTables } from '../../../src/accounts/billing/sql/sql-billing-stores.ts';
import { openSqliteResultsStore } from '../../../src/forecasting/learning/sqlite-results-store.ts';
import { SqlIdentities } from '../../../src/ingest/identities/sql/sql-identities.ts';
import { openSqliteDatabase, type SqliteDatabase } from '../../../src/platform/sqlite/sqlite-database.ts';
import { openRegistry } from '../../../src/server/composition/registry.ts';
import { temporaryFolder } from '../../event-log/temporary-folder.ts';
import { storedIn } from '../../forecasting/learning/stored-results.ts';
import { FORMER_NAMES } from './former-names.ts';

const folder = temporaryFolder();
let files = 0;

const ROWS = `
  insert into id_counters values ('event', 6);
  insert into named_sources values ('real');
  insert into external_ids (key, id, swapped, owner, bound_at) values
    ('event||real|x', 5, 1, 'event||real|#5', 1000), ('event||real|y', 4, 0, 'event||real|#4', null);
  insert into quarantine (fingerprint, message, reason, received_at, awaited, accepted, throttle_ms, code, group_id, kind) values
    ('m1', '{"source":"real"}', 'why', '2026-01-01T00:00:00Z', '["event|real|z"]', 1, 250, 'unknown_ref',
      'real event|real|z', 'undefined');
  insert into quarantine_keys values ('event|real|z', 'm1');
  insert into quarantine_counts values ('real', 'an event by its ref', 1, 1, 17);
  insert into quarantine_claims values ('m1', 'owner', 7);
  insert into background_jobs (id, kind, content, user_id, at) values (8, 'mail', '{}', 3, '2026-01-01T00:00:00Z');
  delete from background_jobs;
  insert into background_jobs (kind, content, user_id, at) values ('mail', '{}', 3, '2026-01-01T00:00:00Z');
  insert into charged_accounts values (3);
  insert into idempotency_records values (3, '/v1/things', 'k', 'hash', 'answer', 9);
  insert into forecast_results values (5, 'learnt', 'nba nba', 7);
  insert into forecast_results_up_to values (1, 'basis', '[["event-5","12"]]');
`;

/** As a server opens its folder. */
async function openAll(database: SqliteDatabase) {
  const registry = await openRegistry(database);
  await createBillingStoreTables(registry);
  const identities = await SqlIdentities.open(registry, undefined, { isSoleWriter: true });
  return { registry, identities, results: openSqliteResultsStore(database) };
}

/** All tables and indexes with their columns, and all rows. */
function contentsOf(database: SqliteDatabase) {
  const all = (query: string, ...given: unknown[]) => database.prepare(query).raw().all(given);
  const tables = all("select name from sqlite_master where type = 'table' order by name").flat() as string[];
  return {
    indexes: all("select name, tbl_name from sqlite_master where type = 'index' order by name"),
    tables: tables.map((name) => [
      name,
      all('select name, type, "notnull", pk from pragma_table_info(?)', name),
      all(`select * from ${name}`).sort(),
    ]),
  };
}

describe('a folder with the names that earlier versions stored', () => {
  let file: string;
  let fresh: ReturnType<typeof contentsOf>;
  const open = (readonly = false): SqliteDatabase => {
    const database = openSqliteDatabase({ file, readonly });
    onTestFinished(() => void database.close());
    return database;
  };
  const contents = () => contentsOf(open());

  beforeEach(async () => {
    file = folder.path(`renamed-${files++}.db`);
    const database = openSqliteDatabase({ file });
    await openAll(database);
    database.exec(ROWS);
    fresh = contentsOf(database);
    database.exec(FORMER_NAMES);
    database.close();
  });

  it('is the same as a fresh one, when it is opened, and when it is opened again', async () => {
    expect(contents()).not.toEqual(fresh);
    await openAll(open());
    expect(contents()).toEqual(fresh);
    const { identities, results } = await openAll(open());
    expect(contents()).toEqual(fresh);
    expect(await identities.findEvent('real', 'x')).toEqual({ id: 5, swapped: true });
    expect(await identities.listQuarantined(10)).toMatchObject([
      { fingerprint: 'm1', throttleMs: 250, accepted: true },
    ]);
    expect(await storedIn(results)).toEqual([{ id: 5, learnt: 'learnt', league: 'nba nba', lastAt: 7 }]);
    expect(await results.readSavedUpTo()).toEqual({ basis: 'basis', places: new Map([['event-5', 12n]]) });
  });

  it('gives no id twice', async () => {
    const { registry } = await openAll(open());
    const job = { kind: 'mail', content: '{}', user_id: null, at: '2026-01-02T00:00:00Z', taken_until: null };
    await registry.deleteFrom('background_jobs').execute();
    const { id } = await registry.insertInto('background_jobs').values(job).returning('id').executeTakeFirstOrThrow();
    expect(id).toBe(10);
  });

  it('is read under the new names, when it is opened for reading, and stays as it is', async () => {
    const before = contents();
    const registry = await openRegistry(open(true), true);
    const identities = await SqlIdentities.open(registry, undefined, { isReadonly: true });
    expect(await identities.findEvent('real', 'x')).toEqual({ id: 5, swapped: true });
    expect(await identities.listRefs([{ kind: 'event', scope: '', id: 5 }])).toEqual([
      [{ source: 'real', ref: 'x', swapped: true, boundAt: 1000 }],
    ]);
    expect(await identities.listQuarantined(10)).toMatchObject([{ fingerprint: 'm1', throttleMs: 250 }]);
    expect(await identities.findQuarantineKeys(['event|real|z'])).toEqual(new Set(['event|real|z']));
    const count = { source: 'real', waitsFor: 'an event by its ref', accepted: true, number: 1 };
    expect(await identities.countQuarantined()).toEqual([count]);
    expect(await registry.selectFrom('background_jobs').select('id').execute()).toEqual([{ id: 9 }]);
    expect(await registry.selectFrom('idempotency_records').select('key').execute()).toEqual([{ key: 'k' }]);
    expect(contents()).toEqual(before);
  });

  it('is finished by the next start, where one ended between the renaming and the indexes', async () => {
    await openRegistry(open());
    expect(contents()).not.toEqual(fresh);
    await openAll(open());
    expect(contents()).toEqual(fresh);
  });
});
