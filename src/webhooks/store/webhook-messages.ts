import { setImmediate } from 'node:timers/promises';
import { type Kysely, sql } from 'kysely';
import type { SqliteTransactions } from '../../sqlite/query-runner.ts';
import { gap, template } from '../../sqlite/query-template.ts';
import { type MessageRow, toCharge, toMessage } from './webhook-rows.ts';
import type { NewMessage, WebhookStore } from './webhook-store.ts';
import type { WebhookTables } from './webhook-tables.ts';

type Messages = Pick<
  WebhookStore,
  'checkpoint' | 'publish' | 'add' | 'due' | 'nextDueAt' | 'pendingCharges' | 'charged' | 'replay'
>;

/** Rows of a replay that change together: nobody else writes meanwhile, and nothing else happens in this process. */
const REPLAYED_AT_ONCE = 1000;

/** What is to be sent, and what was sent but is not paid yet. */
export function webhookMessages(database: Kysely<WebhookTables>, transactions: SqliteTransactions): Messages {
  const statements = messageStatements(database);
  const valuesOf = ({ createdAt, ...message }: NewMessage) => ({ ...message, at: createdAt });

  function position(): bigint | null {
    const [row] = transactions.all(statements.position({}));
    return row!.position === null ? null : BigInt(row!.position);
  }

  /** @param from the messages after this one */
  function replaySome(id: number, from: number, createdFrom: number, now: number): readonly number[] {
    return transactions.within(() => {
      const rows = transactions.all(statements.replayable({ id, from, createdFrom }));
      const ids = rows.map((row) => row.id);
      if (ids.length === 0) return ids;
      const these = JSON.stringify(ids);
      transactions.run(statements.promises({ these }));
      transactions.run(statements.replay({ these, now }));
      return ids;
    });
  }

  return {
    checkpoint: async () => position(),
    async publish(messages, checkpoint) {
      transactions.within(() => {
        for (const message of messages) transactions.run(statements.insert(valuesOf(message)));
        const before = position();
        // Another publisher may have come further already.
        if (before === null || checkpoint > before) transactions.run(statements.place({ at: String(checkpoint) }));
      });
    },
    async add(message) {
      const [row] = transactions.all(statements.add(valuesOf(message)));
      if (!row) throw new Error(`subscription ${message.subscriptionId} is not active, or has this message already`);
      return toMessage({ ...row, is_paid: 0 });
    },
    async due(now, limit, except) {
      return transactions.all(statements.due({ now, limit, except: JSON.stringify([...except]) })).map(toMessage);
    },
    async nextDueAt(after) {
      const [row] = transactions.all(statements.nextDue({ after }));
      return row!.at;
    },
    async pendingCharges(limit) {
      return transactions
        .all(
          database
            .selectFrom('webhook_charges')
            .selectAll()
            .where('is_taken', '=', sql.lit(0))
            .orderBy('id')
            .limit(limit),
        )
        .map(toCharge);
    },
    async charged(webhookIds) {
      transactions.run(statements.charged({ these: JSON.stringify(webhookIds) }));
    },
    async replay(id, after, now) {
      let from = 'deliveryId' in after ? messageOf(id, after.deliveryId) : 0;
      const createdFrom = 'from' in after ? after.from : Number.MIN_SAFE_INTEGER;
      let count = 0;
      for (;;) {
        const ids = replaySome(id, from, createdFrom, now);
        count += ids.length;
        if (ids.length < REPLAYED_AT_ONCE) return count;
        from = ids.at(-1)!;
        await setImmediate();
      }
    },
  };

  /** Nothing comes after a row that is none of the subscription's. */
  function messageOf(subscriptionId: number, deliveryId: number): number {
    const [row] = transactions.all(statements.messageOf({ subscriptionId, deliveryId }));
    return row?.message_id ?? Number.MAX_SAFE_INTEGER;
  }
}

function messageStatements(database: Kysely<WebhookTables>) {
  // Where the subscription has been removed or has ended meanwhile, nothing is to be sent.
  const insert = database
    .insertInto('webhook_messages')
    .columns([
      'webhook_id',
      'subscription_id',
      'event_type',
      'event_id',
      'body',
      'created_at',
      'attempts',
      'next_attempt_at',
    ])
    .expression((from) =>
      from
        .selectFrom('webhook_subscriptions')
        .select([
          sql.val(gap<string>('webhookId')).as('webhook_id'),
          'id',
          sql.val(gap<string>('eventType')).as('event_type'),
          sql.val(gap<number | null>('eventId')).as('event_id'),
          sql.val(gap<string>('body')).as('body'),
          sql.val(gap<number>('at')).as('created_at'),
          sql.lit(0).as('attempts'),
          sql.val(gap<number>('at')).as('next_attempt_at'),
        ])
        .where('id', '=', gap<number>('subscriptionId'))
        .where('is_active', '=', sql.lit(1)),
    )
    .onConflict((conflict) => conflict.columns(['subscription_id', 'webhook_id']).doNothing());

  // The subscriptions that have something pending, by leaps through the index, and of each its first.
  const due = sql<MessageRow>`
    with recursive waiting(id) as (
      select min(subscription_id) from webhook_messages where next_attempt_at is not null
      union all
      select (
        select min(subscription_id) from webhook_messages
        where next_attempt_at is not null and subscription_id > waiting.id
      ) from waiting where waiting.id is not null
    )
    select m.*, exists (select 1 from webhook_charges where webhook_id = m.webhook_id) as is_paid
    from waiting
    join webhook_messages as m on m.id in (
      select id from webhook_messages
      where subscription_id = waiting.id and next_attempt_at <= ${gap<number>('now')}
      order by next_attempt_at, id limit ${gap<number>('limit')}
    )
    where waiting.id not in (select value from json_each(${gap<string>('except')}))
    order by m.next_attempt_at, m.id`;

  return {
    insert: template(insert),
    add: template<MessageRow>(insert.returningAll()),
    due: template<MessageRow>({ compile: () => due.compile(database) }),
    nextDue: template<{ readonly at: number | null }>(
      database
        .selectFrom('webhook_messages')
        .select(({ fn }) => fn.min('next_attempt_at').as('at'))
        .where('next_attempt_at', '>', gap<number>('after')),
    ),
    position: template<{ readonly position: string | null }>(
      database.selectFrom('webhook_state').select('position').where('id', '=', 1),
    ),
    place: template(
      database
        .updateTable('webhook_state')
        .set({ position: gap('at') })
        .where('id', '=', 1),
    ),
    charged: template(
      database.updateTable('webhook_charges').set({ is_taken: 1 }).where('webhook_id', 'in', listed<string>('these')),
    ),
    messageOf: template<{ readonly message_id: number }>(
      database
        .selectFrom('webhook_deliveries')
        .select('message_id')
        .where('id', '=', gap<number>('deliveryId'))
        .where('subscription_id', '=', gap<number>('subscriptionId')),
    ),
    replayable: template<{ readonly id: number }>(
      database
        .selectFrom('webhook_messages as m')
        .innerJoin('webhook_subscriptions as s', 's.id', 'm.subscription_id')
        .select('m.id')
        .where('m.subscription_id', '=', gap<number>('id'))
        .where('m.id', '>', gap<number>('from'))
        .where('m.created_at', '>=', gap<number>('createdFrom'))
        .where('s.is_active', '=', sql.lit(1))
        .orderBy('m.id')
        .limit(REPLAYED_AT_ONCE),
    ),
    promises: template(
      database
        .updateTable('webhook_deliveries')
        .set({ next_retry_at: null })
        .where('next_retry_at', 'is not', null)
        .where('id', 'in', (from) =>
          from
            .selectFrom('webhook_messages')
            .select('last_delivery_id')
            .where('id', 'in', listed<number>('these'))
            .$castTo<{ last_delivery_id: number }>(),
        ),
    ),
    replay: template(
      database
        .updateTable('webhook_messages')
        .set({ attempts: 0, next_attempt_at: gap('now'), last_delivery_id: null })
        .where('id', 'in', listed<number>('these')),
    ),
  };
}

/** The members of a JSON array. */
const listed = <T>(name: string) => sql<T>`(select value from json_each(${gap<string>(name)}))`;
