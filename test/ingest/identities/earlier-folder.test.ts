import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { SqlIdentities } from '../../../src/ingest/identities/sql/sql-identities.ts';
import { openSqliteDatabase, type SqliteDatabase } from '../../../src/platform/sqlite/sqlite-database.ts';
import { createSqliteRunner } from '../../../src/platform/sqlite/sqlite-runner.ts';
import { openRegistry, type RegistryDatabase } from '../../../src/server/composition/registry.ts';
import { temporaryFolder } from '../../event-log/temporary-folder.ts';
import { claim, mine } from './identities-kit.ts';

const folder = temporaryFolder();
let files = 0;

/** As the first version made and wrote them. */
const BEFORE = `
  create table id_counters (kind text primary key, next bigint not null);
  create table external_ids (key text primary key, id bigint not null, turned integer not null, owner text not null);
  create index external_ids_owner on external_ids (owner);
  create table names (key text not null, id bigint not null, constraint names_key primary key (key, id));
  create table fixtures (id bigint primary key, pair text, starts_at bigint not null, side_1 text not null,
    side_2 text not null);
  create index fixtures_pair on fixtures (pair);
  create index fixtures_side_1 on fixtures (side_1);
  create index fixtures_side_2 on fixtures (side_2);
  create table waiting (fingerprint text primary key, message text not null, reason text not null,
    received_at text not null, awaited text not null, accepted integer not null);
  create table waiting_keys (key text not null, fingerprint text not null);
  create index waiting_keys_fingerprint on waiting_keys (fingerprint);

  insert into id_counters values ('event', 6), ('team', 3);
  insert into external_ids values
    ('event||real|x|1', 5, 1, 'event||real|#5'), ('event||real|y', 4, 0, 'event||real|#4'),
    ('team|nfl|real|t', 1, 0, 'team|nfl|real|#1'), ('team|nfl|real_2|t', 2, 0, 'team|nfl|real_2|#2');
  insert into names values ('team|nfl|chiefs', 1), ('team|nfl|chiefs', 2);
  insert into fixtures values (5, 'team:1~team:2', 1000, 'team:1', 'team:2');
  insert into waiting values ('m1', '{"source":"real","text":1}', 'why', '2026-01-01T00:00:00Z',
    '["event|real|z","name|team|nfl|bills"]', 0);
  insert into waiting_keys values ('event|real|z', 'm1'), ('name|team|nfl|bills', 'm1');
`;

describe('identities of a folder that an earlier version wrote', () => {
  let file: string;
  const opened: RegistryDatabase[] = [];
  beforeEach(() => {
    file = folder.path(`${files++}.db`);
    const database = openSqliteDatabase({ file });
    database.exec(BEFORE);
    database.close();
  });
  afterEach(async () => {
    for (const registry of opened.splice(0)) await registry.destroy();
  });

  async function open(database: SqliteDatabase, isReadonly = false): Promise<SqlIdentities> {
    const registry = await openRegistry(database, isReadonly);
    opened.push(registry);
    return SqlIdentities.open(registry, createSqliteRunner(database), {
      isSoleWriter: !isReadonly,
      isReadonly,
      now: () => 5000,
    });
  }

  it('are found, when it is opened', async () => {
    const identities = await open(openSqliteDatabase({ file }));
    expect(await identities.findEvent('real', 'x|1')).toEqual({ id: 5, swapped: true });
    expect(await identities.findByName('team', 'nfl', 'chiefs')).toEqual([1, 2]);
    expect(await identities.findFixtures('team:1~team:2')).toEqual([
      { id: 5, startsAt: 1000, sides: ['team:1', 'team:2'] },
    ]);
    expect(await identities.allocate('event')).toEqual([6]);
    expect(await identities.countAllocated('event')).toBe(5);
    expect(await identities.findQuarantineKeys(['event|real|z', 'event|real|y'])).toEqual(new Set(['event|real|z']));
    const [waiting] = await claim(identities, 'name|team|nfl|bills', mine);
    expect(waiting).toMatchObject({ fingerprint: 'm1', message: { source: 'real', text: 1 } });
    await identities.confirmClaimed();
    expect(await identities.listQuarantined(10)).toEqual([]);
  });

  it('tell how many messages wait, to be written and to be read, and that all they wait for is untried', async () => {
    const numbers = [{ source: 'real', waitsFor: 'an event by its ref', accepted: false, number: 1 }];
    const read = await open(openSqliteDatabase({ file, readonly: true }), true);
    expect(await read.countQuarantined()).toEqual(numbers);
    const identities = await open(openSqliteDatabase({ file }));
    expect(await identities.countQuarantined()).toEqual(numbers);
    expect(await identities.listUntriedKeys(null, 10)).toEqual(['event|real|z', 'name|team|nfl|bills']);
    await identities.confirmClaimed();
    expect(await identities.listUntriedKeys(null, 10)).toEqual([]);
  });

  it('tell what waits by source and ref, to be written and to be read', async () => {
    const group = { id: 'real event|real|z', messages: 1, oldest: { fingerprint: 'm1', code: 'unknown_ref' } };
    const read = await open(openSqliteDatabase({ file, readonly: true }), true);
    expect(await read.listWaitingGroups(null, 10)).toMatchObject([group]);
    const identities = await open(openSqliteDatabase({ file }));
    expect(await identities.listWaitingGroups(null, 10)).toMatchObject([group]);
  });

  it('tell which sources have named something, also those whose names differ by a sign that LIKE takes for any', async () => {
    const identities = await open(openSqliteDatabase({ file }));
    expect(await identities.hasOtherSources('real')).toBe(true);
    const database = openSqliteDatabase({ file });
    expect(database.prepare('select source from named_sources order by source').raw().all()).toEqual([
      ['real'],
      ['real_2'],
    ]);
    database.close();
  });

  it('tell the refs of things, of which nobody knows since when, and of new ones since when', async () => {
    for (const time of ['first', 'second']) {
      const identities = await open(openSqliteDatabase({ file }));
      await identities.bindEvent('real', 'x|1', { id: 5, swapped: true });
      await identities.bindEvent('other', 'z', { id: 5, swapped: false });
      await identities.flush();
      const all = await identities.listRefs([{ kind: 'event', scope: '', id: 5 }]);
      expect([time, all]).toEqual([
        time,
        [
          [
            { source: 'other', ref: 'z', swapped: false, boundAt: 5000 },
            { source: 'real', ref: 'x|1', swapped: true, boundAt: null },
          ],
        ],
      ]);
    }
  });

  it('of one source alone, then nobody else has fed it', async () => {
    const database = openSqliteDatabase({ file });
    database.exec("delete from external_ids where key like '%real_2%'");
    const identities = await open(database);
    expect(await identities.hasOtherSources('real')).toBe(false);
    expect(await identities.hasOtherSources('demo')).toBe(true);
  });

  it('are read, when it is opened for reading, and nothing is made', async () => {
    const identities = await open(openSqliteDatabase({ file, readonly: true }), true);
    expect(await identities.findEvent('real', 'y')).toEqual({ id: 4, swapped: false });
    expect(await identities.listQuarantined(10)).toHaveLength(1);
  });
});
