import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { ONE_PARTITION } from '../../../src/domain/event-sourcing/partition-of.ts';
import { openSqliteDatabase } from '../../../src/platform/sqlite/sqlite-database.ts';
import type { Query } from '../../../src/read-models/store/read-store.ts';
import { openSqliteStore, type SqliteStore } from '../../../src/read-models/store/sqlite/sqlite-store.ts';
import { readStoreContract } from '../read-store.contract.ts';
import { things } from '../toys.ts';

readStoreContract('sqlite', async () => openSqliteStore({ file: ':memory:' }));

describe('sqlite store: plans', () => {
  let store: SqliteStore;
  beforeEach(async () => {
    store = openSqliteStore({ file: ':memory:' });
    await store.prepare(things, 'v1');
  });
  afterEach(() => store.close());

  const order = (field: string, direction: 'asc' | 'desc' = 'asc') => ({ order: { field, direction }, limit: 10 });
  const cases: [string, Query, RegExp[]][] = [
    ['equality and order', { where: { name: 'a' }, ...order('rank') }, [/^SEARCH d USING INDEX \S+_0 \(f_name=\?\)$/]],
    [
      'equality and order after a place',
      { where: { name: 'a' }, ...order('rank', 'desc'), after: { value: 5, id: 1 } },
      [
        /^SEARCH d USING INDEX \S+ \(f_name=\? AND \(f_rank,id\)<\(\?,\?\)\)$/,
        /^SEARCH d .*\(f_name=\? AND f_rank=\?\)$/,
      ],
    ],
    [
      'one of and order',
      { where: { name: ['a', 'b'] }, ...order('rank') },
      [/^SEARCH d .*\(f_name=\?\)$/, /^SEARCH d .*\(f_name=\?\)$/],
    ],
    [
      'member and order',
      { where: { teams: 5 }, ...order('rank', 'desc') },
      [/^SEARCH s USING COVERING INDEX \S+_by_0_order \(value=\?\); SEARCH d USING INTEGER PRIMARY KEY \(rowid=\?\)$/],
    ],
    [
      'member, equality, range and order',
      { where: { teams: 5, name: 'a' }, range: { field: 'rank', from: 1, to: 2 }, ...order('rank') },
      [
        /^SEARCH s USING COVERING INDEX \S+_by_1_order \(value=\? AND f_name=\? AND f_rank>\? AND f_rank<\?\); SEARCH d/,
      ],
    ],
    [
      'member and order after a place',
      { where: { teams: 5 }, ...order('rank'), after: { value: 3, id: 9 } },
      [/^SEARCH s USING COVERING INDEX \S+_by_0_order \(value=\? AND \(f_rank,id\)>\(\?,\?\)\); SEARCH d/],
    ],
    [
      'range and order',
      { range: { field: 'rank', from: 1, to: 9 }, ...order('rank', 'desc') },
      [/^SEARCH d USING INDEX \S+_1 \(f_rank>\? AND f_rank<\?\)$/],
    ],
    [
      'range and order after a place: seeks to the place, not to the start of the range',
      { range: { field: 'rank', from: 1, to: 9 }, ...order('rank'), after: { value: 5, id: 1 } },
      [/^SEARCH d USING INDEX \S+_1 \(\(f_rank,id\)>\(\?,\?\) AND f_rank<\?\)$/],
    ],
    ['order', order('rank'), [/^SCAN d USING INDEX \S+_1$/]],
    [
      'order after a place',
      { ...order('rank'), after: { value: 5, id: 1 } },
      [/^SEARCH d .*\(\(f_rank,id\)>\(\?,\?\)\)$/],
    ],
    [
      'order after a place without a value',
      { ...order('rank'), after: { value: null, id: 1 } },
      [/^SEARCH d .*\(f_rank=\? AND id>\?\)$/, /^SEARCH d .*\(f_rank>\?\)$/],
    ],
    ['the order of keys after a place', { limit: 5, after: { value: null, id: 1 } }, [/^SEARCH d .*_id \(id>\?\)$/]],
  ];
  it.each(cases)('%s: walks an index in order', (_name, query, expected) => {
    const plans = store.explain('things', query);
    expect(plans).toHaveLength(expected.length);
    expected.forEach((plan, i) => {
      expect(plans[i]).toMatch(plan);
    });
  });
});

describe('sqlite store: beside another connection', () => {
  let folder: string;
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'ledgerline-store-'));
  });
  afterEach(() => rmSync(folder, { recursive: true }));

  it('keeps documents, and reads the build that another connection has made active', async () => {
    const file = join(folder, 'ledgerline.db');
    const server = openSqliteStore({ file });
    await server.prepare(things, 'v1');
    const commit = (generation: string, document: object) =>
      ({
        projection: 'things',
        generation: generation,
        partition: ONE_PARTITION,
        writes: [{ key: '1', document, position: 1n }],
        expected: null,
        checkpoint: 1n,
      }) as const;
    await server.commit([commit('v1', { name: 'old' })]);

    const command = openSqliteStore({ file });
    expect(await command.get('things', '1')).toMatchObject({ document: { name: 'old' } });
    await command.prepare(things, 'v1.1');
    await command.commit([commit('v1.1', { name: 'new' })]);
    await command.activate('things', 'v1.1');
    await command.drop('things', 'v1');
    await command.close();

    expect(await server.get('things', '1')).toMatchObject({ document: { name: 'new' } });
    await expect(
      server.commit([
        { projection: 'things', generation: 'v1', partition: ONE_PARTITION, writes: [], expected: 1n, checkpoint: 2n },
      ]),
    ).rejects.toMatchObject({ code: 'checkpoint_moved' });
    await server.close();
  });

  it('leaves a file of one partition as earlier servers have written it, and reads that without writing', async () => {
    const file = join(folder, 'ledgerline.db');
    const store = openSqliteStore({ file });
    await store.prepare(things, 'v1');
    const part = { projection: 'things', generation: 'v1', writes: [], expected: null, checkpoint: 7n };
    await store.commit([{ ...part, partition: ONE_PARTITION }]);
    await store.close();

    const database = openSqliteDatabase({ file, readonly: true });
    const tables = database.prepare("SELECT name FROM sqlite_master WHERE name LIKE 'projection%'").raw().all([]);
    expect(tables).toEqual([['projection_builds']]);
    expect(database.prepare('SELECT checkpoint FROM projection_builds').raw().all([])).toEqual([[7]]);
    const reader = openSqliteStore({ database });
    expect(await reader.checkpoint('things', 'v1', ONE_PARTITION)).toBe(7n);
    expect(await reader.checkpoint('things', 'v1', 'p1')).toBeNull();
    database.close();
  });
});
