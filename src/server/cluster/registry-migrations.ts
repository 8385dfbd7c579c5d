import { addBetScope, addDecimalPrice, createBetTables } from '../../accounts/bets/sql-bet-store.ts';
import { addPaymentPurposes, createBillingTables } from '../../accounts/billing/sql/billing-tables.ts';
import { CHARGED_ACCOUNTS_RENAME, createChargedAccountsTable } from '../../accounts/billing/sql/sql-auto-recharges.ts';
import { createBillingStoreTables } from '../../accounts/billing/sql/sql-billing-stores.ts';
import {
  addAccountOverrideColumns,
  addKeyCapColumn,
  addPlanEndColumn,
  createKeyTables,
} from '../../accounts/keys/key-tables.ts';
import { createLinkTables } from '../../accounts/links/sql-link-store.ts';
import { createMyBooksTables } from '../../accounts/my-books/sql-my-books-store.ts';
import { createSealKeyTables } from '../../accounts/seal-keys/sql-seal-key-store.ts';
import { createTrialTables } from '../../accounts/trial/trial-tables.ts';
import { createRecoveryTables } from '../../accounts/users/recovery-tables.ts';
import { addSessionIndex, createUserTables, JOBS_RENAME } from '../../accounts/users/user-tables.ts';
import { createIdempotencyTables, IDEMPOTENCY_RENAME } from '../../api/calls/idempotency/sql-idempotency-store.ts';
import { createForecastRecordTables } from '../../forecasting/track-record/sql-track-record-store.ts';
import { IDENTITY_MIGRATIONS } from '../../ingest/identities/sql/postgres-identities.ts';
import { createDeciderStateTable } from '../../ingest/states/postgres-state-snapshots.ts';
import { createMailTables } from '../../platform/mail/sql-mail-queue.ts';
import type { Migrations } from '../../platform/postgres/migrations.ts';
import { renameTable } from '../../platform/postgres/renamed-table.ts';
import { POSTGRES } from '../../platform/sql/dialects.ts';
import { createFeedAgesTable } from '../../sources/connectors/store/postgres-feed-ages.ts';
import { createConnectorTables } from '../../sources/connectors/store/sql-connector-store.ts';
import { createUsedOauthStateTables } from '../../web/account/github/used-oauth-states.ts';
import { createKeyRevealTables } from '../../web/account/keys/key-reveal-store.ts';
import { createPublicGradeTables } from '../../web/grade/grade-counter.ts';
import {
  addAlerts,
  addPublisherPositionTimes,
  addQuietDeliveryTimes,
  createWebhookTables,
  tellOwnersOfSignedWebhooks,
} from '../../webhooks/store/create-webhook-tables.ts';
import { MARKER_MIGRATIONS } from './registry-markers.ts';

/** The registry's tables on PostgreSQL, without identities. Keys come first, since other tables refer to accounts. */
export const ROW_MIGRATIONS: readonly Migrations[] = [
  {
    subject: 'keys',
    steps: [(db) => createKeyTables(db, POSTGRES), addAccountOverrideColumns, addPlanEndColumn, addKeyCapColumn],
  },
  { subject: 'billing', steps: [(db) => createBillingTables(db, POSTGRES), addPaymentPurposes] },
  {
    subject: 'billing-stores',
    steps: [
      (db) => createBillingStoreTables(db, POSTGRES),
      (db) => createChargedAccountsTable(db, POSTGRES),
      (db) => renameTable(db, CHARGED_ACCOUNTS_RENAME),
    ],
  },
  {
    subject: 'remembered-answers',
    steps: [(db) => createIdempotencyTables(db, POSTGRES), (db) => renameTable(db, IDEMPOTENCY_RENAME)],
  },
  { subject: 'forecast-record', steps: [(db) => createForecastRecordTables(db, POSTGRES)] },
  { subject: 'feeds', steps: [(db) => createConnectorTables(db, POSTGRES), createFeedAgesTable] },
  { subject: 'mails', steps: [(db) => createMailTables(db, POSTGRES)] },
  { subject: 'sheet-grades', steps: [(db) => createPublicGradeTables(db, POSTGRES)] },
  { subject: 'oauth-states', steps: [(db) => createUsedOauthStateTables(db, POSTGRES)] },
  {
    subject: 'people',
    steps: [(db) => createUserTables(db, POSTGRES), (db) => renameTable(db, JOBS_RENAME), addSessionIndex],
  },
  { subject: 'recovery', steps: [(db) => createRecoveryTables(db, POSTGRES)] },
  { subject: 'key-reveals', steps: [(db) => createKeyRevealTables(db, POSTGRES)] },
  { subject: 'read-links', steps: [(db) => createLinkTables(db, POSTGRES)] },
  { subject: 'bets', steps: [(db) => createBetTables(db, POSTGRES), addBetScope, addDecimalPrice] },
  { subject: 'my-books', steps: [(db) => createMyBooksTables(db, POSTGRES)] },
  { subject: 'seal-keys', steps: [(db) => createSealKeyTables(db, POSTGRES)] },
  { subject: 'trials', steps: [(db) => createTrialTables(db, POSTGRES)] },
  {
    subject: 'webhooks',
    steps: [
      (db) => createWebhookTables(db, POSTGRES),
      addPublisherPositionTimes,
      addAlerts,
      addQuietDeliveryTimes,
      tellOwnersOfSignedWebhooks,
    ],
  },
  { subject: 'decider-states', steps: [createDeciderStateTable] },
];

/** All tables that a cluster keeps in its registry. */
export const REGISTRY_MIGRATIONS: readonly Migrations[] = [MARKER_MIGRATIONS, IDENTITY_MIGRATIONS, ...ROW_MIGRATIONS];
