import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import type { Kysely } from 'kysely';
import type { Logger } from 'pino';
import { projections } from '../../projections/index.ts';
import type { BillingRegistry } from '../accounts/billing/billing-registry.ts';
import { openSqliteBilling } from '../accounts/billing/sqlite-billing.ts';
import { dropJournal, readJournal } from '../accounts/credits/charge-journal.ts';
import { recoverCharges } from '../accounts/credits/recover-charges.ts';
import type { KeyMaker, KeyRegistry } from '../accounts/keys/key-registry.ts';
import { sqliteKeys } from '../accounts/keys/sqlite-keys.ts';
import { type KeysAdministration, keysAdministration } from '../accounts/keys-administration.ts';
import { announcedStore } from '../calls/answers/announced-store.ts';
import { type AnswerCache, createAnswerCache } from '../calls/answers/answer-cache.ts';
import type { RememberedAnswers } from '../calls/once/remembered-answers.ts';
import { sqliteRememberedAnswers } from '../calls/once/sqlite-remembered-answers.ts';
import { createSecretBox, type SecretBox } from '../calls/secret-box.ts';
import { keptSecret } from '../data-folder/kept-secret.ts';
import { databaseFile, findDataFolder, journalFiles } from '../data-folder/paths.ts';
import { ACCOUNT_STEPS, ACCOUNT_VERSIONS, type AccountEventType } from '../domain/accounts/events.ts';
import { CURRENT_VERSIONS } from '../domain/domain-events.ts';
import type { LogRecord } from '../domain/record.ts';
import { defineUpcasters, upcastRecord } from '../domain/upcast.ts';
import { fedByOthers } from '../identities/fed-sources.ts';
import type { Identities } from '../identities/identities.ts';
import type { IdentityTables } from '../identities/identity-tables.ts';
import { SqlIdentities } from '../identities/sql-identities.ts';
import { FeedIntake } from '../ingest/feed-intake.ts';
import type { Intake } from '../ingest/intake.ts';
import type { EventLog } from '../log/event-log.ts';
import { createLogFeed } from '../log/log-feed.ts';
import { openSqliteLog } from '../log/sqlite-log.ts';
import { providerOf } from '../payments/provider.ts';
import type { Config } from '../settings/config.ts';
import { sqliteRunner, sqliteTransactions } from '../sqlite/query-runner.ts';
import { openSqliteDatabase } from '../sqlite/sqlite-database.ts';
import { createProjectionRunner, type ProjectionRunner } from '../store/projection-runner.ts';
import type { ReadStore } from '../store/read-store.ts';
import { openSqliteStore } from '../store/sqlite-store.ts';
import { sqliteWebhooks } from '../webhooks/store/sqlite-webhooks.ts';
import type { WebhookStore } from '../webhooks/store/webhook-store.ts';
import { openRegistry } from './registry.ts';

/** What of a data folder can be read, also while a server or a command writes to it. */
export interface ReadParts {
  readonly log: EventLog;
  readonly store: ReadStore;
  readonly identities: Identities;
  close(): Promise<void>;
}

/** Everything that works on a data folder. Whoever opens it holds the folder's lock. */
export interface Parts extends ReadParts {
  readonly intake: Intake;
  readonly keyRegistry: KeyRegistry;
  readonly keyMaker: KeyMaker;
  readonly rememberedAnswers: RememberedAnswers;
  readonly billingRegistry: BillingRegistry;
  readonly keys: KeysAdministration;
  readonly pepper: string;
  readonly webhookStore: WebhookStore;
  readonly webhookSecrets: SecretBox;
  readonly runner: ProjectionRunner;
  /** Hears of everything that the runner writes. */
  readonly answers: AnswerCache;
  /** How many sports events have been made. */
  countEvents(): Promise<number>;
  /** Whether any source but this one has fed the folder. */
  fedByOthers(source: string): Promise<boolean>;
}

const upcasters = defineUpcasters(
  Object.fromEntries(
    Object.entries({ ...CURRENT_VERSIONS, ...ACCOUNT_VERSIONS }).map(([type, current]) => [
      type,
      { current, steps: ACCOUNT_STEPS[type as AccountEventType] ?? {} },
    ]),
  ),
);
/** Brings records of earlier versions up to today's. */
export const upcast = (record: LogRecord): LogRecord => upcastRecord(record, upcasters);

/** The folder holds no log: nothing has been written to it yet. */
export class EmptyFolder extends Error {
  readonly code = 'empty_folder';
}

/** @throws DataFolderError, EmptyFolder */
export async function openForReading(config: Config): Promise<ReadParts> {
  const folder = findDataFolder(config.dataDir);
  const open = () => openSqliteDatabase({ file: databaseFile(folder), readonly: true });
  try {
    const databases = { log: open(), store: open() };
    const log = openSqliteLog({ database: databases.log, readonly: true, upcast });
    const store = openSqliteStore({ database: databases.store });
    const registry = await openRegistry(open(), true);
    const close = async () => {
      await registry.destroy();
      databases.store.close();
      databases.log.close();
    };
    return { log, store, identities: await SqlIdentities.open(registry), close };
  } catch (error) {
    if (!/^no (database file|event log)/.test((error as Error).message)) throw error;
    throw new EmptyFolder(`the data folder ${folder} is empty`);
  }
}

/** A read store in a folder of its own, for what is folded only to be compared. */
export const openScratchStore = (folder: string): ReadStore => openSqliteStore({ file: join(folder, 'scratch.db') });

/** What the answers that are kept may occupy. */
const ANSWER_BYTES = 64 * 1024 * 1024;

/** Of each projection, for those that change next: of what a long file brings none comes again, and a document of
 *  line movements may take tens of KiB. */
const DOCUMENTS_KEPT = 2000;

/** @param config its `dataDir` must exist, and be locked by the caller */
export async function openParts(config: Config, logger?: Logger): Promise<Parts> {
  const file = databaseFile(config.dataDir);
  const log = openSqliteLog({ file, upcast });
  const store = openSqliteStore({ file });
  const journal = journalFiles(config.dataDir);
  const recovered = await recoverCharges(log, store, readJournal(journal));
  dropJournal(journal);
  if (recovered > 0) logger?.info({ charges: recovered }, 'brought charges of before a crash into the log');
  // What was looked up lately is kept beside it, so that few pages are asked for again.
  const registryDatabase = openSqliteDatabase({ file, cacheMib: 16 });
  const registry = await openRegistry(registryDatabase);
  const identities = await SqlIdentities.open(registry, sqliteRunner(registryDatabase));
  const pepper = keptSecret(config.dataDir, 'key-pepper', config.keyPepper);
  const pause = (milliseconds: number) => setTimeout(milliseconds);
  const intake = new FeedIntake({ log, identities, now: Date.now, pause, random: Math.random });
  await intake.resume();
  const keyRegistry = sqliteKeys(registry);
  const keyMaker = { registry: keyRegistry, random: randomBytes, pepper, now: Date.now };
  const billingRegistry = await openSqliteBilling(registry);
  const keys = keysAdministration(keyMaker, { registry: billingRegistry, provider: providerOf(config) });
  const webhookSecrets = createSecretBox(pepper, randomBytes);
  const answers = createAnswerCache(ANSWER_BYTES);
  const announced = announcedStore(store, answers);
  const cacheDocuments = DOCUMENTS_KEPT;
  const runner = createProjectionRunner({
    log,
    feed: createLogFeed(log),
    store: announced,
    projections,
    cacheDocuments,
    now: Date.now,
    logger,
  });
  return {
    log,
    store,
    identities,
    intake,
    keyRegistry,
    keyMaker,
    billingRegistry,
    rememberedAnswers: sqliteRememberedAnswers(registry),
    keys,
    pepper,
    webhookStore: sqliteWebhooks(registry, sqliteTransactions(registryDatabase), webhookSecrets),
    webhookSecrets,
    runner,
    answers,
    async countEvents() {
      const counters = registry as unknown as Kysely<IdentityTables>;
      const row = await counters
        .selectFrom('id_counters')
        .select('next')
        .where('kind', '=', 'event')
        .executeTakeFirst();
      return row === undefined ? 0 : row.next - 1;
    },
    fedByOthers: (source) => fedByOthers(registry, source),
    async close() {
      await runner.stop();
      await store.close();
      await log.close();
      await registry.destroy();
    },
  };
}
