import { randomBytes } from 'node:crypto';
import { describe } from 'vitest';
import { createSqlBetStore } from '../../../src/accounts/bets/sql-bet-store.ts';
import { createSqlLinkStore } from '../../../src/accounts/links/sql-link-store.ts';
import { createSqlMyBooksStore } from '../../../src/accounts/my-books/sql-my-books-store.ts';
import { createSecretBox } from '../../../src/api/calls/secret-box.ts';
import { createSqlTrackRecordStore } from '../../../src/forecasting/track-record/sql-track-record-store.ts';
import type { Postgres } from '../../../src/platform/postgres/open-postgres.ts';
import { POSTGRES } from '../../../src/platform/sql/dialects.ts';
import { createPostgresFeedAges } from '../../../src/sources/connectors/store/postgres-feed-ages.ts';
import { createSqlConnectorStore } from '../../../src/sources/connectors/store/sql-connector-store.ts';
import { createSqlKeyRevealStore } from '../../../src/web/account/keys/key-reveal-store.ts';
import { createSqlGradeCounter } from '../../../src/web/grade/grade-counter.ts';
import { createSharedStatements } from '../../../src/webhooks/store/sql-webhook-shared.ts';
import { betStoreContract } from '../../accounts/bets/bet-store.contract.ts';
import { accountRows } from '../../accounts/links/account-rows.ts';
import { linkStoreContract } from '../../accounts/links/link-store.contract.ts';
import { activeVersionIn } from '../../accounts/my-books/active-version.ts';
import { myBooksStoreContract } from '../../accounts/my-books/my-books-store.contract.ts';
import { trackRecordStoreContract } from '../../forecasting/track-record/track-record-store.contract.ts';
import { withoutPostgres } from '../../platform/postgres/postgres-server.ts';
import { registryRows } from '../../platform/postgres/registry-rows.ts';
import { keptFeedsContract } from '../../sources/connectors/store/connector-store.contract.ts';
import { sharedFeedAgesContract } from '../../sources/connectors/store/shared-feed-ages.contract.ts';
import { keyRevealStoreContract } from '../../web/account/keys/key-reveal-store.contract.ts';
import { gradeCounterContract } from '../../web/grade/grade-counter.contract.ts';

describe.skipIf(withoutPostgres !== '')(`small tables on PostgreSQL ${withoutPostgres}`, () => {
  const rows = registryRows();

  keptFeedsContract('PostgreSQL', async () => ({
    kept: createSqlConnectorStore((await rows.empty()).db),
    another: async () => createSqlConnectorStore(rows.another().db),
    close: async () => {},
  }));

  sharedFeedAgesContract('PostgreSQL', async () => ({
    ages: createPostgresFeedAges(await rows.empty()),
    another: createPostgresFeedAges(rows.another()),
    close: async () => {},
  }));

  trackRecordStoreContract('PostgreSQL', async () => [
    createSqlTrackRecordStore((await rows.empty()).db),
    createSqlTrackRecordStore(rows.another().db),
  ]);

  gradeCounterContract('PostgreSQL', async (mostRows) => {
    const grades = ({ db, locking }: Postgres) => createSqlGradeCounter(db, locking, POSTGRES, mostRows);
    return { grades: grades(await rows.empty()), another: async () => grades(rows.another()), close: async () => {} };
  });

  linkStoreContract('PostgreSQL', async () => {
    const links = ({ db, locking }: Postgres) => createSqlLinkStore(db, locking, POSTGRES);
    const first = await rows.empty();
    return { links: links(first), another: links(rows.another()), ...accountRows(first.db), close: async () => {} };
  });

  betStoreContract('PostgreSQL', async () => {
    const bets = ({ db, locking }: Postgres) => createSqlBetStore(db, locking, POSTGRES);
    const first = await rows.empty();
    return { bets: bets(first), another: bets(rows.another()), ...accountRows(first.db), close: async () => {} };
  });

  myBooksStoreContract('PostgreSQL', async () => {
    const myBooks = ({ db, locking }: Postgres) =>
      createSqlMyBooksStore(db, locking, createSharedStatements({ database: db }).bumpActiveVersion);
    const first = await rows.empty();
    return {
      myBooks: myBooks(first),
      another: myBooks(rows.another()),
      activeVersion: () => activeVersionIn(first.db),
      ...accountRows(first.db),
      close: async () => {},
    };
  });

  keyRevealStoreContract('PostgreSQL', async () => {
    const box = createSecretBox('pepper', randomBytes);
    const { db } = await rows.empty();
    return {
      reveals: createSqlKeyRevealStore(db, box),
      another: createSqlKeyRevealStore(rows.another().db, box),
      stored: async () => JSON.stringify(await db.selectFrom('key_reveals').selectAll().execute()),
      close: async () => {},
    };
  });
});
