import { type Kysely, sql } from 'kysely';
import type { SqliteTransactions } from '../../sqlite/query-runner.ts';
import { gap, template } from '../../sqlite/query-template.ts';
import { LeaseLost, shardOf } from './shards.ts';
import { webhookEndings } from './sqlite-webhook-endings.ts';
import type { WebhookTables } from './sqlite-webhook-tables.ts';
import type { Attempted, WebhookStore } from './webhook-store.ts';

interface Standing {
  readonly attempts: number;
  readonly is_active: number;
  readonly failing_since: number | null;
}

/** What attempts leave behind. */
export function webhookAttempts(
  database: Kysely<WebhookTables>,
  transactions: SqliteTransactions,
): Pick<WebhookStore, 'record'> {
  const { activeChanges, endPending } = webhookEndings(database, transactions);
  const statements = attemptStatements(database);

  function recordOne(attempted: Attempted): void {
    const { message, charge, success, at } = attempted;
    const { subscriptionId } = message;
    if (charge) transactions.run(statements.charge({ ...charge, shard: shardOf(subscriptionId) }));
    const [standing] = transactions.all(statements.standing({ id: message.id }));
    // The subscription was removed, or this very attempt stands there already.
    if (!standing || standing.attempts > message.attempts) return;
    const mayRetry = standing.is_active === 1 && attempted.deactivate === undefined;
    const retryAt = mayRetry ? attempted.retryAt : null;
    if (message.lastDeliveryId !== null) transactions.run(statements.retried({ id: message.lastDeliveryId }));
    const attempt = message.attempts + 1;
    const row = {
      subscriptionId,
      messageId: message.id,
      eventType: message.eventType,
      eventId: message.eventId,
      attempt,
      parent: message.lastDeliveryId,
      statusCode: attempted.statusCode,
      success: Number(success),
      error: attempted.error,
      givenUp: Number(attempted.givenUp),
      retryAt,
      at,
    };
    const [delivery] = transactions.all(statements.delivery(row));
    transactions.run(statements.message({ id: message.id, attempt, retryAt, deliveryId: delivery!.id }));
    const failingSince = success ? null : (standing.failing_since ?? at);
    if (!attempted.skipped && failingSince !== standing.failing_since) {
      transactions.run(statements.health({ id: subscriptionId, failingSince }));
      activeChanges();
    }
    if (attempted.deactivate !== undefined && standing.is_active === 1) {
      transactions.run(statements.deactivate({ id: subscriptionId, reason: attempted.deactivate, at }));
      endPending(subscriptionId);
      activeChanges();
    }
  }

  function refuseLost(attempts: readonly Attempted[], epoch: number): void {
    const held = new Set(transactions.all(statements.held({ epoch })).map(({ shard }) => shard));
    const lost = attempts.map(({ message }) => shardOf(message.subscriptionId)).filter((shard) => !held.has(shard));
    if (lost.length > 0) throw new LeaseLost(lost);
  }

  return {
    async record(attempts, epoch) {
      if (attempts.length === 0) return;
      // A charge is to be on disk before it is taken: the message of one that was forgotten would be sent and charged
      // again. Without one, what a power failure undoes is sent again under its name, as is what was under way.
      const isPaid = attempts.some(({ charge }) => charge !== undefined);
      (isPaid ? transactions.within : transactions.withinUnflushed)(() => {
        refuseLost(attempts, epoch);
        attempts.forEach(recordOne);
      });
    },
  };
}

function attemptStatements(database: Kysely<WebhookTables>) {
  return {
    held: template<{ readonly shard: number }>(
      database.selectFrom('webhook_shards').select('shard').where('epoch', '=', gap<number>('epoch')),
    ),
    charge: template(
      database
        .insertInto('webhook_charges')
        .values({
          webhook_id: gap('webhookId'),
          account_id: gap('accountId'),
          credits: gap('credits'),
          started_at: gap('startedAt'),
          ended_at: gap('endedAt'),
          status_code: gap('statusCode'),
          is_taken: 0,
          shard: gap('shard'),
          event_type: gap('eventType'),
        })
        .onConflict((conflict) => conflict.column('webhook_id').doNothing()),
    ),
    standing: template<Standing>(
      database
        .selectFrom('webhook_messages as m')
        .innerJoin('webhook_subscriptions as s', 's.id', 'm.subscription_id')
        .select(['m.attempts', 's.is_active', 's.failing_since'])
        .where('m.id', '=', gap<number>('id')),
    ),
    retried: template(
      database
        .updateTable('webhook_deliveries')
        .set({ next_retry_at: null })
        .where('id', '=', gap<number>('id'))
        .where('next_retry_at', 'is not', null),
    ),
    delivery: template<{ readonly id: number }>(
      database
        .insertInto('webhook_deliveries')
        .values({
          subscription_id: gap('subscriptionId'),
          message_id: gap('messageId'),
          event_type: gap('eventType'),
          event_id: gap('eventId'),
          attempt: gap('attempt'),
          parent_delivery_id: gap('parent'),
          status_code: gap('statusCode'),
          success: gap('success'),
          error: gap('error'),
          given_up: gap('givenUp'),
          next_retry_at: gap('retryAt'),
          delivered_at: gap('at'),
        })
        .returning('id'),
    ),
    message: template(
      database
        .updateTable('webhook_messages')
        .set({ attempts: gap('attempt'), next_attempt_at: gap('retryAt'), last_delivery_id: gap('deliveryId') })
        .set({ is_replayed: null })
        .where('id', '=', gap<number>('id')),
    ),
    health: template(
      database
        .updateTable('webhook_subscriptions')
        .set({ failing_since: gap('failingSince') })
        .where('id', '=', gap<number>('id')),
    ),
    deactivate: template(
      database
        .updateTable('webhook_subscriptions')
        .set({ is_active: sql.lit(0), deactivated_reason: gap('reason'), deactivated_at: gap('at') })
        .where('id', '=', gap<number>('id')),
    ),
  };
}
