import type { CompiledQuery, Kysely } from 'kysely';

/** What the query builder has built, before it is text. */
export interface Compilable<Row> {
  compile(): CompiledQuery<Row>;
}

/** One query, whose rows are given back; or several, none of which hangs on another, and the rows of each. */
type QueryStep = Compilable<unknown> | readonly Compilable<unknown>[];

/** Queries one after another, each built from the rows of those before: a generator gives them and is given rows. */
export type QuerySteps<Result> = Generator<QueryStep, Result, readonly any[]>;

/** One step: `const rows = yield* rowsOf(query)`. */
export function* queryRows<Row>(query: Compilable<Row>): Generator<Compilable<Row>, readonly Row[], readonly any[]> {
  return yield query;
}

/** How a transaction ends. */
export interface Durability {
  /**
   * False: it may be undone by a power failure, with all that was committed after it, because it is done again then; it
   * need not wait for the disk. The end of the process undoes nothing. Default true.
   */
  readonly isFlushed: boolean;
}

type Results<All extends readonly QuerySteps<unknown>[]> = {
  -readonly [Index in keyof All]: All[Index] extends QuerySteps<infer Result> ? Result : never;
};

/** Steps that do not hang on each other, side by side: a database that is far away is asked once for all of them. */
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
      const asked = one.step.value as QueryStep;
      one.step = one.steps.next(isQueryList(asked) ? answers.slice(given, given + asked.length) : answers[given]);
      given += isQueryList(asked) ? asked.length : 1;
    }
  }
}

export const isQueryList = (step: QueryStep): step is readonly Compilable<unknown>[] => Array.isArray(step);

/** Runs what the query builder has built. */
export interface QueryRunner {
  all<Row>(query: Compilable<Row>): Promise<readonly Row[]>;
  /**
   * Steps outside a transaction: each query stands for itself, and sees what others have changed since the one before.
   * Those of one step run in their order. They may be begun again.
   */
  read<Result>(steps: () => QuerySteps<Result>): Promise<Result>;
  /** All of them, or none. */
  write(queries: readonly Compilable<unknown>[]): Promise<void>;
  /** All of the steps, or none; what they have read stays true until they end. They may be begun again. */
  transact<Result>(steps: () => QuerySteps<Result>, durability?: Durability): Promise<Result>;
}

/** Goes through the steps. @param ask gives the rows of a query */
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

/** For a database whose connection waits without stopping the process, or that nobody else uses. */
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

/** Each step by itself, where what they do together is safe without a transaction. */
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
