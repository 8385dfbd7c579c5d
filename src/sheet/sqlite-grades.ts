import { type Kysely, sql } from 'kysely';
import { COUNTED_FOR, type KeptGrades } from './counted-grades.ts';

interface SheetGradeTable {
  /** Goes up with each row. */
  id: number;
  /** Not the address itself: it is personal. */
  address: string;
  /** Milliseconds. */
  at: number;
}

export interface SheetGradeTables {
  sheet_grades: SheetGradeTable;
}

/** Some 20 MB. Beyond it the oldest are forgotten, whoever's they are: the file must not grow with each address. */
const MOST_ROWS = 200_000;
/** How many of those that count no more go with each that comes: more than come, so that they do not pile up. */
const SWEPT_AT_ONCE = 50;

export async function createSheetGradeTables(database: Kysely<any>): Promise<void> {
  await sql`CREATE TABLE IF NOT EXISTS sheet_grades (
    id INTEGER PRIMARY KEY, address TEXT NOT NULL, at INTEGER NOT NULL
  )`.execute(database);
  await sql`CREATE INDEX IF NOT EXISTS sheet_grades_by_address ON sheet_grades (address, at)`.execute(database);
  await sql`CREATE INDEX IF NOT EXISTS sheet_grades_by_time ON sheet_grades (at)`.execute(database);
}

/**
 * Every change is one statement: of two calls at the same moment only one gets the last place.
 * @param mostRows for tests
 */
export function sqliteGrades<Tables extends SheetGradeTables>(
  registry: Kysely<Tables>,
  mostRows = MOST_ROWS,
): KeptGrades {
  const database = registry as unknown as Kysely<SheetGradeTables>;
  return {
    async of(address, now) {
      const { counted, firstAt } = await database
        .selectFrom('sheet_grades')
        .select(({ fn }) => [fn.countAll<number>().as('counted'), fn.min('at').as('firstAt')])
        .where('address', '=', address)
        .where('at', '>', now - COUNTED_FOR)
        .executeTakeFirstOrThrow();
      return { counted, firstAt };
    },
    async take(address, most, now) {
      const { rows } = await sql<{ id: number }>`
        INSERT INTO sheet_grades (address, at)
        SELECT ${address}, ${now}
        WHERE (SELECT count(*) FROM sheet_grades WHERE address = ${address} AND at > ${now - COUNTED_FOR}) < ${most}
        RETURNING id`.execute(database);
      const taken = rows[0]?.id;
      if (taken === undefined) return undefined;
      await sql`
        DELETE FROM sheet_grades
        WHERE id IN (SELECT id FROM sheet_grades WHERE at <= ${now - COUNTED_FOR} LIMIT ${SWEPT_AT_ONCE})
           OR id <= ${taken - mostRows}`.execute(database);
      return taken;
    },
    async drop(grade) {
      await database.deleteFrom('sheet_grades').where('id', '=', grade).execute();
    },
  };
}
