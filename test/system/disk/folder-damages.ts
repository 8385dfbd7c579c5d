import { closeSync, openSync, readFileSync, statSync, truncateSync, writeFileSync, writeSync } from 'node:fs';
import { databaseFile } from '../../../src/platform/data-folder/folder-paths.ts';
import { openSqliteDatabase, type SqliteDatabase } from '../../../src/platform/sqlite/sqlite-database.ts';
import { tablesOf } from '../../../src/platform/sqlite/table-checksums.ts';

/** Damages a folder at rest, as a disk, a bad copy or another program does. @returns what it has done */
export type Damage = (folder: string, random: () => number) => string;

const PAGE = 4096;
const below = (random: () => number, end: number): number => Math.floor(random() * end);
const noise = (random: () => number, bytes: number): Buffer =>
  Buffer.from(Array.from({ length: bytes }, () => below(random, 256)));

function overwrite(file: string, at: number, bytes: Uint8Array): void {
  const descriptor = openSync(file, 'r+');
  writeSync(descriptor, bytes, 0, bytes.length, at);
  closeSync(descriptor);
}

const onPage =
  (what: string, content: (random: () => number) => Buffer): Damage =>
  (folder, random) => {
    const file = databaseFile(folder);
    const page = below(random, statSync(file).size / PAGE);
    overwrite(file, page * PAGE, content(random));
    return `page ${page} ${what}`;
  };

const flippedByte: Damage = (folder, random) => {
  const file = databaseFile(folder);
  const at = below(random, statSync(file).size);
  const before = readFileSync(file)[at]!;
  const after = before ^ (1 << below(random, 8));
  overwrite(file, at, Uint8Array.of(after));
  return `byte ${at} ${before} -> ${after}`;
};

function withDatabase<T>(folder: string, work: (database: SqliteDatabase) => T): T {
  const database = openSqliteDatabase({ file: databaseFile(folder), synchronous: 'normal' });
  try {
    return work(database);
  } finally {
    database.exec('PRAGMA wal_checkpoint(TRUNCATE)');
    database.close();
  }
}

/** A row of any table that has one. */
function pickRow(database: SqliteDatabase, random: () => number) {
  const filled = tablesOf(database).filter((table) => database.prepare(`SELECT 1 FROM "${table}" LIMIT 1`).get());
  const table = filled[below(random, filled.length)]!;
  const [rows] = database.prepare(`SELECT count(*) FROM "${table}"`).raw().get() as [number];
  const offset = below(random, rows);
  const columns = database.prepare(`SELECT name FROM pragma_table_info('${table}')`).raw().all().flat() as string[];
  const row = database.prepare(`SELECT * FROM "${table}" LIMIT 1 OFFSET ${offset}`).raw().get() as unknown[];
  // By its values: not every table has row numbers.
  const where = columns.map((column) => `"${column}" IS ?`).join(' AND ');
  return { table, columns, row, where };
}

function changedValue(value: unknown, random: () => number): unknown {
  if (typeof value === 'number') return value + 1 + below(random, 9);
  if (typeof value !== 'string' || value === '') return 'x';
  const at = below(random, value.length);
  const code = value.charCodeAt(at);
  return value.slice(0, at) + String.fromCharCode(code === 0x31 ? 0x32 : 0x31) + value.slice(at + 1);
}

const changedRow: Damage = (folder, random) =>
  withDatabase(folder, (database) => {
    database.exec('PRAGMA foreign_keys = OFF');
    for (;;) {
      const { table, columns, row, where } = pickRow(database, random);
      const column = below(random, columns.length);
      const value = changedValue(row[column], random);
      try {
        database.prepare(`UPDATE "${table}" SET "${columns[column]}" = ? WHERE ${where}`).run([value, ...row]);
        return `${table}.${columns[column]} ${JSON.stringify(row[column])} -> ${JSON.stringify(value)}`.slice(0, 300);
      } catch {
        // A constraint forbids this one.
      }
    }
  });

const deletedRow: Damage = (folder, random) =>
  withDatabase(folder, (database) => {
    database.exec('PRAGMA foreign_keys = OFF');
    const { table, row, where } = pickRow(database, random);
    database.prepare(`DELETE FROM "${table}" WHERE ${where}`).run(row);
    return `a row of ${table} deleted`;
  });

const FILES = ['ledgerline.db', 'key-pepper.secret', 'session-secret.secret', 'clock.json', 'charges-1.journal'];

const onFile: Damage = (folder, random) => {
  const name = FILES[below(random, FILES.length)]!;
  const file = `${folder}/${name}`;
  const { size } = statSync(file);
  const to = below(random, size);
  switch (below(random, 3)) {
    case 0:
      truncateSync(file, to);
      return `${name} cut to ${to} of ${size} bytes`;
    case 1:
      writeFileSync(file, '');
      return `${name} emptied`;
    default:
      writeFileSync(file, noise(random, size).toString('base64').slice(0, size));
      return `${name} replaced`;
  }
};

/** Of what is written in it: after the last entry it holds zeros. */
const journalLine: Damage = (folder, random) => {
  const file = `${folder}/charges-1.journal`;
  const written = readFileSync(file).indexOf(0);
  const at = below(random, written);
  const before = readFileSync(file)[at]!;
  overwrite(file, at, Uint8Array.of(before === 0x37 ? 0x38 : 0x37));
  return `byte ${at} of the journal`;
};

export const DAMAGES: readonly Damage[] = [
  onPage('is noise', (random) => noise(random, PAGE)),
  onPage('is zeros', () => Buffer.alloc(PAGE)),
  flippedByte,
  changedRow,
  deletedRow,
  onFile,
  journalLine,
];
