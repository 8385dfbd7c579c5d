import { sql } from 'kysely';
import { describe, expect, it, onTestFinished } from 'vitest';
import { postgresIdentities } from '../../../src/ingest/identities/sql/postgres-identities.ts';
import type { Migrations } from '../../../src/platform/postgres/migrations.ts';
import { openPostgres } from '../../../src/platform/postgres/open-postgres.ts';
import { registryMarkers } from '../../../src/server/cluster/registry-markers.ts';
import { REGISTRY_MIGRATIONS } from '../../../src/server/cluster/registry-migrations.ts';
import { postgresServer, withoutPostgres } from '../../platform/postgres/postgres-server.ts';

/** How many steps the version before had of the subjects that have been renamed since. */
const STEPS_BEFORE: Readonly<Record<string, number>> = {
  marks: 1,
  identities: 2,
  'billing-stores': 2,
  'remembered-answers': 1,
  people: 1,
};
const BEFORE: readonly Migrations[] = REGISTRY_MIGRATIONS.map(({ subject, steps }) => ({
  subject,
  steps: steps.slice(0, STEPS_BEFORE[subject] ?? steps.length),
}));

const ROWS = [
  `insert into marks values ('partitions', '12')`,
  `insert into id_counters values ('event', 6)`,
  `insert into external_ids (key, id, turned, owner, bound_at) values
    ('event||real|x', 5, 1, 'event||real|#5', 1000), ('event||real|y', 4, 0, 'event||real|#4', null)`,
  `insert into waiting (fingerprint, message, reason, received_at, awaited, accepted, sparing) values
    ('m1', '{"source":"real"}', 'why', '2026-01-01T00:00:00Z', '["event|real|z"]', 1, 250)`,
  `insert into waiting_keys values ('event|real|z', 'm1')`,
  `insert into waiting_numbers values ('real', 'an event by its ref', 1, 1)`,
  `insert into taken values ('m1', 'owner', 7)`,
  `insert into errands (kind, content, user_id, at) values ('mail', '{}', 3, '2026-01-01T00:00:00Z')`,
  `insert into charged_elsewhere values (3)`,
  `insert into remembered_answers values (3, '/v1/things', 'k', 'hash', 'answer', 9)`,
];

const NEW_NAMES: Readonly<Record<string, string>> = {
  marks: 'cluster_settings',
  waiting: 'quarantine',
  waiting_keys: 'quarantine_keys',
  waiting_numbers: 'quarantine_counts',
  taken: 'quarantine_claims',
  errands: 'background_jobs',
  charged_elsewhere: 'charged_accounts',
  remembered_answers: 'idempotency_records',
};

describe.skipIf(withoutPostgres !== '')(`a registry with the names of the version before ${withoutPostgres}`, () => {
  const server = postgresServer();

  async function written() {
    const url = await server.database();
    const open = (migrations: readonly Migrations[]) => {
      const postgres = openPostgres(url, { migrations, connections: 2 });
      onTestFinished(postgres.close);
      const run = async (statement: string) => (await sql.raw<any>(statement).execute(postgres.db)).rows;
      /** The values of all columns, in order. */
      const read = async (table: string) => (await run(`select * from ${table}`)).map((row) => Object.values(row));
      return { ...postgres, run, read };
    };
    const before = open(BEFORE);
    for (const row of ROWS) await before.run(row);
    return { before, open: () => open(REGISTRY_MIGRATIONS) };
  }

  it('has the same rows under the new names, also where processes start at once, and again', async () => {
    const { before, open } = await written();
    const rows = await Promise.all(Object.keys(NEW_NAMES).map(before.read));
    // A newer version counts the bytes of the messages as well, and knows why and in which group each one waits, and in
    // which order they began to wait for a key.
    const bytes = expect.toSatisfy((value) => Number(value) === '{"source":"real"}'.length);
    const more = new Map<string, unknown[]>([
      ['waiting_numbers', [bytes]],
      ['waiting_keys', [1]],
      ['waiting', ['unknown_ref', null, 'real event|real|z', 'undefined']],
    ]);
    const expected = Object.keys(NEW_NAMES).map((name, table) =>
      rows[table]!.map((row) => [...row, ...(more.get(name) ?? [])]),
    );
    const both = [open(), open()];
    await Promise.all(both.map(({ ping }) => ping()));
    for (const postgres of [...both, open()]) {
      const read = await Promise.all(Object.values(NEW_NAMES).map(postgres.read));
      expect(read).toEqual(expected);
      expect(rows.every(({ length }) => length === 1)).toBe(true);
      const identities = postgresIdentities(postgres, { now: () => 5000 });
      expect(await identities.findEvent('real', 'x')).toEqual({ id: 5, swapped: true });
      expect(await identities.listQuarantined(10)).toMatchObject([{ fingerprint: 'm1', throttleMs: 250 }]);
      expect(await registryMarkers(postgres).partitions.read()).toBe(12);
    }
    const indexes = await both[0]!.run('select indexname from pg_indexes where schemaname = current_schema()');
    const names: string[] = indexes
      .map(({ indexname }) => indexname)
      .filter((name) => !name.startsWith('waiting_coupons'));
    const former = Object.keys(NEW_NAMES);
    expect(names.filter((name) => former.some((table) => name.startsWith(`${table}_`)))).toEqual([]);
  });

  it('is read and written by a process of the version before as well', async () => {
    const { before, open } = await written();
    const after = open();
    await after.ping();
    const upsert = (column: string, value: number, key = 'event||real|x') =>
      `insert into external_ids (key, id, ${column}, owner, bound_at) values ('${key}', 5, ${value}, 'o', 1)
       on conflict (key) do update set id = excluded.id, ${column} = excluded.${column}, owner = excluded.owner`;
    const both = () => after.run(`select key, turned, swapped from external_ids order by key`);
    const expected = (x: number, z?: number) => [
      { key: 'event||real|x', turned: x, swapped: x },
      { key: 'event||real|y', turned: 0, swapped: 0 },
      ...(z === undefined ? [] : [{ key: 'event||real|z', turned: z, swapped: z }]),
    ];
    expect(await both()).toEqual(expected(1));
    await before.run(upsert('turned', 0));
    expect(await both()).toEqual(expected(0));
    await after.run(upsert('swapped', 1));
    expect(await both()).toEqual(expected(1));
    await before.run(upsert('turned', 1, 'event||real|z'));
    await after.run(upsert('swapped', 0, 'event||real|z'));
    expect(await both()).toEqual(expected(1, 0));
    await before.run(`update external_ids set turned = 0 where key = 'event||real|x'`);
    await after.run(`update external_ids set swapped = 1 where key = 'event||real|z'`);
    expect(await both()).toEqual(expected(0, 1));

    await before.run(`insert into waiting values ('m2', '{}', 'why', 'at', '[]', 0, 9)
      on conflict (fingerprint) do nothing returning fingerprint`);
    expect(await after.run(`select throttle_ms from quarantine where fingerprint = 'm2'`)).toEqual([
      { throttle_ms: 9 },
    ]);
    await before.run(`insert into taken values ('m1', 'other', 20) on conflict (fingerprint)
      do update set owner = excluded.owner, until = excluded.until where taken.until <= 8`);
    expect(await after.run('select owner from quarantine_claims')).toEqual([{ owner: 'other' }]);
    await before.run(`insert into waiting_numbers values ('real', 'an event by its ref', 1, 4)
      on conflict (source, waits_for, accepted) do update set number = waiting_numbers.number + excluded.number`);
    expect(await after.run('select number::int from quarantine_counts')).toEqual([{ number: 5 }]);
    const [job] = await before.run(`insert into errands (kind, content, at) values ('mail', '{}', 'at') returning id`);
    expect(await before.run('select id from errands order by id for update skip locked')).toHaveLength(2);
    await before.run(`delete from errands where id = ${job.id}`);
    expect(await after.read('background_jobs')).toHaveLength(1);
    await before.run(`delete from charged_elsewhere returning account_id`);
    expect(await after.read('charged_accounts')).toEqual([]);
    await before.run(`insert into remembered_answers values (3, '/v1/things', 'k', 'h', 'other', 9)
      on conflict (account_id, path, key) do update set answer = excluded.answer`);
    expect(await after.run('select answer from idempotency_records')).toEqual([{ answer: 'other' }]);
  });
});
