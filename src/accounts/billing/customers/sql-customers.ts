import { type Kysely, sql } from 'kysely';
import { containing } from '../../../platform/sql/like-pattern.ts';
import type { KeyTables } from '../../keys/key-tables.ts';
import { CUSTOMERS_A_PAGE, type CustomerRows } from './customer-rows.ts';

/** In a relational database, through the query builder. */
export function sqlCustomers(registry: Kysely<any>): CustomerRows {
  const database = registry as Kysely<Pick<KeyTables, 'accounts'>>;
  const rows = () =>
    database.selectFrom('accounts').select(['id as accountId', 'email', 'plan', 'created_at as createdAt']);

  return {
    async find(accountId) {
      return rows().where('id', '=', accountId).executeTakeFirst();
    },
    async list(page, q) {
      const text = q.trim().toLowerCase();
      const id = /^[1-9]\d{0,14}$/.test(text) ? Number(text) : undefined;
      const isFound = sql<boolean>`(email like ${containing(text)} escape '\\' or id = ${id ?? null})`;
      const listed = rows().$if(text !== '', (query) => query.where(isFound));
      const { total } = await database
        .selectFrom('accounts')
        .select(({ fn }) => fn.countAll<number>().as('total'))
        .$if(text !== '', (query) => query.where(isFound))
        .executeTakeFirstOrThrow();
      const customers = await listed
        .orderBy('id', 'desc')
        .limit(CUSTOMERS_A_PAGE)
        .offset((page - 1) * CUSTOMERS_A_PAGE)
        .execute();
      return { customers, total: Number(total) };
    },
  };
}
