import { setImmediate } from 'node:timers/promises';
import { type Kysely, type Selectable, sql } from 'kysely';
import type { SecretBox } from '../../calls/secret-box.ts';
import type { SqliteTransactions } from '../../sqlite/query-runner.ts';
import { template } from '../../sqlite/query-template.ts';
import { webhookAttempts } from './sqlite-webhook-attempts.ts';
import { webhookDue } from './sqlite-webhook-due.ts';
import { webhookEndings } from './sqlite-webhook-endings.ts';
import { webhookLeases } from './sqlite-webhook-leases.ts';
import { webhookMessages } from './sqlite-webhook-messages.ts';
import { webhookPruning } from './sqlite-webhook-pruning.ts';
import { webhookReplays } from './sqlite-webhook-replays.ts';
import { secretPlace, toDelivery, toSubscription } from './sqlite-webhook-rows.ts';
import type { WebhookSubscriptionTable, WebhookTables } from './sqlite-webhook-tables.ts';
import { type DeliveryQuery, TooManySubscriptions, type WebhookStore } from './webhook-store.ts';

/** Rows of a removed subscription that go together. */
const DROPPED_AT_ONCE = 1000;

/**
 * Subscriptions, and what becomes of them, in an SQLite file. The query builder builds; every change runs at once, for
 * the reason that `sqliteRunner` has.
 * @param registry holds the tables; its own connection is not used
 */
export function sqliteWebhooks<Tables extends WebhookTables>(
  registry: Kysely<Tables>,
  transactions: SqliteTransactions,
  box: SecretBox,
): WebhookStore {
  const database = registry as unknown as Kysely<WebhookTables>;
  const { activeChanges, endPending } = webhookEndings(database, transactions);
  const version = template<{ readonly active_version: number }>(
    database.selectFrom('webhook_state').select('active_version').where('id', '=', 1),
  );
  const subscriptions = () => database.selectFrom('webhook_subscriptions').selectAll();
  const opened = (row: Selectable<WebhookSubscriptionTable>) => toSubscription(row, box);

  function dropSome(table: 'webhook_messages' | 'webhook_deliveries', id: number): number {
    const some = database.selectFrom(table).select('id').where('subscription_id', '=', id).limit(DROPPED_AT_ONCE);
    return transactions.run(database.deleteFrom(table).where('id', 'in', some));
  }

  return {
    async create(wish, most) {
      return transactions.within(() => {
        if (most !== undefined && activeOf(wish.accountId) >= most) throw new TooManySubscriptions(most);
        const row = {
          account_id: wish.accountId,
          scopes: JSON.stringify(wish.scopes),
          url: wish.url,
          event_types: JSON.stringify(wish.eventTypes),
          sport: wish.sport,
          event_id: wish.eventId,
          secret: '',
          created_at: wish.createdAt,
          created_after: wish.createdAfter === null ? null : String(wish.createdAfter),
          is_active: 1,
        };
        const insert = database.insertInto('webhook_subscriptions').values(row).returning('id');
        const { id } = transactions.all<{ id: number }>(insert)[0]!;
        // The place of a secret is known only now.
        const secret = box.seal(wish.secret, secretPlace(id));
        transactions.run(database.updateTable('webhook_subscriptions').set({ secret }).where('id', '=', id));
        activeChanges();
        return opened(transactions.all(subscriptions().where('id', '=', id))[0]!);
      });
    },
    async find(id) {
      return transactions.all(subscriptions().where('id', '=', id)).map(opened)[0];
    },
    async list(accountId) {
      return transactions.all(subscriptions().where('account_id', '=', accountId).orderBy('id')).map(opened);
    },
    async active() {
      return transactions.all(subscriptions().where('is_active', '=', 1).orderBy('id')).map(opened);
    },
    async activeVersion() {
      return transactions.all(version({}))[0]!.active_version;
    },
    async remove(id, accountId) {
      const isRemoved = transactions.within(() => {
        const own = database
          .deleteFrom('webhook_subscriptions')
          .where('id', '=', id)
          .where('account_id', '=', accountId);
        if (transactions.run(own) === 0) return false;
        endPending(id);
        activeChanges();
        return true;
      });
      if (!isRemoved) return false;
      // Nobody sees them any more. There may be very many: others have their turn in between.
      for (const table of ['webhook_messages', 'webhook_deliveries'] as const) {
        while (dropSome(table, id) === DROPPED_AT_ONCE) await setImmediate();
      }
      return true;
    },
    async rotate(id, secret, previousUntil) {
      transactions.within(() => {
        const rotated = database
          .updateTable('webhook_subscriptions')
          .set({ previous_secret: sql`secret`, previous_until: previousUntil })
          .set({ secret: box.seal(secret, secretPlace(id)) })
          .where('id', '=', id);
        if (transactions.run(rotated) > 0) activeChanges();
      });
    },
    async deliveries(query) {
      return transactions.all(deliveriesOf(database, query)).map(toDelivery);
    },
    ...webhookMessages(database, transactions),
    ...webhookDue(database, transactions),
    ...webhookReplays(database, transactions),
    ...webhookPruning(database, transactions),
    ...webhookAttempts(database, transactions),
    ...webhookLeases(database, transactions),
  };

  function activeOf(accountId: number): number {
    const counted = database
      .selectFrom('webhook_subscriptions')
      .select(({ fn }) => fn.countAll<number>().as('count'))
      .where('account_id', '=', accountId)
      .where('is_active', '=', 1);
    return transactions.all<{ count: number }>(counted)[0]!.count;
  }
}

/** What is asked for stands in the statement itself: it decides which index can be used. */
const flag = (value: boolean) => sql.lit(value ? 1 : 0);

function deliveriesOf(database: Kysely<WebhookTables>, query: DeliveryQuery) {
  const { subscriptionId, afterId, limit, success, givenUp, eventType, endedAfter } = query;
  let rows = database.selectFrom('webhook_deliveries').selectAll().where('subscription_id', '=', subscriptionId);
  if (afterId !== undefined) rows = rows.where('id', '<', afterId);
  if (endedAfter !== undefined) rows = rows.where('delivered_at', '>', endedAfter);
  if (success !== undefined) rows = rows.where('success', '=', flag(success));
  if (givenUp !== undefined) rows = rows.where('given_up', '=', flag(givenUp));
  if (eventType !== undefined) rows = rows.where('event_type', '=', eventType);
  return rows.orderBy('id', 'desc').limit(limit);
}
