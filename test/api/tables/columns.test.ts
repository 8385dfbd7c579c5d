import { readFileSync, writeFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { expect, it } from 'vitest';
import { z } from 'zod';
import { describeColumn } from '../../../src/api/calls/operation/column-descriptions.ts';
import { answerTable, jsonText } from '../../../src/api/calls/operation/table.ts';
import { operations } from '../../../src/api/operations/index.ts';

const FILE = resolve(import.meta.dirname, 'columns.golden.json');
const ANEW = 'UPDATE_COLUMNS=1 npx vitest run --project unit test/api/tables/columns.test.ts';

const present = Object.fromEntries(
  operations.flatMap(({ name, table }) =>
    table ? [[name, table.columns.map((column) => `${column.name}: ${column.type}`)]] : [],
  ),
);

it('columns keep their places: a later version adds some at the end only', () => {
  const known = JSON.parse(readFileSync(FILE, 'utf8')) as Record<string, string[]>;
  for (const [name, columns] of Object.entries(known)) {
    expect(present[name]?.slice(0, columns.length), `the first columns of ${name}`).toEqual(columns);
  }
  if (process.env['UPDATE_COLUMNS']) writeFileSync(FILE, `${JSON.stringify(present, null, 2)}\n`);
  else expect(present, `there are new columns; write them down with ${ANEW}`).toEqual(known);
});

it('every column says what it holds', () => {
  const columns = operations.flatMap(({ table }) => table?.columns ?? []);
  expect(columns.filter(({ description }) => !/^[A-Z`].*\.$/.test(description))).toEqual([]);
});

it('a column that nobody described is an error, also one of a place beside statistics of places', () => {
  expect(describeColumn('venue_home_ppg', undefined)).toBe(
    'At home and away, or by surface: `home_ppg` of the statistics.',
  );
  for (const name of ['venue_state', 'venue_home', 'something'])
    expect(() => describeColumn(name, undefined)).toThrow(`the column ${name} has no description`);
});

it('nested objects are joined, arrays and open objects are JSON text, and what is absent is null', () => {
  const row = z.object({
    id: z.int(),
    team: z.object({ name: z.string().nullable() }).nullable(),
    period_scores: z.array(z.int()),
    data: jsonText,
    before: z.union([z.string(), z.object({ home: z.string() })]),
    at: z.string().meta({ format: 'date-time' }).optional(),
    is_active: z.boolean(),
    score: z.number().nullable(),
  });
  const table = answerTable(row, (answer: readonly z.infer<typeof row>[]) => answer);
  expect(table.columns.map(({ name, type }) => `${name} ${type}`)).toEqual([
    'id integer',
    'team_name text',
    'period_scores json',
    'data json',
    'before text',
    'at time',
    'is_active boolean',
    'score number',
  ]);
  const rows = table.rows([
    { id: 1, team: null, period_scores: [1, 2], data: { a: 1 }, before: { home: '3' }, is_active: true, score: 1.5 },
    {
      id: 2,
      team: { name: 'A' },
      period_scores: [],
      data: {},
      before: 'x',
      at: '2026-01-01T00:00:00Z',
      is_active: false,
      score: null,
    },
  ]);
  expect([...rows]).toEqual([
    [1, null, '[1,2]', '{"a":1}', '{"home":"3"}', null, true, 1.5],
    [2, 'A', '[]', '{}', 'x', '2026-01-01T00:00:00Z', false, null],
  ]);
});

it('two columns of one name, and a column that nothing describes, are errors of the definition', () => {
  const twice = answerTable(z.object({ team_id: z.int(), team: z.object({ id: z.int() }) }), () => []);
  expect(() => twice.columns).toThrow('two columns have one name');
  const unknown = answerTable(z.object({ unheard_of: z.int() }), () => []);
  expect(() => unknown.columns).toThrow('the column unheard_of has no description');
});
