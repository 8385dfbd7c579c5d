import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { maintainRowCount, type RowCountOptions } from '../../../src/platform/sqlite/row-count.ts';
import { openSqliteDatabase } from '../../../src/platform/sqlite/sqlite-database.ts';

const IDS = 6;
const value = fc.constantFrom(null, 0, 1);
const row = fc.record({ id: fc.nat(IDS), value });
const change = fc.oneof(
  row.map(({ id, value }) => ['INSERT INTO things (id, value) VALUES (?, ?) ON CONFLICT DO NOTHING', [id, value]]),
  row.map(({ id, value }) => [
    'INSERT INTO things (id, value) VALUES (?, ?) ON CONFLICT (id) DO UPDATE SET value = excluded.value',
    [id, value],
  ]),
  row.map(({ id, value }) => ['UPDATE things SET value = ? WHERE id = ?', [value, id]]),
  value.map((value) => ['UPDATE things SET value = ?', [value]]),
  fc.nat(IDS).map((id) => ['DELETE FROM things WHERE id = ?', [id]]),
  fc.constant(['DELETE FROM things', []]),
  fc.constant(['UPDATE things SET note = 1', []]),
) as fc.Arbitrary<[sql: string, values: unknown[]]>;
const step = fc.record({ change, undone: fc.boolean() });

describe.each<RowCountOptions['condition']>(['IS NOT NULL', 'IS 0'])('rows whose value %s', (condition) => {
  it('are counted with every change, over restarts, also those from before', () => {
    fc.assert(
      fc.property(fc.array(change), fc.array(step), ([...before], [...after]) => {
        const database = openSqliteDatabase({ file: ':memory:', synchronous: 'normal' });
        database.exec('CREATE TABLE things (id INTEGER PRIMARY KEY, value INTEGER, note INTEGER)');
        for (const [sql, values] of before) database.prepare(sql).run(values);
        const open = () => maintainRowCount(database, { name: 'some', table: 'things', column: 'value', condition });
        let read = open();
        for (const { change, undone } of after) {
          database.exec('BEGIN');
          database.prepare(change[0]).run(change[1]);
          database.exec(undone ? 'ROLLBACK' : 'COMMIT');
          const count = database.prepare(`SELECT count(*) FROM things WHERE value ${condition}`).raw();
          expect(read()).toBe((count.get() as [number])[0]);
          if (undone) read = open();
        }
        database.close();
      }),
    );
  });
});
