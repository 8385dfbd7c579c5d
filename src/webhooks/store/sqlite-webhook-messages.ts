import { setImmediate } from 'node:timers/promises';
import { type Kysely, type RawBuilder, sql } from 'kysely';
import type { SqliteTransactions } from '../../sqlite/query-runner.ts';
import { gap, template } from '../../sqlite/query-template.ts';
import { SHARDS } from './shards.ts';
import { type MessageRow, toCharge, toMessage } from './sqlite-webhook-rows.ts';
import type { WebhookPlaceTable, WebhookTables } from './sqlite-webhook-tables.ts';
import type { NewMessage, WebhookStore } from './webhook-store.ts';

type Messages = Pick<
  WebhookStore,
  'places' | 'publish' | 'add' | 'due' | 'nextDueAt' | 'pendingCharges' | 'charged' | 'replay'
>;

/** Rows of a replay that change together: nobody else writes meanwhile, and nothing else happens in this process. */
const REPLAYED_AT_ONCE = 1000;

interface NextDue {
  readonly at: number | null;
}

/** What is to be sent, and what was sent but is not paid yet. */
export function webhookMessages(database: Kysely<WebhookTables>, transactions: SqliteTransactions): Messages {
  const statements = messageStatements(database);
  const valuesOf = ({ createdAt, ...message }: NewMessage) => ({ ...message, at: createdAt });

  const places = (): ReadonlyMap<string, bigint> =>
    new Map(transactions.all(statements.places({})).map((row) => [row.partition, BigInt(row.position)]));

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
    places: async () => places(),
    async publish(messages, { partition, position }) {
      transactions.within(() => {
        for (const message of messages) transactions.run(statements.insert(valuesOf(message)));
        const before = places().get(partition);
        // Another publisher may have come further already.
        if (before === undefined || position > before) {
          transactions.run(statements.place({ partition, position: String(position) }));
        }
      });
    },
    async add(message) {
      const [row] = transactions.all(statements.add(valuesOf(message)));
      if (!row) throw new Error(`subscription ${message.subscriptionId} is not active, or has this message already`);
      return toMessage({ ...row, is_paid: 0 });
    },
    async due(now, limit, except, shards) {
      const given = { now, limit, except: JSON.stringify([...except]) };
      const found = shards
        ? statements.dueOf({ ...given, shards: JSON.stringify([...shards]) })
        : statements.due(given);
      return transactions.all(found).map(toMessage);
    },
    async nextDueAt(after, shards) {
      const next = shards
        ? statements.nextDueOf({ after, shards: JSON.stringify([...shards]) })
        : statements.nextDue({ after });
      const [row] = transactions.all(next);
      return row?.at ?? null;
    },
    async pendingCharges(limit, shards) {
      const pending = database
        .selectFrom('webhook_charges')
        .selectAll()
        .where('is_taken', '=', sql.lit(0))
        .$if(shards !== undefined, (all) => all.where(sql<number>`coalesce(shard, 0)`, 'in', [...shards!]))
        .orderBy('id')
        .limit(limit);
      return transactions.all(pending).map(toCharge);
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
  const due = (isWanted: RawBuilder<unknown>) => sql<MessageRow>`
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
    where waiting.id not in (select value from json_each(${gap<string>('except')})) and ${isWanted}
    order by m.next_attempt_at, m.id`;
  // One dispatcher alone, as on one machine, need not look at shards.
  const ofAll = due(sql`true`);
  const ofShards = due(sql`waiting.id % ${sql.lit(SHARDS)} in ${listed<number>('shards')}`);
  const pendingAfter = database.selectFrom('webhook_messages').where('next_attempt_at', '>', gap<number>('after'));

  return {
    insert: template(insert),
    add: template<MessageRow>(insert.returningAll()),
    due: template<MessageRow>({ compile: () => ofAll.compile(database) }),
    dueOf: template<MessageRow>({ compile: () => ofShards.compile(database) }),
    nextDue: template<NextDue>(pendingAfter.select(({ fn }) => fn.min('next_attempt_at').as('at'))),
    // In the order of the index, up to the first of these shards: not over all that is pending.
    nextDueOf: template<NextDue>(
      pendingAfter
        .select('next_attempt_at as at')
        .where(sql<number>`subscription_id % ${sql.lit(SHARDS)}`, 'in', listed<number>('shards'))
        .orderBy('next_attempt_at')
        .limit(1),
    ),
    places: template<WebhookPlaceTable>(database.selectFrom('webhook_places').selectAll()),
    place: template(
      database
        .insertInto('webhook_places')
        .values({ partition: gap('partition'), position: gap('position') })
        .onConflict((conflict) =>
          conflict.column('partition').doUpdateSet((set) => ({ position: set.ref('excluded.position') })),
        ),
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
