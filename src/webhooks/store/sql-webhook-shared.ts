import { type Kysely, sql } from 'kysely';
import type { SqlDialect } from '../../platform/sql/dialects.ts';
import type { Compilable, QueryRunner } from '../../platform/sql/query-runner.ts';
import { compileTemplate, placeholder } from '../../platform/sql/query-template.ts';
import type { WebhookTables } from './sql-webhook-tables.ts';
import { LeaseLost } from './webhook-shards.ts';

/** Shared by the parts of the store. */
export interface SqlWebhookContext {
  /** Builds the queries. */
  readonly database: Kysely<WebhookTables>;
  /** Runs the queries. */
  readonly runner: QueryRunner;
  readonly dialect: SqlDialect;
}

/**
 * Shared by writers that make messages due, exclusive for writers that end everything a subscription has pending.
 * Otherwise a message made due for a subscription that ends at the same moment would stay.
 */
export const SUBSCRIPTIONS_LOCK = 'webhook subscriptions';

/** Statements used by several changes. Each belongs into the transaction of its cause. */
interface SharedStatements {
  /** The result of `active` changes. Must be the last statement: all writers wait for each other at this row. */
  bumpActiveVersion(): readonly Compilable<unknown>[];
  /** Ends everything that the subscription has pending: no message is due, and no row has a next retry. */
  cancelPending(subscriptionId: number): readonly Compilable<unknown>[];
}

export function createSharedStatements({ database }: Pick<SqlWebhookContext, 'database'>): SharedStatements {
  const counted = compileTemplate(
    database.updateTable('webhook_state').set({ active_version: sql`active_version + 1` }).where('id', '=', 1),
  );
  const promised = compileTemplate(
    database
      .updateTable('webhook_deliveries')
      .set({ next_retry_at: null })
      .where('next_retry_at', 'is not', null)
      .where('id', 'in', (where) =>
        where
          .selectFrom('webhook_messages')
          .select('last_delivery_id')
          .where('subscription_id', '=', placeholder<number>('id'))
          .where('next_attempt_at', 'is not', null)
          .$castTo<{ last_delivery_id: number }>(),
      ),
  );
  const pending = compileTemplate(
    database
      .updateTable('webhook_messages')
      .set({ next_attempt_at: null, is_replayed: null })
      .where('subscription_id', '=', placeholder<number>('id'))
      .where('next_attempt_at', 'is not', null),
  );
  return {
    bumpActiveVersion: () => [counted({})],
    cancelPending: (id) => [promised({ id }), pending({ id })],
  };
}

/** Which of these shards a lease holds. A dispatcher that takes one over waits until the transaction is over. */
export const heldShards = (database: SqlWebhookContext['database'], dialect: SqlDialect) =>
  compileTemplate<{ readonly shard: number }>(
    database
      .selectFrom('webhook_shards')
      .select('shard')
      .where('epoch', '=', placeholder<number>('epoch'))
      .where('shard', 'in', dialect.jsonValues<number>(placeholder('shards'), 'integer'))
      .$if(dialect.isShared, (query) => query.forShare()),
  );

/** @throws LeaseLost if a shard is not among those that the lease holds */
export function refuseLost(shards: readonly number[], rows: readonly { readonly shard: number }[]): void {
  const held = new Set(rows.map(({ shard }) => shard));
  const lost = shards.filter((shard) => !held.has(shard));
  if (lost.length > 0) throw new LeaseLost(lost);
}
