import type { Generated, Kysely } from 'kysely';
import { SQLITE, type SqlDialect } from '../../platform/sql/dialects.ts';
import { createStepwiseRunner, type QueryRunner, type QuerySteps, queryRows } from '../../platform/sql/query-runner.ts';
import { GRADE_WINDOW_MS, type GradeCounter } from './grade-counter.ts';

interface PublicGradeTable {
  /** Goes up with each row. */
  id: Generated<number>;
  /** Not the address itself: it is personal. */
  address: string;
  /** Milliseconds. */
  at: number;
}

export interface PublicGradeTables {
  sheet_grades: PublicGradeTable;
}

/** Some 20 MB. Beyond it the oldest are forgotten, whoever's they are: the file must not grow with each address. */
const MAX_ROWS = 200_000;
/** How many of those that count no more go with each that comes: more than come, so that they do not pile up. */
const ROWS_PER_SWEEP = 50;

export async function createPublicGradeTables(
  { schema }: Kysely<any>,
  { types: { integer, id } }: SqlDialect = SQLITE,
): Promise<void> {
  await schema
    .createTable('sheet_grades')
    .ifNotExists()
    .addColumn('id', integer, id)
    .addColumn('address', 'text', (column) => column.notNull())
    .addColumn('at', integer, (column) => column.notNull())
    .execute();
  const index = (name: string, columns: string[]) =>
    schema.createIndex(name).ifNotExists().on('sheet_grades').columns(columns).execute();
  await index('sheet_grades_by_address', ['address', 'at']);
  await index('sheet_grades_by_time', ['at']);
}

/** In an SQLite file: what counts and takes is one statement there, as with the keys. @param mostRows for tests */
export const createSqliteGradeCounter = (registry: Kysely<any>, mostRows = MAX_ROWS): GradeCounter =>
  createSqlGradeCounter(registry, createStepwiseRunner(registry), SQLITE, mostRows);

/** Of two calls at the same moment only one gets the last place. @param mostRows for tests */
export function createSqlGradeCounter(
  database: Kysely<PublicGradeTables>,
  runner: QueryRunner,
  dialect: SqlDialect,
  mostRows = MAX_ROWS,
): GradeCounter {
  function* take(address: string, most: number, now: number): QuerySteps<number | undefined> {
    yield dialect.lock(`grades of ${address}`);
    const counted = database
      .selectFrom('sheet_grades')
      .select(({ fn }) => fn.countAll<number>().as('counted'))
      .where('address', '=', address)
      .where('at', '>', now - GRADE_WINDOW_MS);
    const [taken] = yield* queryRows(
      database
        .insertInto('sheet_grades')
        .columns(['address', 'at'])
        .expression(
          database.selectNoFrom(({ val }) => [val(address).as('address'), val(now).as('at')]).where(counted, '<', most),
        )
        .returning('id'),
    );
    return taken?.id;
  }

  /** What counts no more, and what is too much. */
  const sweep = (taken: number, now: number) =>
    database.deleteFrom('sheet_grades').where(({ or, eb, selectFrom }) =>
      or([
        eb(
          'id',
          'in',
          selectFrom('sheet_grades')
            .select('id')
            .where('at', '<=', now - GRADE_WINDOW_MS)
            .limit(ROWS_PER_SWEEP),
        ),
        eb('id', '<=', taken - mostRows),
      ]),
    );

  return {
    async countOf(address, now) {
      const { counted, firstAt } = await database
        .selectFrom('sheet_grades')
        .select(({ fn }) => [fn.countAll<number>().as('counted'), fn.min('at').as('firstAt')])
        .where('address', '=', address)
        .where('at', '>', now - GRADE_WINDOW_MS)
        .executeTakeFirstOrThrow();
      return { counted, firstAt };
    },
    async tryCount(address, most, now) {
      const taken = await runner.transact(() => take(address, most, now));
      if (taken !== undefined) await sweep(taken, now).execute();
      return taken;
    },
    async uncount(grade) {
      await database.deleteFrom('sheet_grades').where('id', '=', grade).execute();
    },
  };
}
