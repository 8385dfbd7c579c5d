import type { StoredRename } from '../../platform/sql/stored-rename.ts';
import type { FolderSchema } from './folder-schema.ts';

/** What a migration does to one table. */
export interface SchemaChange {
  readonly table: string;
  readonly change: 'created' | 'renamed' | 'columns added' | 'columns renamed' | 'removed';
  /** The former name, or the names of the columns. */
  readonly names: readonly string[];
}

/** The table of the later schema that holds the rows of `table` of the earlier one; undefined: none does. */
export function laterNameOf(table: string, later: FolderSchema, renames: readonly StoredRename[]): string | undefined {
  if (later.tables[table]) return table;
  const to = renames.find(({ from }) => from === table)?.to;
  return to !== undefined && later.tables[to] ? to : undefined;
}

/** The later name of a column. */
export const laterColumnOf = (table: string, column: string, renames: readonly StoredRename[]): string =>
  renames.find(({ from }) => from === table)?.columns?.[column] ?? column;

/** What differs between the tables of two schemas, in the order of the later one. */
export function schemaChanges(
  earlier: FolderSchema,
  later: FolderSchema,
  renames: readonly StoredRename[],
): readonly SchemaChange[] {
  const changes: SchemaChange[] = [];
  const formerNames = new Map<string, string>();
  for (const table of Object.keys(earlier.tables)) {
    const to = laterNameOf(table, later, renames);
    if (to === undefined) changes.push({ table, change: 'removed', names: [] });
    else formerNames.set(to, table);
  }
  for (const [table, { columns }] of Object.entries(later.tables)) {
    const former = formerNames.get(table);
    if (former === undefined) {
      changes.push({ table, change: 'created', names: [] });
      continue;
    }
    if (former !== table) changes.push({ table, change: 'renamed', names: [former] });
    const before = earlier.tables[former]!.columns;
    const renamed = before.filter((column) => {
      const name = laterColumnOf(former, column, renames);
      return name !== column && columns.includes(name) && !columns.includes(column);
    });
    if (renamed.length > 0) changes.push({ table, change: 'columns renamed', names: renamed });
    const known = new Set(
      before.map((column) => (renamed.includes(column) ? laterColumnOf(former, column, renames) : column)),
    );
    const added = columns.filter((column) => !known.has(column));
    if (added.length > 0) changes.push({ table, change: 'columns added', names: added });
  }
  return changes;
}
