import { randomBytes } from 'node:crypto';
import { describe } from 'vitest';
import { createSecretBox } from '../../../src/api/calls/secret-box.ts';
import type { Postgres } from '../../../src/platform/postgres/open-postgres.ts';
import { POSTGRES } from '../../../src/platform/sql/dialects.ts';
import { createSqlWebhookStore } from '../../../src/webhooks/store/sql-webhook-store.ts';
import { withoutPostgres } from '../../platform/postgres/postgres-server.ts';
import { registryRows } from '../../platform/postgres/registry-rows.ts';
import { webhookAlertsContract } from './webhook-alerts.contract.ts';
import { webhookRetentionContract } from './webhook-retention.contract.ts';
import { type OpenedWebhooks, webhookStoreContract } from './webhook-store.contract.ts';
import { webhookStoreModel } from './webhook-store-model.contract.ts';

describe.skipIf(withoutPostgres !== '')(`webhooks on PostgreSQL ${withoutPostgres}`, () => {
  const rows = registryRows();
  const box = createSecretBox('pepper', randomBytes);
  const webhooks = ({ db, locking }: Postgres) => createSqlWebhookStore(db, locking, POSTGRES, box);

  async function open(): Promise<OpenedWebhooks> {
    return {
      store: webhooks(await rows.empty()),
      another: async () => webhooks(rows.another()),
      close: async () => {},
    };
  }

  webhookStoreContract('PostgreSQL', open);
  webhookAlertsContract('PostgreSQL', open);
  webhookStoreModel('PostgreSQL', open, { numRuns: 30 });
  webhookRetentionContract('PostgreSQL', open, { numRuns: 20 });
});
