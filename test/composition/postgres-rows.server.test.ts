import { randomBytes } from 'node:crypto';
import { describe } from 'vitest';
import { createSecretBox } from '../../src/calls/secret-box.ts';
import { sqlKeptFeeds } from '../../src/connectors/sql-kept-feeds.ts';
import { sqlKeptRecord } from '../../src/forecasting/sql-kept-record.ts';
import type { Postgres } from '../../src/postgres/open-postgres.ts';
import { sqlGrades } from '../../src/sheet/sql-grades.ts';
import { sqlKeyReveals } from '../../src/site/keys/sql-key-reveals.ts';
import { POSTGRES } from '../../src/sql/dialects.ts';
import { keptFeedsContract } from '../connectors/kept-feeds.contract.ts';
import { keptRecordContract } from '../forecasting/kept-record.contract.ts';
import { withoutPostgres } from '../postgres/postgres-server.ts';
import { registryRows } from '../postgres/registry-rows.ts';
import { keptGradesContract } from '../sheet/kept-grades.contract.ts';
import { keyRevealsContract } from '../site/key-reveals.contract.ts';

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
