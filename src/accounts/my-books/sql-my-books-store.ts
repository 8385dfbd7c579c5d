import type { Kysely } from 'kysely';
import { SQLITE, type SqlDialect } from '../../platform/sql/dialects.ts';
import type { Compilable, QueryRunner } from '../../platform/sql/query-runner.ts';
import type { MyBooksStore } from './my-books-store.ts';

export interface MyBooksTables {
  my_books: {
    account_id: number;
    /** JSON array of slugs. */
    books: string;
  };
}

export async function createMyBooksTables(
  { schema }: Kysely<any>,
  { types: { integer } }: SqlDialect = SQLITE,
): Promise<void> {
  await schema
    .createTable('my_books')
    .ifNotExists()
    .addColumn('account_id', integer, (column) => column.primaryKey().references('accounts.id'))
    .addColumn('books', 'text', (column) => column.notNull())
    .execute();
}

/** Accounts that are asked for in one query. */
const ACCOUNTS_AT_ONCE = 500;

/** @param changed what else is written with each change, in its transaction */
export function createSqlMyBooksStore(
  database: Kysely<any>,
  runner: Pick<QueryRunner, 'write'>,
  changed: () => readonly Compilable<unknown>[] = () => [],
): MyBooksStore {
  const db = database as Kysely<MyBooksTables>;
  return {
    async find(accountId) {
      const row = await db
        .selectFrom('my_books')
        .select('books')
        .where('account_id', '=', accountId)
        .executeTakeFirst();
      return row ? (JSON.parse(row.books) as string[]) : null;
    },
    async findSome(accountIds) {
      const found = new Map<number, readonly string[]>();
      for (let from = 0; from < accountIds.length; from += ACCOUNTS_AT_ONCE) {
        const some = accountIds.slice(from, from + ACCOUNTS_AT_ONCE);
        const rows = await db.selectFrom('my_books').selectAll().where('account_id', 'in', some).execute();
        for (const { account_id, books } of rows) found.set(account_id, JSON.parse(books) as string[]);
      }
      return found;
    },
    async put(accountId, given) {
      if (given === null) {
        await runner.write([db.deleteFrom('my_books').where('account_id', '=', accountId), ...changed()]);
        return;
      }
      const books = JSON.stringify(given);
      const put = db
        .insertInto('my_books')
        .values({ account_id: accountId, books })
        .onConflict((conflict) => conflict.column('account_id').doUpdateSet({ books }));
      await runner.write([put, ...changed()]);
    },
  };
}
