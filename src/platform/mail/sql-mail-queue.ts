import type { Kysely } from 'kysely';
import { SQLITE, type SqlDialect } from '../sql/dialects.ts';
import type { MailQueue } from './mail.ts';

interface MailTable {
  id: string;
  sealed: string;
  failures: number;
  /** Milliseconds: the next attempt, or the end of the claim. */
  due_at: number;
  claim: string | null;
}

export interface MailTables {
  mails: MailTable;
}

export async function createMailTables(
  { schema }: Kysely<any>,
  { types: { integer } }: SqlDialect = SQLITE,
): Promise<void> {
  await schema
    .createTable('mails')
    .ifNotExists()
    .addColumn('id', 'text', (column) => column.primaryKey())
    .addColumn('sealed', 'text', (column) => column.notNull())
    .addColumn('failures', integer, (column) => column.notNull())
    .addColumn('due_at', integer, (column) => column.notNull())
    .addColumn('claim', 'text')
    .execute();
  await schema.createIndex('mails_by_due').ifNotExists().on('mails').columns(['due_at']).execute();
}

/** Each change is one statement and needs no transaction, which on SQLite would hold the file's write lock. */
export const createSqlMailQueue = (database: Kysely<MailTables>): MailQueue => ({
  async add({ id, sealed }, now) {
    await database
      .insertInto('mails')
      .values({ id, sealed, failures: 0, due_at: now, claim: null })
      .onConflict((conflict) => conflict.doNothing())
      .execute();
  },
  async claim(claim, now, forMs, limit) {
    const due = database.selectFrom('mails').select('id').where('due_at', '<=', now).orderBy('due_at').limit(limit);
    const claimed = await database
      .updateTable('mails')
      .set({ claim, due_at: now + forMs })
      .where('id', 'in', due)
      // If two processes find the same row, the second one checks it again after the first has changed it.
      .where('due_at', '<=', now)
      .returning(['id', 'sealed', 'failures'])
      .execute();
    return claimed;
  },
  async drop(id) {
    await database.deleteFrom('mails').where('id', '=', id).execute();
  },
  async postpone(id, claim, dueAt) {
    await database
      .updateTable('mails')
      .set(({ eb }) => ({ failures: eb('failures', '+', 1), due_at: dueAt, claim: null }))
      .where('id', '=', id)
      .where('claim', '=', claim)
      .execute();
  },
  async nextDue() {
    const { next } = await database
      .selectFrom('mails')
      .select(({ fn }) => fn.min('due_at').as('next'))
      .executeTakeFirstOrThrow();
    return next;
  },
});
