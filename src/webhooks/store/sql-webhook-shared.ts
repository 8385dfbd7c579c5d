import { type Kysely, sql } from 'kysely';
import type { SqlDialect } from '../../platform/sql/dialects.ts';
import type { Compilable, QueryRunner } from '../../platform/sql/query-runner.ts';
import { compileTemplate, placeholder } from '../../platform/sql/query-template.ts';
import type { WebhookTables } from './sql-webhook-tables.ts';

/** What each part of the store works with. */
export interface SqlWebhookContext {
  /** Builds the queries. */
  readonly database: Kysely<WebhookTables>;
  /** Runs them. */
  readonly runner: QueryRunner;
  readonly dialect: SqlDialect;
}

/**
 * Who makes messages due shares it, who ends all that subscriptions have pending has it alone: what is made due for one
 * that ends at the same moment would stay.
 */
export const SUBSCRIPTIONS_LOCK = 'webhook subscriptions';

/** Queries that several changes share; each belongs into a transaction with what it follows from. */
interface SharedStatements {
  /** `active` may give something else from here on. The last query: all who change something meet here. */
  bumpActiveVersion(): readonly Compilable<unknown>[];
  /** Nothing of the subscription is due any more, and no row promises a retry. */
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
