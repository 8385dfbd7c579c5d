import type { Kysely } from 'kysely';
import { SQLITE, type SqlDialect } from '../../platform/sql/dialects.ts';
import type { TrackRecordStore } from './track-record-service.ts';

interface ForecastRecordTable {
  /** There is only one row. */
  id: number;
  basis: string;
  /** JSON. */
  counted: string;
}

export interface ForecastRecordTables {
  forecast_record: ForecastRecordTable;
}

const ROW = 1;

export async function createForecastRecordTables(
  { schema }: Kysely<any>,
  { types: { integer } }: SqlDialect = SQLITE,
): Promise<void> {
  await schema
    .createTable('forecast_record')
    .ifNotExists()
    .addColumn('id', integer, (column) => column.primaryKey())
    .addColumn('basis', 'text', (column) => column.notNull())
    .addColumn('counted', 'text', (column) => column.notNull())
    .execute();
}

export function createSqlTrackRecordStore(database: Kysely<ForecastRecordTables>): TrackRecordStore {
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
