import type { KeyIssuer } from '../../../src/accounts/keys/key-registry.ts';
import { createSecretBox } from '../../../src/api/calls/secret-box.ts';
import type { EventLog } from '../../../src/event-log/port/event-log.ts';
import type { SqliteDatabase } from '../../../src/platform/sqlite/sqlite-database.ts';
import { createSqliteRunner } from '../../../src/platform/sqlite/sqlite-runner.ts';
import type { DocumentReader } from '../../../src/read-models/store/document-reader.ts';
import type { RegistryDatabase } from '../../../src/server/composition/registry.ts';
import { createWebhookServices } from '../../../src/webhooks/create-webhook-services.ts';
import { createWebhookClient } from '../../../src/webhooks/http/webhook-client.ts';
import { createSqliteWebhookStore } from '../../../src/webhooks/store/sql-webhook-store.ts';

export interface WebhookServicesOptions {
  readonly log: EventLog;
  readonly documents: Pick<DocumentReader, 'getMany'>;
  readonly registry: RegistryDatabase;
  readonly registryDatabase: SqliteDatabase;
  readonly keyMaker: KeyIssuer;
  /** Ranges that webhooks may reach; none unless told. */
  readonly allow?: readonly string[];
  /** Addresses of the hosts of webhooks, of which there are none unless told. */
  readonly hosts?: Readonly<Record<string, readonly string[]>>;
}

/** What is behind `/v1/webhooks`, as the server composes it, without anything that sends. */
export function webhookServices(options: WebhookServicesOptions) {
  const { log, documents, registry, registryDatabase, keyMaker, allow = [], hosts = {} } = options;
  const secrets = createSecretBox(keyMaker.pepper, keyMaker.random);
  const store = createSqliteWebhookStore(registry, createSqliteRunner(registryDatabase), secrets);
  let wakes = 0;
  const webhooks = createWebhookServices({
    store,
    documents,
    log,
    secrets,
    addressOf: async () => undefined,
    booksOf: async () => null,
    preview: async () => ({ lines: null, searched: 0 }),
    mails: { isToken: () => false, endByToken: async () => false },
    checkUrl: createWebhookClient({ allow, resolve: async (host: string) => hosts[host] ?? [] }).check,
    random: keyMaker.random,
    now: keyMaker.now,
    wake: () => void wakes++,
  });
  return { webhooks, webhookStore: store, wakes: () => wakes };
}
