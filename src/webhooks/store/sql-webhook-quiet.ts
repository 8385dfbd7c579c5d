import { sql } from 'kysely';
import { type QuerySteps, queryRows, runStepsTogether } from '../../platform/sql/query-runner.ts';
import { compileTemplate, placeholder } from '../../platform/sql/query-template.ts';
import { decideQuietDelivery, type QuietDecision } from './quiet-deliveries.ts';
import { type MessageRow, toMessage } from './sql-webhook-rows.ts';
import { heldShards, refuseLost, type SqlWebhookContext } from './sql-webhook-shared.ts';
import { shardOf } from './webhook-shards.ts';
import type { QuietTurn, WebhookMessage, WebhookStore } from './webhook-store.ts';

/** After a long outage thousands may wait. What is beyond this is put together at the next turn. */
const MAX_TOGETHER = 200;

/** Holds messages about one event apart when they are sent. */
export function createQuietQueries(parts: SqlWebhookContext): Pick<WebhookStore, 'prepareQuiet'> {
  const { runner } = parts;
  const statements = quietStatements(parts);

  function* prepare({ id, ...message }: WebhookMessage, seconds: number, now: number, epoch: number) {
    const { subscriptionId, eventId } = message;
    const shard = shardOf(subscriptionId);
    const event = { subscriptionId, eventId: eventId! };
    // The publisher puts changes into a message that waits: the lock on the slot lets one of both go first.
    const [held, slots] = yield* runStepsTogether(
      queryRows(statements.held({ epoch, shards: JSON.stringify([shard]) })),
      queryRows(statements.slot(event)),
    );
    refuseLost([shard], held);
    const found = yield* queryRows(statements.waiting({ ...event, id }));
    const rows = found.toSorted((a, b) => a.id - b.id);
    const own = rows.find((row) => row.id === id);
    if (!own) return { kind: 'later', at: now } as const;
    if (own.is_replayed === 1) return { kind: 'send', message: toMessage(own) } as const;
    const waiting = rows.filter((row) => row.is_replayed !== 1).map(toMessage);
    const decision = decideQuietDelivery(waiting, { seconds, deliveredAt: slots[0]?.delivered_at ?? null, now });
    return yield* carryOut(decision, toMessage(own), now);
  }

  function* carryOut(decision: QuietDecision, message: WebhookMessage, now: number): QuerySteps<QuietTurn> {
    if (decision.kind === 'send') return { kind: 'send', message };
    const { id, lastDeliveryId, subscriptionId, eventId } = message;
    if (decision.kind === 'postpone') {
      const { until: at } = decision;
      yield [
        statements.postpone({ id, at }),
        ...(lastDeliveryId === null ? [] : [statements.later({ lastDeliveryId, at })]),
      ];
      return { kind: 'later', at };
    }
    const { into, said, absorbed } = decision;
    yield [
      statements.promises({ these: idsOf(absorbed.flatMap(({ lastDeliveryId: last }) => last ?? [])) }),
      statements.drop({ these: idsOf(absorbed.map((one) => one.id)) }),
      statements.extend({ ...said, id: into, now }),
      statements.takeSlot({ subscriptionId, eventId: eventId!, now }),
    ];
    return into === id ? { kind: 'send', message: { ...message, ...said } } : { kind: 'later', at: now };
  }

  return {
    // No flush is needed: after a power failure the same messages wait, and are put together again.
    prepareQuiet: (message, seconds, now, epoch) =>
      runner.transact(() => prepare(message, seconds, now, epoch), { isFlushed: false }),
  };
}

const idsOf = (ids: readonly number[]): string => JSON.stringify(ids);

function quietStatements({ database, dialect }: SqlWebhookContext) {
  const these = dialect.jsonValues<number>(placeholder('these'), 'integer');
  const subscriptionId = placeholder<number>('subscriptionId');
  const eventId = placeholder<number>('eventId');
  const id = placeholder<number>('id');
  const now = placeholder<number>('now');
  const at = placeholder<number>('at');
  return {
    held: heldShards(database, dialect),
    slot: compileTemplate<{ readonly delivered_at: number | null }>(
      database
        .selectFrom('webhook_quiet')
        .select('delivered_at')
        .where('subscription_id', '=', subscriptionId)
        .where('event_id', '=', eventId)
        .$if(dialect.isShared, (query) => query.forUpdate()),
    ),
    waiting: compileTemplate<MessageRow>({
      compile: () =>
        sql<MessageRow>`select m.*,
          case when exists (select 1 from webhook_charges where webhook_id = m.webhook_id) then 1 else 0 end as is_paid
          from webhook_messages as m
          where m.subscription_id = ${subscriptionId} and m.event_id = ${eventId} and m.next_attempt_at is not null
          order by case when m.id = ${id} then 0 else 1 end, m.id
          limit ${sql.lit(MAX_TOGETHER)}`.compile(database),
    }),
    postpone: compileTemplate(
      database.updateTable('webhook_messages').set({ next_attempt_at: at }).where('id', '=', id),
    ),
    later: compileTemplate(
      database
        .updateTable('webhook_deliveries')
        .set({ next_retry_at: at })
        .where('id', '=', placeholder<number>('lastDeliveryId'))
        .where('next_retry_at', 'is not', null),
    ),
    promises: compileTemplate(
      database
        .updateTable('webhook_deliveries')
        .set({ next_retry_at: null })
        .where('id', 'in', these)
        .where('next_retry_at', 'is not', null),
    ),
    drop: compileTemplate(database.deleteFrom('webhook_messages').where('id', 'in', these)),
    extend: compileTemplate({
      compile: () =>
        sql`update webhook_messages set body = ${placeholder('body')}, event_type = ${placeholder('eventType')},
          next_attempt_at = case when next_attempt_at < ${now} then next_attempt_at else ${now} end
          where id = ${id}`.compile(database),
    }),
    // It was to be sent later: the interval counts from now.
    takeSlot: compileTemplate({
      compile: () =>
        sql`update webhook_quiet set slot_at = ${now}
          where subscription_id = ${subscriptionId} and event_id = ${eventId} and slot_at > ${now}`.compile(database),
    }),
  };
}
