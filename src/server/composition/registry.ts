import { Kysely, type SqliteDatabase as KyselySqlite, SqliteDialect } from 'kysely';
import { createKeyTables, type KeyTables } from '../../accounts/keys/key-tables.ts';
import { createPeopleTables, type PeopleTables } from '../../accounts/users/people-tables.ts';
import {
  createRememberedAnswerTables,
  type RememberedAnswerTables,
} from '../../api/calls/once/remembered-answer-tables.ts';
import { createForecastRecordTables, type ForecastRecordTables } from '../../forecasting/sql-kept-record.ts';
import { createMailTables, type MailTables } from '../../platform/mail/sql-mails.ts';
import type { SqliteDatabase } from '../../platform/sqlite/sqlite-database.ts';
import { createKeptFeedTables, type KeptFeedTables } from '../../sources/connectors/sql-kept-feeds.ts';
import { createUsedStateTables, type UsedStateTables } from '../../web/account/github/used-states.ts';
import { createKeyRevealTables, type KeyRevealTables } from '../../web/account/keys/sql-key-reveals.ts';
import { createSheetGradeTables, type SheetGradeTables } from '../../web/grade/sql-grades.ts';
import { createWebhookTables, type WebhookTables } from '../../webhooks/store/sql-webhook-tables.ts';

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
