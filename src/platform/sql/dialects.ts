import { type ColumnDefinitionBuilder, CompiledQuery, type RawBuilder, sql } from 'kysely';
import type { Compilable } from './query-runner.ts';

/** The SQL types of values read from JSON. */
type JsonType = 'text' | 'integer' | 'real';

/** Column types. An integer holds milliseconds. */
interface ColumnTypes {
  readonly integer: 'integer' | 'bigint';
  readonly real: 'real' | 'double precision';
  /** For an `integer` that numbers the rows: increasing, and never reused. */
  readonly id: (column: ColumnDefinitionBuilder) => ColumnDefinitionBuilder;
}

/** The differences between the registry's databases. Everything else is written once. */
export interface SqlDialect {
  readonly name: 'sqlite' | 'postgres';
  readonly types: ColumnTypes;
  /**
   * Whether others may write during a transaction, which must then lock the rows it depends on. An SQLite transaction
   * has the whole file to itself.
   */
  readonly isShared: boolean;
  /**
   * The first queries of a transaction that depends on what it reads. Until the transaction ends, no other one has the
   * lock of this name, except that shared holders have it together. Empty if the transaction has the database to
   * itself. Later queries of the same step wait for the lock.
   */
  lock(name: string, how?: 'alone' | 'shared'): readonly Compilable<unknown>[];
  /** The highest id that a table has ever given, even if its row was deleted: one row, `seq`, or none. */
  lastId(table: string): RawBuilder<{ readonly seq: number }>;
  /** The members of a JSON array, as a subquery. */
  jsonValues<T>(json: string, type: JsonType): RawBuilder<T>;
  /** The objects of a JSON array, as a table in parentheses with these columns; `ord` is their order. */
  jsonRows(json: string, columns: Readonly<Record<string, JsonType>>): RawBuilder<unknown>;
}

export const SQLITE: SqlDialect = {
  name: 'sqlite',
  types: { integer: 'integer', real: 'real', id: (column) => column.primaryKey().autoIncrement() },
  isShared: false,
  lock: () => [],
  lastId: (table) => sql`select seq from sqlite_sequence where name = ${sql.lit(table)}`,
  jsonValues: (json) => sql`(select value from json_each(${json}))`,
  jsonRows(json, columns) {
    const values = Object.keys(columns).map(
      (name) => sql`json_extract(value, ${sql.lit(`$.${name}`)}) as ${sql.ref(name)}`,
    );
    return sql`(select ${sql.join(values)}, key as ord from json_each(${json}))`;
  },
};

const POSTGRES_TYPES = { text: sql`text`, integer: sql`bigint`, real: sql`double precision` } as const;

export const POSTGRES: SqlDialect = {
  name: 'postgres',
  types: {
    integer: 'bigint',
    real: 'double precision',
    // Rows that are moved here keep their ids.
    id: (column) => column.primaryKey().generatedByDefaultAsIdentity(),
  },
  isShared: true,
  lock(name, how = 'alone') {
    const take = how === 'shared' ? 'pg_advisory_xact_lock_shared' : 'pg_advisory_xact_lock';
    return [{ compile: () => CompiledQuery.raw(`select ${take}(hashtextextended($1, 0))`, [name]) }];
  },
  lastId: (table) =>
    sql`select case when is_called then last_value else 0 end as seq from ${sql.ref(`${table}_id_seq`)}`,
  jsonValues: (json, type) => sql`(select value::${POSTGRES_TYPES[type]} from json_array_elements_text(${json}::json))`,
  jsonRows(json, columns) {
    const names = Object.keys(columns).map((name) => sql.ref(name));
    const typed = Object.entries(columns).map(([name, type]) => sql`${sql.ref(name)} ${POSTGRES_TYPES[type]}`);
    return sql`(select * from rows from (json_to_recordset(${json}::json) as (${sql.join(typed)}))
      with ordinality as given(${sql.join(names)}, ord))`;
  },
};

/** Whether a change was refused because a unique value exists already. */
export const isUniqueViolation = (error: unknown): boolean =>
  /^(?:SQLITE_CONSTRAINT_(?:UNIQUE|PRIMARYKEY)|23505)$/.test(
    String((error as { readonly code?: unknown } | null)?.code),
  );
