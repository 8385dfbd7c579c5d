import { type Kysely, sql } from 'kysely';
import type { SqliteTransactions } from '../../sqlite/query-runner.ts';
import { gap, template } from '../../sqlite/query-template.ts';
import { listed } from './sqlite-listed.ts';
import { type MessageRow, toCharge, toMessage } from './sqlite-webhook-rows.ts';
import type { WebhookPlaceTable, WebhookTables } from './sqlite-webhook-tables.ts';
import type { NewMessage, WebhookStore } from './webhook-store.ts';

type Messages = Pick<WebhookStore, 'places' | 'publish' | 'add' | 'pendingCharges' | 'charged'>;

/** What is to be sent, and what was sent but is not paid yet. */
export function webhookMessages(database: Kysely<WebhookTables>, transactions: SqliteTransactions): Messages {
  const statements = messageStatements(database);
  const valuesOf = ({ createdAt, ...message }: NewMessage) => ({ ...message, at: createdAt });

  const places = (): ReadonlyMap<string, bigint> =>
    new Map(transactions.all(statements.places({})).map((row) => [row.partition, BigInt(row.position)]));

  return {
    places: async () => places(),
    async publish(messages, { partition, position }) {
      // What a power failure undoes is made again, for the place goes with the messages.
      transactions.withinUnflushed(() => {
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
  };
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

  return {
    insert: template(insert),
    add: template<MessageRow>(insert.returningAll()),
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
  };
}
