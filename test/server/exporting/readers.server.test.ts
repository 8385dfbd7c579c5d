import { cpSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { dayOfSport } from '../../api/openapi/day-of-sport.ts';
import { hasPython, pythonVenv } from '../../support/python-venv.ts';
import { temporaryFolder } from '../cli/launching.ts';
import { filesIn, type Row, readTable } from './exported-tables.ts';
import { exportingServer } from './exporting-server.ts';

const MINUTES = 60_000;
const NOW = Date.parse('2026-03-01T12:00:00Z');
const PROGRAM = join(import.meta.dirname, 'read_exports.py');
const ROOT = resolve(import.meta.dirname, '../../..');
const venv = pythonVenv('exports', join(import.meta.dirname, 'requirements.txt'));

const TABLES = [
  {
    what: 'odds-history',
    columns: ['event_id', 'bookmaker', 'outcome', 'price_from', 'price_to', 'point_to', 'moved_at', 'league', 'year'],
    order: ['event_id', 'moved_at', 'outcome'],
    duckdb: [
      ...['BIGINT', 'VARCHAR', 'VARCHAR', 'BIGINT', 'BIGINT', 'DOUBLE', 'TIMESTAMP WITH TIME ZONE', 'VARCHAR'],
      'BIGINT',
    ],
    polars: [
      ...['Int64', 'String', 'String', 'Int64', 'Int64', 'Float64'],
      ...["Datetime(time_unit='ms', time_zone='UTC')", 'String', 'Int64'],
    ],
  },
  {
    what: 'events',
    columns: ['event_id', 'name', 'starts_at', 'neutral_site', 'home_score', 'home_is_winner', 'league', 'year'],
    order: ['event_id'],
    duckdb: [
      ...['BIGINT', 'VARCHAR', 'TIMESTAMP WITH TIME ZONE', 'BOOLEAN', 'VARCHAR', 'BOOLEAN', 'VARCHAR', 'BIGINT'],
    ],
    polars: [
      ...['Int64', 'String', "Datetime(time_unit='ms', time_zone='UTC')", 'Boolean', 'String', 'Boolean', 'String'],
      'Int64',
    ],
  },
] as const;

describe.skipIf(!hasPython('readers of exports'))('DuckDB, pandas and Polars', () => {
  beforeAll(venv.install, 10 * MINUTES);

  it.each(TABLES)('read $what as one table', async ({ what, columns, order, duckdb, polars }) => {
    const server = await exportingServer(NOW);
    try {
      await server.feed(dayOfSport(NOW));
      const folder = await server.export(what);
      expect(filesIn(folder).length).toBeGreaterThan(3);
      const rows = await readTable(folder);
      const args = [PROGRAM, join(folder, '..'), what, columns.join(), order.join()];
      const told = JSON.parse(await venv.run('python', args, { timeout: MINUTES }));

      const sorted = [...rows].sort((a, b) => compare(a, b, order));
      const expected = sorted.map((row) => columns.map((column) => row[column]!));
      for (const reader of ['duckdb', 'pandas', 'polars']) {
        expect([reader, (told[reader] as unknown[][]).map((row) => row.map(textOf))]).toEqual([reader, expected]);
      }
      expect(told.types.duckdb).toEqual(duckdb);
      expect(told.types.polars).toEqual(polars);
      expect(told.types.pandas[columns.findIndex((name) => name.endsWith('_at'))]).toBe('datetime64[ms, UTC]');
    } finally {
      await server.close();
    }
  });

  it('read what docs/tables.md shows', async () => {
    const page = readFileSync(join(ROOT, 'docs/tables.md'), 'utf8');
    const [, program] = /```python\n(.*?)```/s.exec(page)!;
    const folder = temporaryFolder();
    const server = await exportingServer(NOW);
    try {
      await server.feed(dayOfSport(NOW));
      for (const what of ['odds-history', 'results'] as const) {
        const made = await server.export(what);
        cpSync(made, join(folder, 'tables', what), { recursive: true });
      }
      await venv.run('python', ['-c', program!], { cwd: folder, timeout: MINUTES });
    } finally {
      await server.close();
    }
  });
});

function compare(a: Row, b: Row, order: readonly string[]): number {
  for (const name of order) {
    const [one, other] = [a[name]!, b[name]!];
    const difference = name === 'event_id' ? Number(one) - Number(other) : one < other ? -1 : one > other ? 1 : 0;
    if (difference !== 0) return difference;
  }
  return 0;
}

/** As CSV has it. */
function textOf(value: unknown): string {
  if (typeof value === 'string') return value.replace(/^([\dT:-]{19})\.000Z$/, '$1Z');
  return value === null ? '' : String(value);
}
