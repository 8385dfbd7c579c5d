import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { openSqliteDatabase, type SqliteDatabase } from '../../../src/platform/sqlite/sqlite-database.ts';
import { findChangedTable, keepTableChecksums } from '../../../src/platform/sqlite/table-checksums.ts';
import { cases } from '../../support/cases.ts';

let folder: string;
let opened: SqliteDatabase[];
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'ledgerline-sums-'));
  opened = [];
});
afterEach(() => {
  for (const one of opened) one.close();
  rmSync(folder, { recursive: true });
});

function open(name: string): SqliteDatabase {
  const database = openSqliteDatabase({ file: join(folder, name), synchronous: 'normal' });
  opened.push(database);
  return database;
}

const TABLES = `
  CREATE TABLE people (id INTEGER PRIMARY KEY, name TEXT, mail TEXT UNIQUE, photo BLOB);
  CREATE TABLE places (key TEXT PRIMARY KEY, size) WITHOUT ROWID;`;
const NAMES = ['people', 'places'];

const value = fc.oneof(fc.string({ unit: 'grapheme' }), fc.integer(), fc.double({ noNaN: true }), fc.constant(null));
const step = fc.oneof(
  fc.record({
    sql: fc.constant('INSERT OR REPLACE INTO people (id, name, mail) VALUES (?, ?, ?)'),
    given: fc.tuple(fc.nat(9), value, fc.constantFrom('a', 'b', 'c', null)),
  }),
  fc.record({
    sql: fc.constant('INSERT INTO people (id, name) VALUES (?, ?) ON CONFLICT DO UPDATE SET name = excluded.name'),
    given: fc.tuple(fc.nat(9), value),
  }),
  fc.record({
    sql: fc.constant('UPDATE people SET photo = ? WHERE id < ?'),
    given: fc.tuple(
      fc.uint8Array({ maxLength: 9 }).map((bytes) => Buffer.from(bytes)),
      fc.nat(9),
    ),
  }),
  fc.record({ sql: fc.constant('DELETE FROM people WHERE id > ?'), given: fc.tuple(fc.nat(9)) }),
  fc.record({
    sql: fc.constant('INSERT OR REPLACE INTO places VALUES (?, ?)'),
    given: fc.tuple(fc.constantFrom('x', 'y', 'z'), value),
  }),
  fc.record({ sql: fc.constant('DELETE FROM places WHERE key <> ?'), given: fc.tuple(fc.constantFrom('x', 'y')) }),
);
type Step = { readonly sql: string; readonly given: readonly unknown[] };

/** Some of it in a transaction that is undone. */
function write(database: SqliteDatabase, steps: readonly Step[], isUndone: boolean): void {
  database.exec('BEGIN');
  for (const { sql, given } of steps) database.prepare(sql).run(given as unknown[]);
  database.exec(isUndone ? 'ROLLBACK' : 'COMMIT');
}

const content = (database: SqliteDatabase) =>
  NAMES.map((name) => JSON.stringify(database.prepare(`SELECT * FROM ${name} ORDER BY 1`).raw().all()));
const changed = (database: SqliteDatabase) => NAMES.map((name) => findChangedTable(database, name));

describe('checksums of tables', () => {
  it('hold whatever their own connection writes, and name each table that anything else has changed', () => {
    let n = 0;
    const runs = fc.array(fc.tuple(fc.array(step, { maxLength: 6 }), fc.boolean()), { maxLength: 4 });
    fc.assert(
      fc.property(runs, fc.array(step, { minLength: 1, maxLength: 4 }), (own, foreign) => {
        const name = `${n++}.db`;
        const database = open(name);
        database.exec(TABLES);
        keepTableChecksums(database, NAMES);
        for (const [steps, isUndone] of own) write(database, steps, isUndone);
        expect(changed(database)).toEqual([null, null]);
        const before = content(database);
        // Another program, without the triggers.
        write(open(name), foreign, false);
        const after = content(database);
        NAMES.forEach((_, i) => {
          const found = changed(database)[i];
          if (before[i] === after[i]) expect(found).toBeNull();
          else expect(found).toContain(NAMES[i]);
        });
      }),
      { numRuns: cases(100) },
    );
  });

  it('stay right over restarts and new columns, and keep telling of a change that the next start has found there', () => {
    const database = open('one.db');
    database.exec(TABLES);
    keepTableChecksums(database, NAMES);
    database.prepare('INSERT INTO people (name) VALUES (?)').run(['Ann']);
    database.close();
    const again = open('one.db');
    keepTableChecksums(again, NAMES);
    again.exec('ALTER TABLE people ADD COLUMN city TEXT');
    expect(findChangedTable(again, 'people')).toBeUndefined();
    keepTableChecksums(again, NAMES);
    again.prepare('UPDATE people SET city = ?').run(['Oslo']);
    expect(changed(again)).toEqual([null, null]);
    again.close();
    const foreign = open('one.db');
    foreign.exec("UPDATE people SET name = 'Bob'");
    const last = open('one.db');
    keepTableChecksums(last, NAMES);
    last.exec("UPDATE people SET name = 'Cid'");
    expect(findChangedTable(last, 'people')).toContain('people');
    last.prepare("DELETE FROM checksums WHERE name = 'table people'").run();
    keepTableChecksums(last, NAMES);
    expect(changed(last)).toEqual([null, null]);
  });
});
