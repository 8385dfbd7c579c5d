import { describe } from 'vitest';
import { sqlKeptFeeds } from '../../src/connectors/sql-kept-feeds.ts';
import { sqlKeptRecord } from '../../src/forecasting/sql-kept-record.ts';
import type { Postgres } from '../../src/postgres/open-postgres.ts';
import { sqlGrades } from '../../src/sheet/sql-grades.ts';
import { POSTGRES } from '../../src/sql/dialects.ts';
import { keptFeedsContract } from '../connectors/kept-feeds.contract.ts';
import { keptRecordContract } from '../forecasting/kept-record.contract.ts';
import { withoutPostgres } from '../postgres/postgres-server.ts';
import { registryRows } from '../postgres/registry-rows.ts';
import { keptGradesContract } from '../sheet/kept-grades.contract.ts';

describe.skipIf(withoutPostgres !== '')(`small tables on PostgreSQL ${withoutPostgres}`, () => {
  const rows = registryRows();

  keptFeedsContract('PostgreSQL', async () => ({
    kept: sqlKeptFeeds((await rows.empty()).db),
    another: async () => sqlKeptFeeds(rows.another().db),
    close: async () => {},
  }));

  keptRecordContract('PostgreSQL', async () => [
    sqlKeptRecord((await rows.empty()).db),
    sqlKeptRecord(rows.another().db),
  ]);

  keptGradesContract('PostgreSQL', async (mostRows) => {
    const grades = ({ db, locking }: Postgres) => sqlGrades(db, locking, POSTGRES, mostRows);
    return { grades: grades(await rows.empty()), another: async () => grades(rows.another()), close: async () => {} };
  });
});
