import type { CompiledQuery, Kysely } from 'kysely';
import { LRUCache } from 'lru-cache';
import { inImmediateTransaction, readPragma, type SqliteDatabase } from './sqlite-database.ts';

interface Compilable<Row> {
  compile(): CompiledQuery<Row>;
}

/** Queries one after another, each built from the rows of those before: a generator gives them and is given rows. */
export type Steps<Result> = Generator<Compilable<unknown>, Result, readonly any[]>;

/** One step: `const rows = yield* rowsOf(query)`. */
export function* rowsOf<Row>(query: Compilable<Row>): Generator<Compilable<Row>, readonly Row[], readonly any[]> {
  return yield query;
}

/** Runs what the query builder has built. */
export interface QueryRunner {
  all<Row>(query: Compilable<Row>): Promise<readonly Row[]>;
  /** All of them, or none. */
  write(queries: readonly Compilable<unknown>[]): Promise<void>;
  /** All of the steps, or none; what they have read stays true until they end. */
  transact<Result>(steps: () => Steps<Result>): Promise<Result>;
}

/** For a database whose connection waits without stopping the process, or that nobody else uses. */
export const builderRunner = (db: Kysely<any>): QueryRunner => ({
  all: async (query) => (await db.executeQuery(query.compile())).rows,
  write: (queries) =>
    db.transaction().execute(async (transaction) => {
      for (const query of queries) await transaction.executeQuery(query.compile());
    }),
  transact: (steps) =>
    db.transaction().execute(async (transaction) => {
      const going = steps();
      let step = going.next();
      while (!step.done) step = going.next((await transaction.executeQuery(step.value.compile())).rows);
      return step.value;
    }),
});

const STATEMENTS_KEPT = 200;
/** As the pragma `synchronous` tells it. */
const FULL = 2;

/** Statements of a connection, prepared once. */
function preparedStatements(database: SqliteDatabase) {
  const statements = new LRUCache<string, ReturnType<SqliteDatabase['prepare']>>({ max: STATEMENTS_KEPT });
  return (sql: string) => {
    let statement = statements.get(sql);
    if (!statement) {
      statement = database.prepare(sql);
      statements.set(sql, statement);
    }
    return statement;
  };
}

/**
 * For an SQLite file that other connections of this process write too. A transaction runs in one go: were it to
 * hold the file's lock across turns of the event loop, another connection would wait for the lock in the very
 * thread that has to free it. Statements are prepared once.
 */
export function sqliteRunner(database: SqliteDatabase): QueryRunner {
  const prepare = preparedStatements(database);
  return {
    async all(query) {
      const { sql, parameters } = query.compile();
      return prepare(sql).all(parameters as unknown[]) as never;
    },
    async write(queries) {
      inImmediateTransaction(database, () => {
        for (const query of queries) {
          const { sql, parameters } = query.compile();
          prepare(sql).run(parameters as unknown[]);
        }
      });
    },
    async transact(steps) {
      return inImmediateTransaction(database, () => {
        const going = steps();
        let step = going.next();
        while (!step.done) {
          const { sql, parameters, query } = step.value.compile();
          const statement = prepare(sql);
          const hasRows = query.kind === 'SelectQueryNode' || ('returning' in query && query.returning !== undefined);
          if (hasRows) step = going.next(statement.all(parameters as unknown[]));
          else {
            statement.run(parameters as unknown[]);
            step = going.next([]);
          }
        }
        return step.value;
      });
    },
  };
}

/** What runs at once, without a promise: changes that go by what they read, within one transaction. */
export interface SqliteTransactions {
  /** Also of a change that returns rows. */
  all<Row>(query: Compilable<Row>): readonly Row[];
  /** @returns how many rows it has changed */
  run(query: Compilable<unknown>): number;
  /** All that `work` does, or nothing; what it has read stays true until it ends. */
  within<T>(work: () => T): T;
  /**
   * The same for what may be undone by a power failure, with all that was committed after it, because it is done again
   * then: it does not wait for the disk. The end of the process undoes nothing, and the next `within` flushes it too.
   */
  withinUnflushed<T>(work: () => T): T;
}

/** On a file as `sqliteRunner` has it. */
export function sqliteTransactions(database: SqliteDatabase): SqliteTransactions {
  const prepare = preparedStatements(database);
  const isFlushed = Number(readPragma(database, 'synchronous')) >= FULL;
  return {
    all(query) {
      const { sql, parameters } = query.compile();
      return prepare(sql).all(parameters as unknown[]) as never;
    },
    run(query) {
      const { sql, parameters } = query.compile();
      return prepare(sql).run(parameters as unknown[]).changes;
    },
    within: (work) => inImmediateTransaction(database, work),
    withinUnflushed(work) {
      if (!isFlushed) return inImmediateTransaction(database, work);
      database.exec('PRAGMA synchronous = normal');
      try {
        return inImmediateTransaction(database, work);
      } finally {
        database.exec('PRAGMA synchronous = full');
      }
    },
  };
}
