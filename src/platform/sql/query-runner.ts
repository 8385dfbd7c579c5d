import type { CompiledQuery, Kysely } from 'kysely';

/** A query of the query builder, before it is compiled. */
export interface Compilable<Row> {
  compile(): CompiledQuery<Row>;
}

/** One query, which returns its rows; or several independent queries, which return the rows of each. */
type QueryStep = Compilable<unknown> | readonly Compilable<unknown>[];

/** A sequence of queries, each built from the rows of earlier ones: a generator yields queries and gets their rows. */
export type QuerySteps<Result> = Generator<QueryStep, Result, readonly any[]>;

/** One step: `const rows = yield* queryRows(query)`. */
export function* queryRows<Row>(query: Compilable<Row>): Generator<Compilable<Row>, readonly Row[], readonly any[]> {
  return yield query;
}

/** How durable a transaction is. */
export interface Durability {
  /**
   * False: the commit need not wait for the disk. A power failure may undo it, and everything committed after it; the
   * work is then repeated. The end of the process undoes nothing. Default true.
   */
  readonly isFlushed: boolean;
}

type Results<All extends readonly QuerySteps<unknown>[]> = {
  -readonly [Index in keyof All]: All[Index] extends QuerySteps<infer Result> ? Result : never;
};

/** Runs independent steps side by side, so that a remote database is asked once for all of them. */
export function* runStepsTogether<const All extends readonly QuerySteps<unknown>[]>(
  ...all: All
): QuerySteps<Results<All>> {
  const going = all.map((steps) => ({ steps, step: steps.next() }));
  for (;;) {
    const open = going.filter(({ step }) => !step.done);
    if (open.length === 0) return going.map(({ step }) => step.value) as Results<All>;
    const answers = yield open.flatMap(({ step }) => step.value as QueryStep);
    let given = 0;
    for (const one of open) {
      const queries = one.step.value as QueryStep;
      one.step = one.steps.next(isQueryList(queries) ? answers.slice(given, given + queries.length) : answers[given]);
      given += isQueryList(queries) ? queries.length : 1;
    }
  }
}

export const isQueryList = (step: QueryStep): step is readonly Compilable<unknown>[] => Array.isArray(step);

/** Runs queries of the query builder. */
export interface QueryRunner {
  all<Row>(query: Compilable<Row>): Promise<readonly Row[]>;
  /**
   * Steps outside a transaction: each query stands alone, and sees what others have changed since the query before.
   * Queries of one step run in order. The steps may be restarted.
   */
  read<Result>(steps: () => QuerySteps<Result>): Promise<Result>;
  /** All queries, or none. */
  write(queries: readonly Compilable<unknown>[]): Promise<void>;
  /** All steps, or none. What they have read stays true until they end. The steps may be restarted. */
  transact<Result>(steps: () => QuerySteps<Result>, durability?: Durability): Promise<Result>;
}

/** Runs the steps. @param ask returns the rows of a query */
export async function runSteps<Result>(
  steps: QuerySteps<Result>,
  ask: (query: Compilable<unknown>) => Promise<readonly unknown[]>,
): Promise<Result> {
  let step = steps.next();
  while (!step.done) {
    const rows = isQueryList(step.value) ? await Promise.all(step.value.map(ask)) : await ask(step.value);
    step = steps.next(rows);
  }
  return step.value;
}

/** For a database whose connection waits without blocking the process, or that has no other user. */
export const createKyselyRunner = (db: Kysely<any>): QueryRunner => ({
  all: async (query) => (await db.executeQuery(query.compile())).rows,
  read: (steps) => runSteps(steps(), async (query) => (await db.executeQuery(query.compile())).rows),
  write: (queries) =>
    db.transaction().execute(async (transaction) => {
      for (const query of queries) await transaction.executeQuery(query.compile());
    }),
  transact: (steps) =>
    db
      .transaction()
      .execute((transaction) =>
        runSteps(steps(), async (query) => (await transaction.executeQuery(query.compile())).rows),
      ),
});

/** Runs each step alone, where the steps together are safe without a transaction. */
export function createStepwiseRunner(db: Kysely<any>): QueryRunner {
  const all: QueryRunner['all'] = async (query) => (await db.executeQuery(query.compile())).rows;
  return {
    all,
    read: (steps) => runSteps(steps(), all),
    async write(queries) {
      for (const query of queries) await all(query);
    },
    transact: (steps) => runSteps(steps(), all),
  };
}
