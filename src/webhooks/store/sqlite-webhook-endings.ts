import { type Kysely, sql } from 'kysely';
import type { SqliteTransactions } from '../../sqlite/query-runner.ts';
import { gap, template } from '../../sqlite/query-template.ts';
import type { WebhookTables } from './sqlite-webhook-tables.ts';

/** Steps that several changes share; each belongs into a transaction with what it follows from. */
export interface WebhookEndings {
  /** `active` may give something else from here on. */
  activeChanges(): void;
  /** Nothing of the subscription is due any more, and no row promises a retry. */
  endPending(subscriptionId: number): void;
}

export function webhookEndings(database: Kysely<WebhookTables>, queries: SqliteTransactions): WebhookEndings {
  const counted = template(
    database.updateTable('webhook_state').set({ active_version: sql`active_version + 1` }).where('id', '=', 1),
  );
  const promised = template(
    database
      .updateTable('webhook_deliveries')
      .set({ next_retry_at: null })
      .where('next_retry_at', 'is not', null)
      .where('id', 'in', (where) =>
        where
          .selectFrom('webhook_messages')
          .select('last_delivery_id')
          .where('subscription_id', '=', gap<number>('id'))
          .where('next_attempt_at', 'is not', null)
          .$castTo<{ last_delivery_id: number }>(),
      ),
  );
  const pending = template(
    database
      .updateTable('webhook_messages')
      .set({ next_attempt_at: null, is_replayed: null })
      .where('subscription_id', '=', gap<number>('id'))
      .where('next_attempt_at', 'is not', null),
  );
  return {
    activeChanges: () => void queries.run(counted({})),
    endPending(id) {
      queries.run(promised({ id }));
      queries.run(pending({ id }));
    },
  };
}
