import { sql } from 'kysely';
import type { Compilable } from '../../platform/sql/query-runner.ts';
import { gap, template } from '../../platform/sql/query-template.ts';
import type { WebhookSql } from './webhook-sql.ts';

/** Queries that several changes share; each belongs into a transaction with what it follows from. */
export interface WebhookEndings {
  /** `active` may give something else from here on. The last query: all who change something meet here. */
  activeChanges(): readonly Compilable<unknown>[];
  /** Nothing of the subscription is due any more, and no row promises a retry. */
  endPending(subscriptionId: number): readonly Compilable<unknown>[];
}

export function webhookEndings({ database }: Pick<WebhookSql, 'database'>): WebhookEndings {
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
    activeChanges: () => [counted({})],
    endPending: (id) => [promised({ id }), pending({ id })],
  };
}
