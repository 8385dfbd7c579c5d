import { Kysely, type SqliteDatabase as KyselySqlite, SqliteDialect } from 'kysely';
import { createKeyTables, type KeyTables } from '../accounts/keys/key-tables.ts';
import { createRememberedAnswerTables, type RememberedAnswerTables } from '../calls/once/remembered-answer-tables.ts';
import { createKeptFeedTables, type KeptFeedTables } from '../connectors/sql-kept-feeds.ts';
import { createForecastRecordTables, type ForecastRecordTables } from '../forecasting/sql-kept-record.ts';
import { createMailTables, type MailTables } from '../mail/sql-mails.ts';
import { createSheetGradeTables, type SheetGradeTables } from '../sheet/sql-grades.ts';
import { createUsedStateTables, type UsedStateTables } from '../site/github/used-states.ts';
import { createKeyRevealTables, type KeyRevealTables } from '../site/keys/sql-key-reveals.ts';
import type { SqliteDatabase } from '../sqlite/sqlite-database.ts';
import { createPeopleTables, type PeopleTables } from '../users/people-tables.ts';
import { createWebhookTables, type WebhookTables } from '../webhooks/store/sql-webhook-tables.ts';

/** The relational facts: looked up, not folded. Each module adds its own tables here. */
export interface RegistryTables
  extends KeyTables,
    RememberedAnswerTables,
    ForecastRecordTables,
    KeptFeedTables,
    MailTables,
    SheetGradeTables,
    UsedStateTables,
    PeopleTables,
    KeyRevealTables,
    WebhookTables {}

export type RegistryDatabase = Kysely<RegistryTables>;

/**
 * The registry on a connection of its own, with its tables made where they are missing. `destroy()` of the result
 * closes the connection too.
 * @param readonly nothing is made: the folder may be one of an earlier version, which lacks what came later
 */
export async function openRegistry(connection: SqliteDatabase, readonly = false): Promise<RegistryDatabase> {
  // The driver's own types differ in details from those of the library whose interface it has.
  const database = connection as unknown as KyselySqlite;
  const registry = new Kysely<RegistryTables>({ dialect: new SqliteDialect({ database }) });
  if (readonly) return registry;
  await createKeyTables(registry);
  await createRememberedAnswerTables(registry);
  await createForecastRecordTables(registry);
  await createKeptFeedTables(registry);
  await createMailTables(registry);
  await createSheetGradeTables(registry);
  await createUsedStateTables(registry);
  await createPeopleTables(registry);
  await createKeyRevealTables(registry);
  await createWebhookTables(registry);
  return registry;
}
