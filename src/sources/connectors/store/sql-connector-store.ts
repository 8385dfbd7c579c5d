import type { Kysely } from 'kysely';
import { SQLITE, type SqlDialect } from '../../../platform/sql/dialects.ts';
import type { ConnectorStore } from './connector-store.ts';

interface FeedLeaseTable {
  /** The table has one row. */
  id: number;
  owner: string;
  /** Milliseconds. */
  until: number;
}

interface FeedBudgetTable {
  source: string;
  day: string;
  used: number;
  /** Milliseconds. */
  not_before: number;
  /** 0 or 1. */
  is_over: number;
  provider_remaining: number | null;
}

export interface ConnectorTables {
  feed_lease: FeedLeaseTable;
  feed_budgets: FeedBudgetTable;
}

const ROW = 1;

export async function createConnectorTables(
  { schema }: Kysely<any>,
  { types: { integer, real } }: SqlDialect = SQLITE,
): Promise<void> {
  await schema
    .createTable('feed_lease')
    .ifNotExists()
    .addColumn('id', integer, (column) => column.primaryKey())
    .addColumn('owner', 'text', (column) => column.notNull())
    .addColumn('until', integer, (column) => column.notNull())
    .execute();
  await schema
    .createTable('feed_budgets')
    .ifNotExists()
    .addColumn('source', 'text', (column) => column.primaryKey())
    .addColumn('day', 'text', (column) => column.notNull())
    .addColumn('used', real, (column) => column.notNull())
    .addColumn('not_before', integer, (column) => column.notNull())
    .addColumn('is_over', integer, (column) => column.notNull())
    .addColumn('provider_remaining', real)
    .execute();
}

/** Every change is one statement: if two owners claim at once, only one gets the lease. */
export function createSqlConnectorStore(database: Kysely<ConnectorTables>): ConnectorStore {
  return {
    async claim(owner, now, forMs) {
      const until = now + forMs;
      const row = await database
        .insertInto('feed_lease')
        .values({ id: ROW, owner, until })
        .onConflict((conflict) =>
          conflict
            .column('id')
            .doUpdateSet({ owner, until })
            .where((where) => where.or([where('feed_lease.owner', '=', owner), where('feed_lease.until', '<=', now)])),
        )
        .returning('owner')
        .executeTakeFirst();
      return row?.owner === owner;
    },
    async release(owner) {
      await database.deleteFrom('feed_lease').where('owner', '=', owner).execute();
    },
    async readBudget(source) {
      const row = await database.selectFrom('feed_budgets').selectAll().where('source', '=', source).executeTakeFirst();
      if (!row) return undefined;
      const { day, used, not_before: notBefore, is_over, provider_remaining: providerRemaining } = row;
      return { day, used, notBefore, isOver: is_over === 1, providerRemaining };
    },
    async writeBudget(source, { day, used, notBefore, isOver, providerRemaining }) {
      const row = {
        day,
        used,
        not_before: Math.round(notBefore),
        is_over: isOver ? 1 : 0,
        provider_remaining: providerRemaining,
      };
      await database
        .insertInto('feed_budgets')
        .values({ source, ...row })
        .onConflict((conflict) => conflict.column('source').doUpdateSet(row))
        .execute();
    },
  };
}
