import type { RootOperationNode } from 'kysely';
import { LRUCache } from 'lru-cache';
import {
  type Compilable,
  type Durability,
  isQueryList,
  type QueryRunner,
  type QuerySteps,
  runSteps,
} from '../sql/query-runner.ts';
import { inImmediateTransaction, readPragma, type SqliteDatabase } from './sqlite-database.ts';

const STATEMENTS_KEPT = 200;
/** The value of the pragma `synchronous`. */
const FULL = 2;
const FLUSHED: Durability = { isFlushed: true };

type Statement = ReturnType<SqliteDatabase['prepare']>;

/** The statements of a connection, prepared once. */
function preparedStatements(database: SqliteDatabase) {
  const statements = new LRUCache<string, Statement>({ max: STATEMENTS_KEPT });
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
 * For an SQLite file that other connections of this process write too. A transaction runs synchronously. If it held the
 * file's lock across turns of the event loop, another connection would wait for the lock in the same thread that must
 * free it. Statements are prepared once.
 */
export function createSqliteRunner(database: SqliteDatabase): QueryRunner {
  const prepare = preparedStatements(database);
  const flushes = Number(readPragma(database, 'synchronous')) >= FULL;

  function inTransaction<T>(isFlushed: boolean, work: () => T): T {
    if (isFlushed || !flushes) return inImmediateTransaction(database, work);
    database.exec('PRAGMA synchronous = normal');
    try {
      return inImmediateTransaction(database, work);
    } finally {
      database.exec('PRAGMA synchronous = full');
    }
  }

  function ask(compilable: Compilable<unknown>): readonly unknown[] {
    const { sql, parameters, query } = compilable.compile();
    const statement = prepare(sql);
    if (hasRows(query, statement)) return statement.all(parameters as unknown[]);
    statement.run(parameters as unknown[]);
    return [];
  }

  function runToEnd<Result>(steps: QuerySteps<Result>): Result {
    let step = steps.next();
    while (!step.done) step = steps.next(isQueryList(step.value) ? step.value.map(ask) : ask(step.value));
    return step.value;
  }

  async function all<Row>(query: Compilable<Row>): Promise<readonly Row[]> {
    const { sql, parameters } = query.compile();
    return prepare(sql).all(parameters as unknown[]) as never;
  }

  return {
    all,
    read: (steps) => runSteps(steps(), all),
    async write(queries) {
      inImmediateTransaction(database, () => {
        for (const query of queries) {
          const { sql, parameters } = query.compile();
          prepare(sql).run(parameters as unknown[]);
        }
      });
    },
    transact: async (steps, { isFlushed } = FLUSHED) => inTransaction(isFlushed, () => runToEnd(steps())),
  };
}

/** For raw queries only the database knows it. */
const hasRows = (query: RootOperationNode, statement: Statement): boolean =>
  query.kind === 'SelectQueryNode' ||
  ('returning' in query && query.returning !== undefined) ||
  (query.kind === 'RawNode' && statement.reader);
