import type { StoredRename } from '../../platform/sql/stored-rename.ts';
import { inImmediateTransaction, type SqliteDatabase } from '../../platform/sqlite/sqlite-database.ts';
import { checksumNameOf, quotedName } from '../../platform/sqlite/table-checksums.ts';
import { isDerived } from '../backup/derived-tables.ts';
import type { FolderSchema } from './folder-schema.ts';
import { laterColumnOf } from './schema-changes.ts';

/** How the tables of a folder become those of the version before, with the rows that they hold now. */
export interface UndoPlan {
  /** In their order; none: the tables are those of the version before. */
  readonly statements: readonly string[];
  /** Why it cannot be; undefined: it can. */
  readonly problem: string | undefined;
  /** What the version before has no place for: whole tables, and columns that came later, by table. */
  readonly withoutPlace: ReadonlyMap<string, readonly string[] | 'all'>;
  /** Every name of a table that is touched. Their checksums are made anew. */
  readonly tables: readonly string[];
}

/** @param target the tables before the update */
export function planUndo(current: FolderSchema, target: FolderSchema, renames: readonly StoredRename[]): UndoPlan {
  const statements: string[] = [];
  const withoutPlace = new Map<string, readonly string[] | 'all'>();
  const touched = new Set<string>();
  const used = new Set<string>();
  const madeAnew = new Set<string>();
  let problem: string | undefined;
  // All or none: one table says how far another has come, and would be believed beside an empty one.
  const keepsDerived = Object.entries(target.tables).every(
    ([table, { columns }]) => !isDerived(table) || current.tables[table]?.columns.join() === columns.join(),
  );

  const same = (list: FolderSchema['others'], one: FolderSchema['others'][number]): boolean =>
    list.some(({ name, sql }) => name === one.name && sql === one.sql);
  // First, since a column cannot go while something stands on it.
  for (const one of current.others) {
    if (same(target.others, one)) continue;
    statements.push(`DROP ${one.type.toUpperCase()} ${quotedName(one.name)}`);
    // A number that nobody maintains would be believed by the next update.
    const counted = /^count_(\w+)_insert$/.exec(one.name)?.[1];
    const isKept = target.others.some(({ name }) => name === one.name);
    if (counted !== undefined && !isKept && target.tables['counted_rows'])
      statements.push(`DELETE FROM counted_rows WHERE name = '${counted}'`);
  }

  for (const [table, { sql, columns }] of Object.entries(target.tables)) {
    const rename = renames.find(({ from, to }) => from === table && to !== table);
    const hasBoth = rename && current.tables[rename.to] && current.tables[table];
    if (hasBoth)
      problem ??= `an earlier version has worked on the folder after its update: there are ${table} and ${rename.to}`;
    const now = current.tables[table] ? table : rename?.to;
    const found = now === undefined ? undefined : current.tables[now];
    if (found) used.add(now!);
    if (isDerived(table)) {
      if (keepsDerived) continue;
      // Folded again from the log.
      if (found) statements.push(`DROP TABLE ${quotedName(now!)}`);
      statements.push(sql);
      madeAnew.add(table);
      touched.add(table);
      continue;
    }
    if (!found) {
      problem ??= `the rows of ${table} are gone`;
      continue;
    }
    const change = (text: string): void => {
      statements.push(`ALTER TABLE ${quotedName(table)} ${text}`);
      touched.add(table).add(now!);
    };
    if (now !== table) {
      statements.push(`ALTER TABLE ${quotedName(now!)} RENAME TO ${quotedName(table)}`);
      touched.add(table).add(now!);
    }
    const kept = new Set<string>();
    for (const column of columns) {
      const later = found.columns.includes(column) ? column : laterColumnOf(table, column, renames);
      if (!found.columns.includes(later)) problem ??= `the column ${column} of ${table} is gone`;
      else if (later !== column) change(`RENAME COLUMN ${quotedName(later)} TO ${quotedName(column)}`);
      kept.add(later);
    }
    const added = found.columns.filter((column) => !kept.has(column));
    for (const column of added) change(`DROP COLUMN ${quotedName(column)}`);
    if (added.length > 0) withoutPlace.set(now!, added);
  }

  for (const table of Object.keys(current.tables)) {
    if (used.has(table)) continue;
    statements.push(`DROP TABLE ${quotedName(table)}`);
    touched.add(table);
    if (!isDerived(table)) withoutPlace.set(table, 'all');
  }
  for (const one of target.others) if (madeAnew.has(one.table) || !same(current.others, one)) statements.push(one.sql);
  return { statements, problem, withoutPlace, tables: [...touched] };
}

/**
 * Carries a plan out, whole or not at all.
 * @param hasChecksums whether the version before kept checksums
 * @throws what SQLite refuses
 */
export function undo(database: SqliteDatabase, { statements, tables }: UndoPlan, hasChecksums: boolean): void {
  // A table that goes takes no rows of others with it.
  database.exec('PRAGMA foreign_keys = OFF');
  inImmediateTransaction(database, () => {
    for (const statement of statements) database.exec(statement);
    if (!hasChecksums) database.exec('DROP TABLE IF EXISTS checksums');
    const forget = hasChecksums ? database.prepare('DELETE FROM checksums WHERE name = ?') : undefined;
    for (const table of tables) forget?.run([checksumNameOf(table)]);
  });
}
