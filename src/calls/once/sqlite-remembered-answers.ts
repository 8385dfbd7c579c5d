import type { Kysely } from 'kysely';
import { REMEMBERED_FOR, type RememberedAnswers } from './remembered-answers.ts';

interface RememberedAnswerTable {
  account_id: number;
  path: string;
  key: string;
  request_hash: string;
  /** JSON. */
  answer: string;
  /** Milliseconds. */
  kept_at: number;
}

export interface RememberedAnswerTables {
  remembered_answers: RememberedAnswerTable;
}

/** How many of those that are too old go with each that comes: more than come, so that they do not pile up. */
const SWEPT_AT_ONCE = 10;

export async function createRememberedAnswerTables(database: Kysely<any>): Promise<void> {
  await database.schema
    .createTable('remembered_answers')
    .ifNotExists()
    // No account has the id 0, under which the operator's own key calls.
    .addColumn('account_id', 'integer', (column) => column.notNull())
    .addColumn('path', 'text', (column) => column.notNull())
    .addColumn('key', 'text', (column) => column.notNull())
    .addColumn('request_hash', 'text', (column) => column.notNull())
    .addColumn('answer', 'text', (column) => column.notNull())
    .addColumn('kept_at', 'integer', (column) => column.notNull())
    .addPrimaryKeyConstraint('remembered_answers_by_place', ['account_id', 'path', 'key'])
    .execute();
  await database.schema
    .createIndex('remembered_answers_by_time')
    .ifNotExists()
    .on('remembered_answers')
    .column('kept_at')
    .execute();
}

/** Every change is one statement, as with the keys. */
export function sqliteRememberedAnswers<Tables extends RememberedAnswerTables>(
  registry: Kysely<Tables>,
): RememberedAnswers {
  const database = registry as unknown as Kysely<RememberedAnswerTables>;
  return {
    async find({ accountId, path, key }, now) {
      const row = await database
        .selectFrom('remembered_answers')
        .select(['request_hash', 'answer'])
        .where('account_id', '=', accountId)
        .where('path', '=', path)
        .where('key', '=', key)
        .where('kept_at', '>', now - REMEMBERED_FOR)
        .executeTakeFirst();
      return row && { requestHash: row.request_hash, answer: JSON.parse(row.answer) as unknown };
    },
    async keep({ accountId, path, key }, { requestHash, answer }, now) {
      const kept = { request_hash: requestHash, answer: JSON.stringify(answer), kept_at: now };
      await database
        .insertInto('remembered_answers')
        .values({ account_id: accountId, path, key, ...kept })
        .onConflict((conflict) => conflict.columns(['account_id', 'path', 'key']).doUpdateSet(kept))
        .execute();
      await sweep(database, now);
    },
  };
}

async function sweep(database: Kysely<RememberedAnswerTables>, now: number): Promise<void> {
  const old = await database
    .selectFrom('remembered_answers')
    .select(['account_id', 'path', 'key', 'kept_at'])
    .where('kept_at', '<=', now - REMEMBERED_FOR)
    .orderBy('kept_at')
    .limit(SWEPT_AT_ONCE)
    .execute();
  if (old.length === 0) return;
  await database
    .deleteFrom('remembered_answers')
    // Their times too: one of them may have been replaced since.
    .where((where) => where.or(old.map((place) => where.and({ ...place }))))
    .execute();
}
