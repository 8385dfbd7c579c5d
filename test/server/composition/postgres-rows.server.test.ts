import { randomBytes } from 'node:crypto';
import { describe } from 'vitest';
import { createSecretBox } from '../../../src/api/calls/secret-box.ts';
import { sqlKeptRecord } from '../../../src/forecasting/sql-kept-record.ts';
import type { Postgres } from '../../../src/platform/postgres/open-postgres.ts';
import { POSTGRES } from '../../../src/platform/sql/dialects.ts';
import { sqlKeptFeeds } from '../../../src/sources/connectors/sql-kept-feeds.ts';
import { sqlKeyReveals } from '../../../src/web/account/keys/sql-key-reveals.ts';
import { sqlGrades } from '../../../src/web/grade/sql-grades.ts';
import { keptRecordContract } from '../../forecasting/kept-record.contract.ts';
import { withoutPostgres } from '../../platform/postgres/postgres-server.ts';
import { registryRows } from '../../platform/postgres/registry-rows.ts';
import { keptFeedsContract } from '../../sources/connectors/kept-feeds.contract.ts';
import { keyRevealsContract } from '../../web/account/key-reveals.contract.ts';
import { keptGradesContract } from '../../web/grade/kept-grades.contract.ts';

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

  keyRevealsContract('PostgreSQL', async () => {
    const box = createSecretBox('pepper', randomBytes);
    const { db } = await rows.empty();
    return {
      reveals: sqlKeyReveals(db, box),
      another: sqlKeyReveals(rows.another().db, box),
      stored: async () => JSON.stringify(await db.selectFrom('key_reveals').selectAll().execute()),
      close: async () => {},
    };
  });
});
