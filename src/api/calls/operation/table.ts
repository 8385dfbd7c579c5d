import { z } from 'zod';
import { describeColumn } from './column-descriptions.ts';
import { type JsonSchema, jsonSchemaOf } from './zod-json-schema.ts';

/** `time`: ISO 8601, UTC with a trailing Z. `json`: an array or an object as JSON text. */
export type ColumnType = 'text' | 'integer' | 'number' | 'boolean' | 'time' | 'json';

export interface Column {
  readonly name: string;
  readonly type: ColumnType;
  readonly description: string;
}

/** Null: the answer has null here, or no such member. */
export type Cell = string | number | boolean | null;

/** How the answers of an operation become rows: the same columns in the same order for every answer. */
export interface Table<Answer = any> {
  readonly columns: readonly Column[];
  /** The rows of one answer, with a cell for each column. Made from the answer alone; each row is made when asked for. */
  rows(answer: Answer): Iterable<readonly Cell[]>;
}

/** A member of a row that is one column of JSON text, whatever it holds. */
export const jsonText = z.record(z.string(), z.unknown());

/**
 * A table whose columns are the members of `row`, in its order. Nested objects are joined with `_`: `home.team.id` is
 * the column `home_team_id`. Arrays, and objects with any member, are one column each, of JSON text. Later versions add
 * columns at the end only, since spreadsheets refer to columns by place.
 * @param row schema of one row
 * @param rowsOf the rows of an answer
 */
export function answerTable<Answer, Row extends z.ZodObject>(
  row: Row,
  rowsOf: (answer: Answer) => Iterable<z.infer<Row>>,
): Table<Answer> {
  let known: readonly PlacedColumn[] | undefined;
  // Reading a schema takes milliseconds, so it waits until somebody asks for a table.
  const placed = (): readonly PlacedColumn[] => {
    known ??= placedColumns(jsonSchemaOf(row, 'output'));
    return known;
  };
  return {
    get columns() {
      return placed().map(({ column }) => column);
    },
    *rows(answer) {
      const columns = placed();
      for (const one of rowsOf(answer)) yield columns.map(({ path }) => cellAt(one, path));
    },
  };
}

interface PlacedColumn {
  readonly column: Column;
  /** Names of members, from the row on. */
  readonly path: readonly string[];
}

/** @throws Error if two columns have one name, or a column has no description */
function placedColumns(root: JsonSchema): readonly PlacedColumn[] {
  const columns = [...columnsIn(root, [], root)];
  const names = new Set(columns.map(({ column }) => column.name));
  if (names.size < columns.length) throw new Error(`two columns have one name: ${[...names].join(', ')}`);
  return columns;
}

function* columnsIn(schema: JsonSchema, path: readonly string[], root: JsonSchema): Generator<PlacedColumn> {
  const shape = resolved(schema, root);
  const { properties, additionalProperties } = shape;
  const isClosed = additionalProperties === undefined || additionalProperties === false;
  if (properties && isClosed) {
    for (const [name, member] of Object.entries(properties as Record<string, JsonSchema>)) {
      yield* columnsIn(member, [...path, name], root);
    }
    return;
  }
  const name = path.join('_');
  const description = describeColumn(name, (schema['description'] ?? shape['description']) as string | undefined);
  yield { column: { name, type: typeOf(shape), description }, path };
}

/** The schema that is referred to, and without null. */
function resolved(schema: JsonSchema, root: JsonSchema): JsonSchema {
  const { $ref, anyOf } = schema;
  if (typeof $ref === 'string') {
    const definitions = root['$defs'] as Record<string, JsonSchema>;
    return resolved(definitions[$ref.slice('#/$defs/'.length)]!, root);
  }
  if (!Array.isArray(anyOf)) return schema;
  const choices = (anyOf as readonly JsonSchema[]).filter(({ type }) => type !== 'null');
  return choices.length === 1 ? resolved(choices[0]!, root) : schema;
}

/** A choice of a text and objects is text: objects are shown as JSON. */
function typeOf({ type, format, anyOf }: JsonSchema): ColumnType {
  const types = [type, ...((anyOf ?? []) as readonly JsonSchema[]).map((choice) => choice['type'])].flat();
  if (types.includes('string')) return format === 'date-time' ? 'time' : 'text';
  for (const one of ['integer', 'number', 'boolean'] as const) if (types.includes(one)) return one;
  return 'json';
}

function cellAt(row: unknown, path: readonly string[]): Cell {
  let value = row;
  for (const name of path) {
    if (typeof value !== 'object' || value === null) return null;
    value = (value as Record<string, unknown>)[name];
  }
  if (value === undefined || value === null) return null;
  return typeof value === 'object' ? JSON.stringify(value) : (value as Cell);
}
