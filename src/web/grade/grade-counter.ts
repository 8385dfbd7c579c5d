import type { Generated, Kysely } from 'kysely';
import { SQLITE, type SqlDialect } from '../../platform/sql/dialects.ts';
import { createStepwiseRunner, type QueryRunner, type QuerySteps, queryRows } from '../../platform/sql/query-runner.ts';

/** How long a grade counts, in milliseconds. */
export const GRADE_WINDOW_MS = 24 * 60 * 60 * 1000;

/** The counted grades of an address at a given time. */
interface GradeCount {
  readonly counted: number;
  /** The time of the first counted grade, in milliseconds; null if there is none. */
  readonly firstAt: number | null;
}

/** Counts the grades that addresses get without a key. Times are milliseconds. */
export interface GradeCounter {
  countOf(address: string, now: number): Promise<GradeCount>;
  /**
   * Counts a grade unless `max` grades count already.
   * @returns its id; undefined if it was not counted
   */
  tryCount(address: string, max: number, now: number): Promise<number | undefined>;
  /** Removes a counted grade that was not delivered. */
  uncount(grade: number): Promise<void>;
}

interface PublicGradeTable {
  /** Increases with each row. */
  id: Generated<number>;
  /** A hash: the address itself is personal data. */
  address: string;
  /** Milliseconds. */
  at: number;
}

export interface PublicGradeTables {
  sheet_grades: PublicGradeTable;
}

/** About 20 MB. Beyond it the oldest rows are deleted, of any address: the file must not grow with each new address. */
const MAX_ROWS = 200_000;
/** Outdated rows deleted with each new row. More than one, so that they do not pile up. */
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

/**
 * For an SQLite file, where count and insert are one statement.
 * @param maxRows for tests
 */
export const createSqliteGradeCounter = (registry: Kysely<any>, maxRows = MAX_ROWS): GradeCounter =>
  createSqlGradeCounter(registry, createStepwiseRunner(registry), SQLITE, maxRows);

/**
 * Of two concurrent calls, only one gets the last free grade.
 * @param maxRows for tests
 */
export function createSqlGradeCounter(
  database: Kysely<PublicGradeTables>,
  runner: QueryRunner,
  dialect: SqlDialect,
  maxRows = MAX_ROWS,
): GradeCounter {
  function* insertGrade(address: string, max: number, now: number): QuerySteps<number | undefined> {
    yield dialect.lock(`grades of ${address}`);
    const counted = database
      .selectFrom('sheet_grades')
      .select(({ fn }) => fn.countAll<number>().as('counted'))
      .where('address', '=', address)
      .where('at', '>', now - GRADE_WINDOW_MS);
    const [inserted] = yield* queryRows(
      database
        .insertInto('sheet_grades')
        .columns(['address', 'at'])
        .expression(
          database.selectNoFrom(({ val }) => [val(address).as('address'), val(now).as('at')]).where(counted, '<', max),
        )
        .returning('id'),
    );
    return inserted?.id;
  }

  /** Deletes outdated rows, and the oldest ones beyond the maximum. */
  const sweep = (newestId: number, now: number) =>
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
        eb('id', '<=', newestId - maxRows),
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
    async tryCount(address, max, now) {
      const id = await runner.transact(() => insertGrade(address, max, now));
      if (id !== undefined) await sweep(id, now).execute();
      return id;
    },
    async uncount(grade) {
      await database.deleteFrom('sheet_grades').where('id', '=', grade).execute();
    },
  };
}
