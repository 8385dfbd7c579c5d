import { sql } from 'kysely';
import { type QuerySteps, queryRows, runStepsTogether } from '../../platform/sql/query-runner.ts';
import { compileTemplate, placeholder } from '../../platform/sql/query-template.ts';
import { type AttemptEffects, effectsOfAttempts, type MessageState } from './attempt-effects.ts';
import {
  createSharedStatements,
  heldShards,
  refuseLost,
  type SqlWebhookContext,
  SUBSCRIPTIONS_LOCK,
} from './sql-webhook-shared.ts';
import { shardOf } from './webhook-shards.ts';
import type { DeliveryAttempt, WebhookStore } from './webhook-store.ts';

/** Records attempts: reads the states together, decides in order, writes together. */
export function createAttemptQueries(parts: SqlWebhookContext): Pick<WebhookStore, 'record'> {
  const { runner, dialect } = parts;
  const { bumpActiveVersion, cancelPending } = createSharedStatements(parts);
  const statements = attemptStatements(parts);

  function* recordAll(attempts: readonly DeliveryAttempt[], epoch: number): QuerySteps<void> {
    if (attempts.some(({ deactivate, refused }) => deactivate !== undefined || refused))
      yield dialect.lock(SUBSCRIPTIONS_LOCK);
    const these = JSON.stringify([...new Set(attempts.map(({ message }) => message.id))]);
    const shards = attempts.map(({ message }) => shardOf(message.subscriptionId));
    const [held, standing] = yield* runStepsTogether(
      queryRows(statements.held({ epoch, shards: JSON.stringify([...new Set(shards)]) })),
      queryRows(statements.standing({ these })),
    );
    refuseLost(shards, held);
    const charges = attempts.flatMap(({ charge, message }) =>
      charge ? [{ ...charge, shard: shardOf(message.subscriptionId) }] : [],
    );
    if (charges.length > 0) yield statements.charges({ charges: JSON.stringify(charges) });
    const outcome = effectsOfAttempts(attempts, standing);
    if (outcome.recorded.length > 0) yield* write(outcome);
  }

  function* write({ recorded, health, deactivated, told }: AttemptEffects): QuerySteps<void> {
    const retried = recorded.flatMap(({ parent }) => parent ?? []);
    if (retried.length > 0) yield statements.retried({ these: JSON.stringify(retried) });
    const rows = yield* queryRows(statements.deliveries({ rows: JSON.stringify(recorded) }));
    const idOf = new Map(rows.map((row) => [`${row.message_id}/${row.attempt}`, row.id]));
    // Of several attempts of one message the last one counts.
    const messages = new Map(recorded.map((row) => [row.messageId, row]));
    const changed = [...messages.values()].map(({ messageId: id, attempt, retryAt }) => ({
      id,
      attempt,
      retryAt,
      deliveryId: idOf.get(`${id}/${attempt}`),
    }));
    yield [
      statements.messages({ rows: JSON.stringify(changed) }),
      ...(told.length > 0 ? [statements.told({ rows: JSON.stringify(told) })] : []),
      ...(health.length > 0 ? [statements.health({ rows: JSON.stringify(health) })] : []),
      ...deactivated.flatMap((ended) => [statements.deactivate(ended), ...cancelPending(ended.id)]),
      ...(health.length + deactivated.length > 0 ? bumpActiveVersion() : []),
    ];
  }

  return {
    async record(attempts, epoch) {
      if (attempts.length === 0) return;
      // A charge must be on disk before it is collected. Otherwise, after a power failure, the message would be sent
      // and charged again. Without a charge no flush is needed: a lost attempt is sent again under the same webhook id,
      // as running attempts are.
      const isFlushed = attempts.some(({ charge }) => charge !== undefined);
      await runner.transact(() => recordAll(attempts, epoch), { isFlushed });
    },
  };
}

function attemptStatements({ database, dialect }: SqlWebhookContext) {
  const charges = dialect.jsonRows(placeholder('charges'), {
    webhookId: 'text',
    accountId: 'integer',
    credits: 'real',
    startedAt: 'integer',
    endedAt: 'integer',
    statusCode: 'integer',
    shard: 'integer',
    eventType: 'text',
  });
  const deliveries = dialect.jsonRows(placeholder('rows'), {
    subscriptionId: 'integer',
    messageId: 'integer',
    eventType: 'text',
    eventId: 'integer',
    attempt: 'integer',
    parent: 'integer',
    statusCode: 'integer',
    success: 'integer',
    error: 'text',
    givenUp: 'integer',
    retryAt: 'integer',
    at: 'integer',
  });
  const messages = dialect.jsonRows(placeholder('rows'), {
    id: 'integer',
    attempt: 'integer',
    retryAt: 'integer',
    deliveryId: 'integer',
  });
  const told = dialect.jsonRows(placeholder('rows'), { subscriptionId: 'integer', eventId: 'integer', at: 'integer' });
  const health = dialect.jsonRows(placeholder('rows'), { id: 'integer', failingSince: 'integer', refusals: 'integer' });
  const built = <Row>(query: ReturnType<typeof sql<Row>>) =>
    compileTemplate<Row>({ compile: () => query.compile(database) });
  return {
    held: heldShards(database, dialect),
    charges: built(sql`
      insert into webhook_charges
        (webhook_id, account_id, credits, started_at, ended_at, status_code, is_taken, shard, event_type)
      select g."webhookId", g."accountId", g.credits, g."startedAt", g."endedAt", g."statusCode", 0, g.shard, g."eventType"
      from ${charges} as g where true
      on conflict (webhook_id) do nothing`),
    standing: compileTemplate<MessageState>(
      database
        .selectFrom('webhook_messages as m')
        .innerJoin('webhook_subscriptions as s', 's.id', 'm.subscription_id')
        .select([
          'm.id',
          'm.subscription_id',
          'm.attempts',
          's.is_active',
          's.failing_since',
          's.refusals',
          's.quiet_seconds',
        ])
        .where('m.id', 'in', dialect.jsonValues<number>(placeholder('these'), 'integer'))
        .orderBy('m.id')
        .$if(dialect.isShared, (query) => query.forUpdate('m')),
    ),
    retried: compileTemplate(
      database
        .updateTable('webhook_deliveries')
        .set({ next_retry_at: null })
        .where('id', 'in', dialect.jsonValues<number>(placeholder('these'), 'integer'))
        .where('next_retry_at', 'is not', null),
    ),
    deliveries: built(sql<{ readonly id: number; readonly message_id: number; readonly attempt: number }>`
      insert into webhook_deliveries
        (subscription_id, message_id, event_type, event_id, attempt, parent_delivery_id, status_code, success, error,
        given_up, next_retry_at, delivered_at)
      select g."subscriptionId", g."messageId", g."eventType", g."eventId", g.attempt, g.parent, g."statusCode",
        g.success, g.error, g."givenUp", g."retryAt", g.at
      from ${deliveries} as g where true
      returning id, message_id, attempt`),
    messages: built(sql`
      update webhook_messages
      set attempts = g.attempt, next_attempt_at = g."retryAt", last_delivery_id = g."deliveryId", is_replayed = null
      from ${messages} as g where webhook_messages.id = g.id`),
    told: built(sql`
      update webhook_quiet set delivered_at = g.at
      from (select "subscriptionId", "eventId", max(at) as at from ${told} as t group by 1, 2) as g
      where webhook_quiet.subscription_id = g."subscriptionId" and webhook_quiet.event_id = g."eventId"`),
    health: built(sql`
      update webhook_subscriptions set failing_since = g."failingSince", refusals = g.refusals
      from ${health} as g where webhook_subscriptions.id = g.id`),
    deactivate: compileTemplate(
      database
        .updateTable('webhook_subscriptions')
        .set({ is_active: sql.lit(0), deactivated_reason: placeholder('reason'), deactivated_at: placeholder('at') })
        .where('id', '=', placeholder<number>('id')),
    ),
  };
}
