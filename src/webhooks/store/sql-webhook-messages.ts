import { type RawBuilder, sql } from 'kysely';
import { rowsOf, type Steps } from '../../platform/sql/query-runner.ts';
import { gap, template } from '../../platform/sql/query-template.ts';
import { type MessageRow, toCharge, toMessage } from './sql-webhook-rows.ts';
import type { WebhookPlaceTable } from './sql-webhook-tables.ts';
import { SUBSCRIPTIONS_LOCK, type WebhookSql } from './webhook-sql.ts';
import { FAR_AHEAD, type NewMessage, NotAdded, type PublisherPlace, type WebhookStore } from './webhook-store.ts';

type Messages = Pick<WebhookStore, 'places' | 'publish' | 'add' | 'pendingCharges' | 'charged'>;

/** What is to be sent, and what was sent but is not paid yet. */
export function webhookMessages(parts: WebhookSql): Messages {
  const { database, runner, dialect } = parts;
  const statements = messageStatements(parts);

  function* publish(messages: readonly NewMessage[], { partition, position }: PublisherPlace): Steps<void> {
    const publishedAt = messages.length === 0 ? null : Math.max(...messages.map(({ createdAt }) => createdAt));
    const place = statements.place({ partition, position: String(position), publishedAt });
    if (messages.length === 0) yield place;
    else {
      yield [
        // Two who publish the same messages would wait for each other, row by row.
        ...dialect.lock(`webhooks of partition ${partition}`),
        ...dialect.lock(SUBSCRIPTIONS_LOCK, 'shared'),
        statements.insert({ messages: JSON.stringify(messages), partition }),
        place,
      ];
    }
  }

  function* add(message: NewMessage): Steps<MessageRow | undefined> {
    yield dialect.lock(SUBSCRIPTIONS_LOCK, 'shared');
    const [row] = yield* rowsOf(statements.add({ messages: JSON.stringify([message]), partition: null }));
    return row;
  }

  return {
    async places() {
      const rows = await runner.all(statements.places({}));
      return new Map(rows.map((row) => [row.partition, BigInt(row.position)]));
    },
    // What a power failure undoes is made again, for the place goes with the messages.
    publish: (messages, place) => runner.transact(() => publish(messages, place), { isFlushed: false }),
    async add(message) {
      const row = await runner.transact(() => add(message));
      if (!row) throw new NotAdded(message.subscriptionId);
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
    async charged(webhookIds) {
      await runner.write([statements.charged({ these: JSON.stringify(webhookIds) })]);
    },
  };
}

/** As `publishedAt` says; null where nothing is published. */
const notBefore = (before: RawBuilder<unknown>, at: RawBuilder<unknown>): RawBuilder<unknown> =>
  sql`case when ${at} is null or (${before} > ${at} and ${before} - ${at} <= ${sql.lit(FAR_AHEAD)})
    then ${before} else ${at} end`;

function messageStatements({ database, dialect }: WebhookSql) {
  const given = dialect.rows(gap('messages'), {
    webhookId: 'text',
    subscriptionId: 'integer',
    eventType: 'text',
    eventId: 'integer',
    body: 'text',
    createdAt: 'integer',
  });
  const before = sql`(select latest_at from webhook_places where partition = ${gap<string | null>('partition')})`;
  const madeAt = notBefore(sql`(select latest_at from made)`, sql`g."createdAt"`);
  // Where the subscription has been removed or has ended meanwhile, nothing is to be sent.
  const insert = sql<MessageRow>`
    with made as ${before}
    insert into webhook_messages
      (webhook_id, subscription_id, event_type, event_id, body, created_at, attempts, next_attempt_at)
    select g."webhookId", s.id, g."eventType", g."eventId", g.body, ${madeAt}, 0, ${madeAt}
    from ${given} as g join webhook_subscriptions as s on s.id = g."subscriptionId"
    where s.is_active = 1 order by g.ord
    on conflict (subscription_id, webhook_id) do nothing`;
  return {
    insert: template({ compile: () => insert.compile(database) }),
    add: template<MessageRow>({ compile: () => sql<MessageRow>`${insert} returning *`.compile(database) }),
    places: template<WebhookPlaceTable>(database.selectFrom('webhook_places').selectAll()),
    // Another publisher may have come further already. Of two numbers as texts the longer one is greater.
    place: template({
      compile: () =>
        sql`
          insert into webhook_places (partition, position, latest_at)
          values (${gap<string>('partition')}, ${gap<string>('position')}, ${gap<number | null>('publishedAt')})
          on conflict (partition) do update set
            position = case
              when length(excluded.position) > length(webhook_places.position)
              or (length(excluded.position) = length(webhook_places.position)
                and excluded.position > webhook_places.position)
              then excluded.position else webhook_places.position end,
            latest_at = ${notBefore(sql`webhook_places.latest_at`, sql`excluded.latest_at`)}`.compile(database),
    }),
    charged: template(
      database
        .updateTable('webhook_charges')
        .set({ is_taken: 1 })
        .where('webhook_id', 'in', dialect.listed<string>(gap('these'), 'text')),
    ),
  };
}
