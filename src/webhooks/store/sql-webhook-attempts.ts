import { sql } from 'kysely';
import { type QuerySteps, queryRows, runStepsTogether } from '../../platform/sql/query-runner.ts';
import { compileTemplate, placeholder } from '../../platform/sql/query-template.ts';
import { createSharedStatements, type SqlWebhookContext, SUBSCRIPTIONS_LOCK } from './sql-webhook-shared.ts';
import { LeaseLost, shardOf } from './webhook-shards.ts';
import { type DeliveryAttempt, MAX_REFUSALS, type WebhookStore } from './webhook-store.ts';

interface MessageState {
  readonly id: number;
  readonly subscription_id: number;
  readonly attempts: number;
  readonly is_active: number;
  readonly failing_since: number | null;
  readonly refusals: number | null;
}

interface SubscriptionState {
  readonly id: number;
  isActive: boolean;
  failingSince: number | null;
  refusals: number;
}

/** A delivery row to be written, with the new state of its message. */
interface DeliveryInsert {
  readonly subscriptionId: number;
  readonly messageId: number;
  readonly eventType: string;
  readonly eventId: number | null;
  readonly attempt: number;
  readonly parent: number | null;
  readonly statusCode: number | null;
  readonly success: number;
  readonly error: string | null;
  readonly givenUp: number;
  readonly retryAt: number | null;
  readonly at: number;
}

interface RecordingPlan {
  readonly recorded: readonly DeliveryInsert[];
  /** Subscriptions whose health has changed. */
  readonly health: readonly SubscriptionState[];
  readonly deactivated: readonly { readonly id: number; readonly reason: string; readonly at: number }[];
}

/** Records attempts: reads the states together, decides in order, writes together. */
export function createAttemptQueries(parts: SqlWebhookContext): Pick<WebhookStore, 'record'> {
  const { runner, dialect } = parts;
  const { bumpActiveVersion, cancelPending } = createSharedStatements(parts);
  const statements = attemptStatements(parts);

  function refuseLost(shards: readonly number[], rows: readonly { readonly shard: number }[]): void {
    const held = new Set(rows.map(({ shard }) => shard));
    const lost = shards.filter((shard) => !held.has(shard));
    if (lost.length > 0) throw new LeaseLost(lost);
  }

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
    const outcome = planRecording(attempts, standing);
    if (outcome.recorded.length > 0) yield* write(outcome);
  }

  function* write({ recorded, health, deactivated }: RecordingPlan): QuerySteps<void> {
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

function planRecording(attempts: readonly DeliveryAttempt[], standing: readonly MessageState[]): RecordingPlan {
  const made = new Map(standing.map((row) => [row.id, row.attempts]));
  const subscriptions = new Map<number, SubscriptionState>();
  for (const { subscription_id: id, is_active, failing_since, refusals } of standing) {
    subscriptions.set(id, {
      id,
      isActive: is_active === 1,
      failingSince: failing_since,
      refusals: refusals ?? 0,
    });
  }
  const recorded: DeliveryInsert[] = [];
  const health = new Set<SubscriptionState>();
  const deactivated: RecordingPlan['deactivated'][number][] = [];
  for (const attempted of attempts) {
    const { message, success, at, refused } = attempted;
    const before = made.get(message.id);
    const subscription = subscriptions.get(message.subscriptionId);
    // The subscription was removed, or this attempt is recorded already.
    if (before === undefined || subscription === undefined || before > message.attempts) continue;
    const refusals = success ? 0 : subscription.refusals + Number(refused ?? false);
    const reason = attempted.deactivate ?? (refusals >= MAX_REFUSALS ? 'refused' : undefined);
    const mayRetry = subscription.isActive && reason === undefined;
    const row = rowOf(attempted, mayRetry ? attempted.retryAt : null);
    recorded.push(row);
    made.set(message.id, row.attempt);
    const failingSince = success ? null : (subscription.failingSince ?? at);
    if (!attempted.skipped && (failingSince !== subscription.failingSince || refusals !== subscription.refusals)) {
      Object.assign(subscription, { failingSince, refusals });
      health.add(subscription);
    }
    if (reason === undefined || !subscription.isActive) continue;
    subscription.isActive = false;
    deactivated.push({ id: subscription.id, reason, at });
  }
  return { recorded, health: [...health], deactivated };
}

const rowOf = ({ message, success, at, ...attempted }: DeliveryAttempt, retryAt: number | null): DeliveryInsert => ({
  subscriptionId: message.subscriptionId,
  messageId: message.id,
  eventType: message.eventType,
  eventId: message.eventId,
  attempt: message.attempts + 1,
  parent: message.lastDeliveryId,
  statusCode: attempted.statusCode,
  success: Number(success),
  error: attempted.error,
  givenUp: Number(attempted.givenUp),
  retryAt,
  at,
});

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
  const health = dialect.jsonRows(placeholder('rows'), { id: 'integer', failingSince: 'integer', refusals: 'integer' });
  const built = <Row>(query: ReturnType<typeof sql<Row>>) =>
    compileTemplate<Row>({ compile: () => query.compile(database) });
  return {
    // A dispatcher that takes over a shard must wait until the attempts under the old lease are recorded.
    held: compileTemplate<{ readonly shard: number }>(
      database
        .selectFrom('webhook_shards')
        .select('shard')
        .where('epoch', '=', placeholder<number>('epoch'))
        .where('shard', 'in', dialect.jsonValues<number>(placeholder('shards'), 'integer'))
        .$if(dialect.isShared, (query) => query.forShare()),
    ),
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
        .select(['m.id', 'm.subscription_id', 'm.attempts', 's.is_active', 's.failing_since', 's.refusals'])
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
