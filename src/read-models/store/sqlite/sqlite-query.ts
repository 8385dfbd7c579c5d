import type { FieldValue } from '../../../domain/event-sourcing/projection.ts';
import { checkFields, compareValues, type StoredValue, toStoredValue } from '../document-layout.ts';
import type { Query } from '../read-store.ts';
import { column, type GenerationTables, type SideTable } from './sqlite-tables.ts';
import type { IdRange } from './sqlite-text-search.ts';

/** A SELECT of (value of the order field, id, key, body, position). */
export interface Select {
  readonly sql: string;
  readonly params: readonly (StoredValue | bigint)[];
}

interface Condition {
  readonly sql: string;
  readonly params: readonly StoredValue[];
}

/** With more branches, one statement that sorts is cheaper than many that need not sort. */
const MAX_BRANCHES = 32;

/**
 * A query as branches. The answers of the branches are merged in the order of the query; each branch is a list of
 * SELECTs whose answers follow one another. Two kinds of conditions keep SQLite from walking an index in order, and are
 * split here: "one of" (a branch per value), and a keyset position among values that may be null (a SELECT for null,
 * one for the others).
 */
export function planQuery(tables: GenerationTables, query: Query, range?: IdRange): readonly (readonly Select[])[] {
  checkFields(tables.layout, query);
  return branchesOf(query).map((where) => {
    const side = bestSideTable(tables, query, where);
    return selectsOf(tables, query, where, side, range);
  });
}

type Where = ReadonlyMap<string, readonly StoredValue[]>;

function branchesOf(query: Query): readonly Where[] {
  const where = new Map<string, readonly StoredValue[]>();
  for (const [field, wanted] of Object.entries(query.where ?? {})) {
    const values = new Set([wanted as FieldValue | readonly FieldValue[]].flat().map((value) => toStoredValue(value)));
    if (values.size === 0) return [];
    where.set(field, [...values]);
  }
  let result: Where[] = [where];
  for (const [field, values] of where) {
    if (values.length === 1 || result.length * values.length > MAX_BRANCHES) continue;
    result = result.flatMap((branch) => values.map((value) => new Map(branch).set(field, [value])));
  }
  return result;
}

/** The side table whose index has the most equality conditions, and then the wanted order. */
function bestSideTable({ sideTables }: GenerationTables, query: Query, where: Where): SideTable | undefined {
  let best: { side: SideTable; score: number } | undefined;
  for (const side of sideTables) {
    let bound = 0;
    while (bound < side.fields.length && where.get(side.fields[bound]!)?.length === 1) bound++;
    if (!side.fields.slice(0, bound).includes(side.many)) continue;
    const next = side.fields[bound];
    const sorted = next !== undefined && (next === query.order?.field || next === query.range?.field);
    const score = bound + (sorted ? 0.5 : 0) - (next !== undefined && !sorted ? 0.25 : 0);
    if (!best || score > best.score) best = { side, score };
  }
  return best?.side;
}

function selectsOf(
  tables: GenerationTables,
  query: Query,
  where: Where,
  side: SideTable | undefined,
  range: IdRange | undefined,
): readonly Select[] {
  const name = (field: string): string => {
    if (side?.many === field) return 's.value';
    return `${side?.fields.includes(field) ? 's' : 'd'}.${column(field)}`;
  };
  const conditions: Condition[] = [];
  for (const [field, values] of where) {
    if (tables.layout.fields[field] === 'many' && side?.many !== field)
      conditions.push(hasMember(tables, field, values));
    else conditions.push(isOneOf(name(field), values));
  }
  if (query.contains) {
    conditions.push({ sql: `instr(${name(query.contains.field)}, ?) > 0`, params: [query.contains.text] });
  }

  const { order } = query;
  const from = side
    ? `${side.table} AS s CROSS JOIN ${tables.documents} AS d ON d.doc = s.doc`
    : `${tables.documents} AS d`;
  // Use the tie-breakers of the table whose index gives the order: with the other table, SQLite would sort again.
  const owner = side && (!order || side.fields.includes(order.field)) ? 's' : 'd';
  const sortColumn = order ? name(order.field) : null;
  if (range) conditions.push(isInIdRange(`${owner}.id`, range));
  const direction = order?.direction === 'desc' ? 'DESC' : 'ASC';
  const sorted = [...(sortColumn ? [sortColumn] : []), `${owner}.id`, `${owner}.key`].map(
    (each) => `${each} ${direction}`,
  );

  return keysetConditions(query, sortColumn, `${owner}.id`, name).map((rest) => {
    const all = [...conditions, ...rest];
    const filter = all.length > 0 ? ` WHERE ${all.map(({ sql }) => sql).join(' AND ')}` : '';
    return {
      sql: `SELECT ${sortColumn ?? 'NULL'}, d.id, d.key, d.body, d.position FROM ${from}${filter} ORDER BY ${sorted.join(', ')} LIMIT ?`,
      params: [...all.flatMap(({ params }) => params), query.limit],
    };
  });
}

function isInIdRange(id: string, range: IdRange): Condition {
  if (range === 'without') return { sql: `${id} IS NULL`, params: [] };
  return { sql: `${id} > ? AND ${id} <= ?`, params: [range.above, range.upTo] };
}

function isOneOf(name: string, values: readonly StoredValue[]): Condition {
  const params = values.filter((value) => value !== null);
  const sql: string[] = [];
  if (params.length < values.length) sql.push(`${name} IS NULL`);
  if (params.length === 1) sql.push(`${name} = ?`);
  if (params.length > 1) sql.push(`${name} IN (${params.map(() => '?').join(', ')})`);
  return { sql: sql.length > 1 ? `(${sql.join(' OR ')})` : sql[0]!, params };
}

function hasMember({ sideTables }: GenerationTables, field: string, values: readonly StoredValue[]): Condition {
  const { table } = sideTables.find(({ many }) => many === field)!;
  const { sql, params } = isOneOf('m.value', values);
  // With several values, the index finds the few documents; a check of each document would read all of them.
  if (values.length > 1) return { sql: `d.doc IN (SELECT m.doc FROM ${table} AS m WHERE ${sql})`, params };
  return { sql: `EXISTS (SELECT 1 FROM ${table} AS m WHERE m.doc = d.doc AND ${sql})`, params };
}

/** The range and the keyset position, as conditions of one or two SELECTs that follow one another. */
function keysetConditions(
  query: Query,
  sortColumn: string | null,
  id: string,
  name: (field: string) => string,
): readonly (readonly Condition[])[] {
  const { after, order } = query;
  const range = rangeConditions(query, name);
  if (!after) return [range];
  if (!order || !sortColumn) return [[...range, { sql: `${id} > ?`, params: [after.id] }]];
  const sign = order.direction === 'desc' ? '<' : '>';
  const value = toStoredValue(after.value);
  const isNull = { sql: `${sortColumn} IS NULL`, params: [] };
  const notNull = { sql: `${sortColumn} IS NOT NULL`, params: [] };
  const sameValue = { sql: `${id} ${sign} ?`, params: [after.id] };
  const beyond = { sql: `(${sortColumn}, ${id}) ${sign} (?, ?)`, params: [value, after.id] };
  if (order.direction === 'desc') {
    if (value === null) return [[...range, isNull, sameValue]];
    // A range excludes null, but its bounds may have been left out.
    const bounded = query.range?.field === order.field && (query.range.from ?? query.range.to ?? null) !== null;
    return bounded
      ? [[...range, beyond]]
      : [
          [...range, beyond],
          [...range, isNull],
        ];
  }
  return value === null
    ? [
        [...range, isNull, sameValue],
        [...range, notNull],
      ]
    : [[...range, beyond]];
}

function rangeConditions({ range, order, after }: Query, name: (field: string) => string): Condition[] {
  if (!range) return [];
  const openFrom = range.exclusive === 'from' || range.exclusive === 'both';
  const openTo = range.exclusive === 'to' || range.exclusive === 'both';
  let from = toStoredValue(range.from);
  let to = toStoredValue(range.to);
  // SQLite seeks by one lower and one upper bound. With both a range and a keyset position it would use the range and
  // walk through all the pages before. So a bound that the keyset position implies is left out.
  const at = toStoredValue(after?.value);
  if (order && order.field === range.field && at !== null) {
    const implies = (comparison: number, open: boolean) => (open ? comparison > 0 : comparison >= 0);
    if (order.direction === 'asc' && from !== null && implies(compareValues(at, from), openFrom)) from = null;
    if (order.direction === 'desc' && to !== null && implies(compareValues(to, at), openTo)) to = null;
  }
  const conditions: Condition[] = [];
  if (from !== null) conditions.push({ sql: `${name(range.field)} ${openFrom ? '>' : '>='} ?`, params: [from] });
  if (to !== null) conditions.push({ sql: `${name(range.field)} ${openTo ? '<' : '<='} ?`, params: [to] });
  return conditions;
}

export type RawRow = readonly [
  sortColumn: StoredValue | bigint,
  id: bigint | null,
  key: string,
  body: string,
  position: bigint,
];

/** A power of two: few sizes, so that all their statements stay prepared. */
const MAX_SELECTS_PER_STATEMENT = 16;

/**
 * Runs the SELECTs. A call takes longer than finding a few rows by an index, so SELECTs with the same text share one
 * statement.
 * @param rows runs one statement
 */
export function runSelects(
  selects: readonly Select[],
  rows: (sql: string, params: readonly unknown[]) => readonly any[],
): ReadonlyMap<Select, readonly RawRow[]> {
  const found = new Map<Select, RawRow[]>(selects.map((select) => [select, []]));
  for (const alike of groupBySql(selects)) {
    for (let at = 0, size: number; at < alike.length; at += size) {
      size = Math.min(MAX_SELECTS_PER_STATEMENT, 2 ** Math.floor(Math.log2(alike.length - at)));
      const some = alike.slice(at, at + size);
      if (size === 1) found.set(some[0]!, rows(some[0]!.sql, some[0]!.params) as RawRow[]);
      else for (const row of rows(...unionOf(some))) found.get(some[Number(row[5])]!)!.push(row);
    }
  }
  return found;
}

function groupBySql(selects: readonly Select[]): Iterable<readonly Select[]> {
  const groups = new Map<string, Select[]>();
  for (const select of selects) {
    const group = groups.get(select.sql);
    if (group) group.push(select);
    else groups.set(select.sql, [select]);
  }
  return groups.values();
}

/** Each row ends with the index of its SELECT. */
function unionOf(selects: readonly Select[]): readonly [sql: string, params: readonly unknown[]] {
  const sql = selects.map((select) => `SELECT *, ? FROM (${select.sql})`).join(' UNION ALL ');
  return [sql, selects.flatMap(({ params }, sortColumn) => [sortColumn, ...params])];
}
