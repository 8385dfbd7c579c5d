import { Kysely, type SqliteDatabase as KyselySqlite, SqliteDialect } from 'kysely';
import { type BetTables, createBetTables } from '../../accounts/bets/sql-bet-store.ts';
import { CHARGED_ACCOUNTS_RENAME } from '../../accounts/billing/sql/sql-auto-recharges.ts';
import { createKeyTables, type KeyTables } from '../../accounts/keys/key-tables.ts';
import { createLinkTables, type LinkTables } from '../../accounts/links/sql-link-store.ts';
import { createMyBooksTables, type MyBooksTables } from '../../accounts/my-books/sql-my-books-store.ts';
import { createSealKeyTables, type SealKeyTables } from '../../accounts/seal-keys/sql-seal-key-store.ts';
import { createTrialTables, type TrialTables } from '../../accounts/trial/trial-tables.ts';
import { createRecoveryTables } from '../../accounts/users/recovery-tables.ts';
import { createUserTables, JOBS_RENAME, type UserTables } from '../../accounts/users/user-tables.ts';
import {
  createIdempotencyTables,
  IDEMPOTENCY_RENAME,
  type IdempotencyTables,
} from '../../api/calls/idempotency/sql-idempotency-store.ts';
import {
  createForecastRecordTables,
  type ForecastRecordTables,
} from '../../forecasting/track-record/sql-track-record-store.ts';
import { IDENTITY_RENAMES } from '../../ingest/identities/sql/identity-tables.ts';
import { createMailTables, type MailTables } from '../../platform/mail/sql-mail-queue.ts';
import type { StoredRename } from '../../platform/sql/stored-rename.ts';
import { renameStored, viewRenamed } from '../../platform/sqlite/schema-renames.ts';
import type { SqliteDatabase } from '../../platform/sqlite/sqlite-database.ts';
import { type ConnectorTables, createConnectorTables } from '../../sources/connectors/store/sql-connector-store.ts';
import { createUsedOauthStateTables, type UsedOauthStateTables } from '../../web/account/github/used-oauth-states.ts';
import { createKeyRevealTables, type KeyRevealTables } from '../../web/account/keys/key-reveal-store.ts';
import { createPublicGradeTables, type PublicGradeTables } from '../../web/grade/grade-counter.ts';
import { createWebhookTables } from '../../webhooks/store/create-webhook-tables.ts';
import type { WebhookTables } from '../../webhooks/store/sql-webhook-tables.ts';

/** The relational tables. They are looked up, not folded. Each subject adds its own tables here. */
interface RegistryTables
  extends KeyTables,
    IdempotencyTables,
    ForecastRecordTables,
    ConnectorTables,
    MailTables,
    PublicGradeTables,
    UsedOauthStateTables,
    UserTables,
    KeyRevealTables,
    LinkTables,
    BetTables,
    MyBooksTables,
    SealKeyTables,
    TrialTables,
    WebhookTables {}

/** All names that earlier versions stored. */
export const RENAMES: readonly StoredRename[] = [
  ...IDENTITY_RENAMES,
  JOBS_RENAME,
  CHARGED_ACCOUNTS_RENAME,
  IDEMPOTENCY_RENAME,
];

export type RegistryDatabase = Kysely<RegistryTables>;

/**
 * Opens the registry on a connection of its own, gives tables of earlier versions their new names, and creates missing
 * tables. `destroy()` of the result closes the connection
 * too.
 * @param readonly changes nothing: a folder of an earlier version may lack newer tables, and temporary views show those that
 *   had other names
 */
export async function openRegistry(connection: SqliteDatabase, readonly = false): Promise<RegistryDatabase> {
  // The driver's types differ in details from those of the library whose interface it implements.
  const database = connection as unknown as KyselySqlite;
  const registry = new Kysely<RegistryTables>({ dialect: new SqliteDialect({ database }) });
  if (readonly) {
    viewRenamed(connection, RENAMES);
    return registry;
  }
  renameStored(connection, RENAMES);
  await createKeyTables(registry);
  await createIdempotencyTables(registry);
  await createForecastRecordTables(registry);
  await createConnectorTables(registry);
  await createMailTables(registry);
  await createPublicGradeTables(registry);
  await createUsedOauthStateTables(registry);
  await createUserTables(registry);
  await createRecoveryTables(registry);
  await createKeyRevealTables(registry);
  await createLinkTables(registry);
  await createBetTables(registry);
  await createMyBooksTables(registry);
  await createSealKeyTables(registry);
  await createTrialTables(registry);
  await createWebhookTables(registry);
  return registry;
}
