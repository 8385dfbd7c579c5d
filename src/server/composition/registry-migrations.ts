import { createChargedElsewhereTable } from '../../accounts/billing/auto-recharge/recharge-tables.ts';
import { addPurposes, createBillingTables } from '../../accounts/billing/billing-tables.ts';
import { createBillingStoreTables } from '../../accounts/billing/sql-billing-stores.ts';
import { addAccountExceptions, addPlanEnds, createKeyTables } from '../../accounts/keys/key-tables.ts';
import { createPeopleTables } from '../../accounts/users/people-tables.ts';
import { createRememberedAnswerTables } from '../../api/calls/once/remembered-answer-tables.ts';
import { createForecastRecordTables } from '../../forecasting/sql-kept-record.ts';
import { IDENTITY_MIGRATIONS } from '../../ingest/identities/postgres-identities.ts';
import { createDeciderStateTable } from '../../ingest/states/postgres-state-snapshots.ts';
import { createMailTables } from '../../platform/mail/sql-mails.ts';
import type { Migrations } from '../../platform/postgres/migrations.ts';
import { POSTGRES } from '../../platform/sql/dialects.ts';
import { createKeptFeedTables } from '../../sources/connectors/sql-kept-feeds.ts';
import { createUsedStateTables } from '../../web/account/github/used-states.ts';
import { createKeyRevealTables } from '../../web/account/keys/sql-key-reveals.ts';
import { createSheetGradeTables } from '../../web/grade/sql-grades.ts';
import { addPlaceTimes, createWebhookTables } from '../../webhooks/store/sql-webhook-tables.ts';
import { MARK_MIGRATIONS } from './registry-marks.ts';

/** The registry's rows beside identities, on PostgreSQL. Keys come first: others refer to accounts. */
export const ROW_MIGRATIONS: readonly Migrations[] = [
  { subject: 'keys', steps: [(db) => createKeyTables(db, POSTGRES), addAccountExceptions, addPlanEnds] },
  { subject: 'billing', steps: [(db) => createBillingTables(db, POSTGRES), addPurposes] },
  {
    subject: 'billing-stores',
    steps: [(db) => createBillingStoreTables(db, POSTGRES), (db) => createChargedElsewhereTable(db, POSTGRES)],
  },
  { subject: 'remembered-answers', steps: [(db) => createRememberedAnswerTables(db, POSTGRES)] },
  { subject: 'forecast-record', steps: [(db) => createForecastRecordTables(db, POSTGRES)] },
  { subject: 'feeds', steps: [(db) => createKeptFeedTables(db, POSTGRES)] },
  { subject: 'mails', steps: [(db) => createMailTables(db, POSTGRES)] },
  { subject: 'sheet-grades', steps: [(db) => createSheetGradeTables(db, POSTGRES)] },
  { subject: 'oauth-states', steps: [(db) => createUsedStateTables(db, POSTGRES)] },
  { subject: 'people', steps: [(db) => createPeopleTables(db, POSTGRES)] },
  { subject: 'key-reveals', steps: [(db) => createKeyRevealTables(db, POSTGRES)] },
  { subject: 'webhooks', steps: [(db) => createWebhookTables(db, POSTGRES), addPlaceTimes] },
  { subject: 'decider-states', steps: [createDeciderStateTable] },
];

/** Everything that a cluster keeps in its registry. */
export const REGISTRY_MIGRATIONS: readonly Migrations[] = [MARK_MIGRATIONS, IDENTITY_MIGRATIONS, ...ROW_MIGRATIONS];
