import { type RawBuilder, sql } from 'kysely';
import { type QuerySteps, queryRows } from '../../platform/sql/query-runner.ts';
import { compileTemplate, placeholder } from '../../platform/sql/query-template.ts';
import { planQuietMessages, type QuietSlot } from './quiet-slots.ts';
import { type MessageRow, toCharge, toMessage } from './sql-webhook-rows.ts';
import { type SqlWebhookContext, SUBSCRIPTIONS_LOCK } from './sql-webhook-shared.ts';
import type { WebhookPublisherPositionTable } from './sql-webhook-tables.ts';
import {
  MAX_CLOCK_LEAD,
  MessageNotAdded,
  type NewMessage,
  type PublisherPosition,
  type WebhookStore,
} from './webhook-store.ts';

type Messages = Pick<WebhookStore, 'publisherPositions' | 'publish' | 'add' | 'pendingCharges' | 'markCharged'>;

/** Messages to send, and charges to collect. */
export function createMessageQueries(parts: SqlWebhookContext): Messages {
  const { database, runner, dialect } = parts;
  const statements = messageStatements(parts);

  function* publish(messages: readonly NewMessage[], { partition, position }: PublisherPosition): QuerySteps<void> {
    const publishedAt = messages.length === 0 ? null : Math.max(...messages.map(({ createdAt }) => createdAt));
    const savePosition = statements.savePosition({ partition, position: String(position), publishedAt });
    if (messages.length === 0) {
      yield savePosition;
      return;
    }
    const locks = [
      // Without this lock, two publishers of the same messages would wait for each other row by row.
      ...dialect.lock(`webhooks of partition ${partition}`),
      ...dialect.lock(SUBSCRIPTIONS_LOCK, 'shared'),
    ];
    const plain = messages.filter(({ quiet }) => quiet === undefined);
    const inserted = plain.length === 0 ? [] : [statements.insert({ messages: JSON.stringify(plain), partition })];
    if (plain.length < messages.length) {
      yield locks;
      yield* publishQuiet(
        messages.filter(({ quiet }) => quiet !== undefined),
        partition,
      );
      yield [...inserted, savePosition];
    } else yield [...locks, ...inserted, savePosition];
  }

  /** Messages of one event come from one partition, so nobody else changes its slots meanwhile. */
  function* publishQuiet(messages: readonly NewMessage[], partition: string): QuerySteps<void> {
    const byEvent = new Map<string, NewMessage[]>();
    for (const message of messages) {
      const key = slotKey(message.subscriptionId, message.eventId!);
      byEvent.set(key, [...(byEvent.get(key) ?? []), message]);
    }
    const events = [...byEvent.values()].map(([first]) => ({ id: first!.subscriptionId, eventId: first!.eventId }));
    const rows = yield* queryRows(statements.slots({ events: JSON.stringify(events) }));
    const slots = new Map(rows.map((row) => [slotKey(row.subscription_id, row.event_id), toSlot(row)]));
    const plans = [...byEvent].map(([key, ofEvent]) => planQuietMessages(slots.get(key), ofEvent));
    const added = plans.flatMap((plan) => plan.added);
    const extended = plans.flatMap((plan) => plan.extended);
    if (extended.length > 0) {
      const told = extended.map(({ message, position, ...slot }) => ({ ...slot, ...message, position: `${position}` }));
      yield [statements.extend({ rows: JSON.stringify(told) }), statements.extendSlots({ rows: JSON.stringify(told) })];
    }
    if (added.length === 0) return;
    const given = added.map(({ quiet, slot, ...message }) => message);
    const made = yield* queryRows(statements.add({ messages: JSON.stringify(given), partition }));
    const bySubscription = new Map(made.map((row) => [slotKey(row.subscription_id, row.webhook_id), row]));
    // The last message of an event takes its slot. A message that is there already was given a slot before.
    const taken = new Map<string, object>();
    for (const { subscriptionId, eventId, webhookId, slot } of added) {
      const row = bySubscription.get(slotKey(subscriptionId, webhookId));
      if (!row) continue;
      const [slotAt, messageId, position] = [row.next_attempt_at, row.id, String(slot.position)];
      const one = { subscriptionId, eventId, slotAt, messageId, position, index: slot.index };
      taken.set(slotKey(subscriptionId, eventId!), one);
    }
    if (taken.size > 0) yield statements.takeSlots({ rows: JSON.stringify([...taken.values()]) });
  }

  function* add(message: NewMessage): QuerySteps<MessageRow | undefined> {
    yield dialect.lock(SUBSCRIPTIONS_LOCK, 'shared');
    const [row] = yield* queryRows(statements.add({ messages: JSON.stringify([message]), partition: null }));
    return row;
  }

  return {
    async publisherPositions() {
      const rows = await runner.all(statements.positions({}));
      return new Map(rows.map((row) => [row.partition, BigInt(row.position)]));
    },
    // No flush is needed: after a power failure the messages are made again, since the position is lost with them.
    publish: (messages, position) => runner.transact(() => publish(messages, position), { isFlushed: false }),
    async add(message) {
      const row = await runner.transact(() => add(message));
      if (!row) throw new MessageNotAdded(message.subscriptionId);
      return toMessage({ ...row, is_paid: 0 });
    },
    async pendingCharges(limit, shards) {
      const pending = database
        .selectFrom('webhook_charges')
        .selectAll()
        .where('is_taken', '=', sql.lit(0))
        .$if(shards !== undefined, (all) => all.where(sql<number>`coalesce(shard, 0)`, 'in', [-1, ...shards!]))
        .orderBy('id')
        .limit(limit);
      return (await runner.all(pending)).map(toCharge);
    },
    async markCharged(webhookIds) {
      await runner.write([statements.charged({ these: JSON.stringify(webhookIds) })]);
    },
  };
}

const slotKey = (subscriptionId: number, of: number | string): string => `${subscriptionId} ${of}`;

interface SlotRow {
  readonly subscription_id: number;
  readonly event_id: number;
  readonly slot_at: number;
  readonly position: string;
  readonly change_index: number;
  readonly message_id: number | null;
  readonly event_type: string | null;
  readonly body: string | null;
}

const toSlot = (row: SlotRow): QuietSlot => ({
  subscriptionId: row.subscription_id,
  eventId: row.event_id,
  at: row.slot_at,
  position: BigInt(row.position),
  index: row.change_index,
  message:
    row.message_id === null
      ? null
      : { id: row.message_id, eventType: row.event_type as NewMessage['eventType'], body: row.body! },
});

/** SQL of `publicationTime`; null if nothing is published. */
const publicationTimeSql = (before: RawBuilder<unknown>, at: RawBuilder<unknown>): RawBuilder<unknown> =>
  sql`case when ${at} is null or (${before} > ${at} and ${before} - ${at} <= ${sql.lit(MAX_CLOCK_LEAD)})
    then ${before} else ${at} end`;

function messageStatements({ database, dialect }: SqlWebhookContext) {
  const given = dialect.jsonRows(placeholder('messages'), {
    webhookId: 'text',
    subscriptionId: 'integer',
    eventType: 'text',
    eventId: 'integer',
    body: 'text',
    createdAt: 'integer',
    dueAt: 'integer',
  });
  const before = sql`(select latest_at from webhook_places where partition = ${placeholder<string | null>('partition')})`;
  const madeAt = publicationTimeSql(sql`(select latest_at from made)`, sql`g."createdAt"`);
  // Skips subscriptions that were removed or have ended meanwhile.
  const insert = sql<MessageRow>`
    with made as ${before}
    insert into webhook_messages
      (webhook_id, subscription_id, event_type, event_id, body, created_at, attempts, next_attempt_at)
    select g."webhookId", s.id, g."eventType", g."eventId", g.body, ${madeAt}, 0,
      case when g."dueAt" > ${madeAt} then g."dueAt" else ${madeAt} end
    from ${given} as g join webhook_subscriptions as s on s.id = g."subscriptionId"
    where s.is_active = 1 order by g.ord
    on conflict (subscription_id, webhook_id) do nothing`;
  const rows = (columns: Parameters<typeof dialect.jsonRows>[1]) => dialect.jsonRows(placeholder('rows'), columns);
  const events = dialect.jsonRows(placeholder('events'), { id: 'integer', eventId: 'integer' });
  const told = rows({
    id: 'integer',
    subscriptionId: 'integer',
    eventId: 'integer',
    eventType: 'text',
    body: 'text',
    position: 'text',
    index: 'integer',
  });
  const taken = rows({
    subscriptionId: 'integer',
    eventId: 'integer',
    slotAt: 'integer',
    messageId: 'integer',
    position: 'text',
    index: 'integer',
  });
  const built = <Row>(query: ReturnType<typeof sql<Row>>) =>
    compileTemplate<Row>({ compile: () => query.compile(database) });
  return {
    // A message that was tried, or that is due at another time than planned, takes no more changes.
    slots: built(sql<SlotRow>`
      select q.subscription_id, q.event_id, q.slot_at, q.position, q.change_index, m.id as message_id, m.event_type, m.body
      from ${events} as g
      join webhook_quiet as q on q.subscription_id = g.id and q.event_id = g."eventId"
      left join webhook_messages as m on m.id = q.message_id and m.attempts = 0 and m.next_attempt_at = q.slot_at
      ${dialect.isShared ? sql`for update of q` : sql``}`),
    extend: built(sql`
      update webhook_messages set body = g.body, event_type = g."eventType"
      from ${told} as g where webhook_messages.id = g.id and attempts = 0`),
    extendSlots: built(sql`
      update webhook_quiet set position = g.position, change_index = g."index"
      from ${told} as g where webhook_quiet.subscription_id = g."subscriptionId" and webhook_quiet.event_id = g."eventId"`),
    takeSlots: built(sql`
      insert into webhook_quiet (subscription_id, event_id, slot_at, message_id, position, change_index)
      select g."subscriptionId", g."eventId", g."slotAt", g."messageId", g.position, g."index" from ${taken} as g where true
      on conflict (subscription_id, event_id) do update set slot_at = excluded.slot_at, message_id = excluded.message_id,
        position = excluded.position, change_index = excluded.change_index`),
    insert: compileTemplate({ compile: () => insert.compile(database) }),
    add: compileTemplate<MessageRow>({ compile: () => sql<MessageRow>`${insert} returning *`.compile(database) }),
    positions: compileTemplate<WebhookPublisherPositionTable>(database.selectFrom('webhook_places').selectAll()),
    // Another publisher may be further already. Of two numbers as text the longer one is greater.
    savePosition: compileTemplate({
      compile: () =>
        sql`
          insert into webhook_places (partition, position, latest_at)
          values (${placeholder<string>('partition')}, ${placeholder<string>('position')}, ${placeholder<number | null>('publishedAt')})
          on conflict (partition) do update set
            position = case
              when length(excluded.position) > length(webhook_places.position)
              or (length(excluded.position) = length(webhook_places.position)
                and excluded.position > webhook_places.position)
              then excluded.position else webhook_places.position end,
            latest_at = ${publicationTimeSql(sql`webhook_places.latest_at`, sql`excluded.latest_at`)}`.compile(
          database,
        ),
    }),
    charged: compileTemplate(
      database
        .updateTable('webhook_charges')
        .set({ is_taken: 1 })
        .where('webhook_id', 'in', dialect.jsonValues<string>(placeholder('these'), 'text')),
    ),
  };
}
