import { type Kysely, sql } from 'kysely';
import type { KeptRecord } from './record-keeper.ts';

interface ForecastRecordTable {
  /** There is one row. */
  id: number;
  basis: string;
  /** JSON. */
  counted: string;
}

export interface ForecastRecordTables {
  forecast_record: ForecastRecordTable;
}

const ROW = 1;

export async function createForecastRecordTables(database: Kysely<any>): Promise<void> {
  await sql`CREATE TABLE IF NOT EXISTS forecast_record (
    id INTEGER PRIMARY KEY, basis TEXT NOT NULL, counted TEXT NOT NULL
  )`.execute(database);
}

export function sqliteKeptRecord<Tables extends ForecastRecordTables>(registry: Kysely<Tables>): KeptRecord {
  const database = registry as unknown as Kysely<ForecastRecordTables>;
  return {
    read: () =>
      database.selectFrom('forecast_record').select(['basis', 'counted']).where('id', '=', ROW).executeTakeFirst(),
    async write(count) {
      await database
        .insertInto('forecast_record')
        .values({ id: ROW, ...count })
        .onConflict((conflict) => conflict.column('id').doUpdateSet(count))
        .execute();
    },
  };
}
