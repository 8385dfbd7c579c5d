import type { Kysely } from 'kysely';
import type { SecretBox } from '../../../api/calls/secret-box.ts';
import { SQLITE, type SqlDialect } from '../../../platform/sql/dialects.ts';

/** How long the secret of a new key can be shown, in milliseconds. */
export const REVEAL_LIFETIME_MS = 10 * 60 * 1000;

/** The secret of a new key. */
interface NewSecret {
  readonly keyId: number;
  /** The session that made the key. No other session can see the secret. */
  readonly sessionId: number;
  readonly secret: string;
  /** From this time on the secret is not shown any more, in milliseconds. */
  readonly until: number;
}

/**
 * Holds the secrets of new keys, encrypted and across restarts, until they are shown once to the session that made the
 * key. Several processes may use it at once. `now` is in milliseconds.
 */
export interface KeyRevealStore {
  save(secret: NewSecret): Promise<void>;
  /** Whether `consume` would give the secret now. */
  isAvailable(keyId: number, sessionId: number, now: number): Promise<boolean>;
  /**
   * Gives the secret and erases it in one step, so only one of two concurrent calls gets it. Undefined if it is gone.
   */
  consume(keyId: number, sessionId: number, now: number): Promise<string | undefined>;
  /** Erases the secret of a revoked key. */
  drop(keyId: number): Promise<void>;
}

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
