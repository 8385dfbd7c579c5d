import type { Kysely } from 'kysely';
import type { SecretBox } from '../../../api/calls/secret-box.ts';
import { SQLITE, type SqlDialect } from '../../../platform/sql/dialects.ts';
import type { KeyRevealStore } from './key-reveal-store.ts';

interface KeyRevealTable {
  key_id: number;
  session_id: number;
  /** The secret, encrypted. */
  sealed: string;
  /** Milliseconds. */
  until: number;
}

export interface KeyRevealTables {
  key_reveals: KeyRevealTable;
}

export async function createKeyRevealTables(
  { schema }: Kysely<any>,
  { types: { integer } }: SqlDialect = SQLITE,
): Promise<void> {
  await schema
    .createTable('key_reveals')
    .ifNotExists()
    .addColumn('key_id', integer, (column) => column.primaryKey())
    .addColumn('session_id', integer, (column) => column.notNull())
    .addColumn('sealed', 'text', (column) => column.notNull())
    .addColumn('until', integer, (column) => column.notNull())
    .execute();
}

/** Each change is one statement, in both databases. */
export function createSqlKeyRevealStore(database: Kysely<KeyRevealTables>, box: SecretBox): KeyRevealStore {
  const contextOf = (keyId: number) => `new api key ${keyId}`;
  /** Deletes secrets that were never shown. */
  const sweep = (now: number) => database.deleteFrom('key_reveals').where('until', '<=', now).execute();

  return {
    async save({ keyId, sessionId, secret, until }) {
      const sealed = box.seal(secret, contextOf(keyId));
      await database
        .insertInto('key_reveals')
        .values({ key_id: keyId, session_id: sessionId, sealed, until })
        .execute();
    },
    async isAvailable(keyId, sessionId, now) {
      const row = await database
        .selectFrom('key_reveals')
        .select('key_id')
        .where('key_id', '=', keyId)
        .where('session_id', '=', sessionId)
        .where('until', '>', now)
        .executeTakeFirst();
      return row !== undefined;
    },
    async consume(keyId, sessionId, now) {
      const consumed = await database
        .deleteFrom('key_reveals')
        .where('key_id', '=', keyId)
        .where('session_id', '=', sessionId)
        .where('until', '>', now)
        .returning('sealed')
        .executeTakeFirst();
      await sweep(now);
      return consumed && box.open(consumed.sealed, contextOf(keyId));
    },
    async drop(keyId) {
      await database.deleteFrom('key_reveals').where('key_id', '=', keyId).execute();
    },
  };
}
