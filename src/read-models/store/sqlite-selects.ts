import type { StoredValue } from './document-layout.ts';
import type { Select } from './sqlite-query.ts';

export type RawRow = readonly [
  place: StoredValue | bigint,
  id: bigint | null,
  key: string,
  body: string,
  position: bigint,
];

/** A power of two: so few sizes that all their statements stay prepared. */
const MOST_TOGETHER = 16;

/**
 * What each of the SELECTs finds. To ask takes longer than to find a few rows by an index, so those of the same form are
 * asked with one statement.
 * @param rows runs one statement
 */
export function askTogether(
  selects: readonly Select[],
  rows: (sql: string, params: readonly unknown[]) => readonly any[],
): ReadonlyMap<Select, readonly RawRow[]> {
  const found = new Map<Select, RawRow[]>(selects.map((select) => [select, []]));
  for (const alike of bySql(selects)) {
    for (let at = 0, size: number; at < alike.length; at += size) {
      size = Math.min(MOST_TOGETHER, 2 ** Math.floor(Math.log2(alike.length - at)));
      const some = alike.slice(at, at + size);
      if (size === 1) found.set(some[0]!, rows(some[0]!.sql, some[0]!.params) as RawRow[]);
      else for (const row of rows(...union(some))) found.get(some[Number(row[5])]!)!.push(row);
    }
  }
  return found;
}

function bySql(selects: readonly Select[]): Iterable<readonly Select[]> {
  const groups = new Map<string, Select[]>();
  for (const select of selects) {
    const group = groups.get(select.sql);
    if (group) group.push(select);
    else groups.set(select.sql, [select]);
  }
  return groups.values();
}

/** Each row ends with the place of its SELECT among these. */
function union(selects: readonly Select[]): readonly [sql: string, params: readonly unknown[]] {
  const sql = selects.map((select) => `SELECT *, ? FROM (${select.sql})`).join(' UNION ALL ');
  return [sql, selects.flatMap(({ params }, place) => [place, ...params])];
}
