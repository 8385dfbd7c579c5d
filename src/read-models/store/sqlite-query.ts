import type { FieldValue } from '../../domain/projection.ts';
import { checkFields, compareValues, type StoredValue, storedValue } from './document-layout.ts';
import type { Query } from './read-store.ts';
import { type BuildTables, column, type SideTable } from './sqlite-layout.ts';
import type { IdStretch } from './sqlite-text-search.ts';

/** A SELECT of (place in the order, id, key, body, position). */
export interface Select {
  readonly sql: string;
  readonly params: readonly (StoredValue | bigint)[];
}

interface Condition {
  readonly sql: string;
  readonly params: readonly StoredValue[];
}

/** More than this, and one statement that sorts is cheaper than many that need not. */
const MOST_BRANCHES = 32;

/**
 * A query as branches, whose answers are to be merged by place in the order, each branch a list of SELECTs whose
 * answers follow one another. Two things would keep SQLite from walking an index in order, and are taken apart here:
 * "one of" (a branch per value) and a keyset place among values that may be null (a SELECT for the null ones, one for the others).
 */
export function planQuery(tables: BuildTables, query: Query, stretch?: IdStretch): readonly (readonly Select[])[] {
  checkFields(tables.layout, query);
  return branches(query).map((where) => {
    const side = bestSide(tables, query, where);
    return selects(tables, query, where, side, stretch);
  });
}

type Where = ReadonlyMap<string, readonly StoredValue[]>;

function branches(query: Query): readonly Where[] {
  const where = new Map<string, readonly StoredValue[]>();
  for (const [field, wanted] of Object.entries(query.where ?? {})) {
    const values = new Set([wanted as FieldValue | readonly FieldValue[]].flat().map((value) => storedValue(value)));
    if (values.size === 0) return [];
    where.set(field, [...values]);
  }
  let result: Where[] = [where];
  for (const [field, values] of where) {
    if (values.length === 1 || result.length * values.length > MOST_BRANCHES) continue;
    result = result.flatMap((branch) => values.map((value) => new Map(branch).set(field, [value])));
  }
  return result;
}

/** The side table whose index is bound by most equalities, and then in the wanted order. */
function bestSide({ sides }: BuildTables, query: Query, where: Where): SideTable | undefined {
  let best: { side: SideTable; score: number } | undefined;
  for (const side of sides) {
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

function selects(
  tables: BuildTables,
  query: Query,
  where: Where,
  side: SideTable | undefined,
  stretch: IdStretch | undefined,
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
  // The tie-breakers of the table whose index gives the order; those of the other one would be sorted again.
  const owner = side && (!order || side.fields.includes(order.field)) ? 's' : 'd';
  const place = order ? name(order.field) : null;
  if (stretch) conditions.push(liesIn(`${owner}.id`, stretch));
  const direction = order?.direction === 'desc' ? 'DESC' : 'ASC';
  const sorted = [...(place ? [place] : []), `${owner}.id`, `${owner}.key`].map((one) => `${one} ${direction}`);

  return placeConditions(query, place, `${owner}.id`, name).map((rest) => {
    const all = [...conditions, ...rest];
    const filter = all.length > 0 ? ` WHERE ${all.map(({ sql }) => sql).join(' AND ')}` : '';
    return {
      sql: `SELECT ${place ?? 'NULL'}, d.id, d.key, d.body, d.position FROM ${from}${filter} ORDER BY ${sorted.join(', ')} LIMIT ?`,
      params: [...all.flatMap(({ params }) => params), query.limit],
    };
  });
}

function liesIn(id: string, stretch: IdStretch): Condition {
  if (stretch === 'without') return { sql: `${id} IS NULL`, params: [] };
  return { sql: `${id} > ? AND ${id} <= ?`, params: [stretch.above, stretch.upTo] };
}

function isOneOf(name: string, values: readonly StoredValue[]): Condition {
  const params = values.filter((value) => value !== null);
  const sql: string[] = [];
  if (params.length < values.length) sql.push(`${name} IS NULL`);
  if (params.length === 1) sql.push(`${name} = ?`);
  if (params.length > 1) sql.push(`${name} IN (${params.map(() => '?').join(', ')})`);
  return { sql: sql.length > 1 ? `(${sql.join(' OR ')})` : sql[0]!, params };
}

function hasMember({ sides }: BuildTables, field: string, values: readonly StoredValue[]): Condition {
  const { table } = sides.find(({ many }) => many === field)!;
  const { sql, params } = isOneOf('m.value', values);
  // Of many values the index tells the few documents; looking at each document for one of them would take all.
  if (values.length > 1) return { sql: `d.doc IN (SELECT m.doc FROM ${table} AS m WHERE ${sql})`, params };
  return { sql: `EXISTS (SELECT 1 FROM ${table} AS m WHERE m.doc = d.doc AND ${sql})`, params };
}

/** The range and the keyset place, as conditions of one or two SELECTs that follow one another. */
function placeConditions(
  query: Query,
  place: string | null,
  id: string,
  name: (field: string) => string,
): readonly (readonly Condition[])[] {
  const { after, order } = query;
  const range = rangeConditions(query, name);
  if (!after) return [range];
  if (!order || !place) return [[...range, { sql: `${id} > ?`, params: [after.id] }]];
  const sign = order.direction === 'desc' ? '<' : '>';
  const value = storedValue(after.value);
  const isNull = { sql: `${place} IS NULL`, params: [] };
  const notNull = { sql: `${place} IS NOT NULL`, params: [] };
  const sameValue = { sql: `${id} ${sign} ?`, params: [after.id] };
  const beyond = { sql: `(${place}, ${id}) ${sign} (?, ?)`, params: [value, after.id] };
  if (order.direction === 'desc') {
    if (value === null) return [[...range, isNull, sameValue]];
    // A range has no null in it, but its bounds may have been left out.
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
  let from = storedValue(range.from);
  let to = storedValue(range.to);
  // SQLite seeks by one lower and one upper bound. With both a range and a keyset place it would take the range's and
  // walk through all the pages before; so a bound that the place implies is left out.
  const at = storedValue(after?.value);
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
