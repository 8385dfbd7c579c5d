import { setImmediate } from 'node:timers/promises';
import { type Kysely, type Selectable, sql } from 'kysely';
import type { SecretBox } from '../../api/calls/secret-box.ts';
import { SQLITE, type SqlDialect } from '../../platform/sql/dialects.ts';
import { type QueryRunner, type QuerySteps, queryRows } from '../../platform/sql/query-runner.ts';
import { compileTemplate } from '../../platform/sql/query-template.ts';
import { maskAddress } from '../formats/service-address.ts';
import { createAttemptQueries } from './sql-webhook-attempts.ts';
import { createDueQueries } from './sql-webhook-due.ts';
import { createEndQueries } from './sql-webhook-ends.ts';
import { createLeaseQueries } from './sql-webhook-leases.ts';
import { createMessageQueries } from './sql-webhook-messages.ts';
import { createPruningQueries } from './sql-webhook-pruning.ts';
import { createQuietQueries } from './sql-webhook-quiet.ts';
import { createReplayQueries } from './sql-webhook-replays.ts';
import { addressContext, secretContext, toDelivery, toSubscription } from './sql-webhook-rows.ts';
import { createSharedStatements, SUBSCRIPTIONS_LOCK } from './sql-webhook-shared.ts';
import type { WebhookSubscriptionTable, WebhookTables } from './sql-webhook-tables.ts';
import { type DeliveryQuery, type NewSubscription, TooManySubscriptions, type WebhookStore } from './webhook-store.ts';

/** Rows of a removed subscription deleted in one transaction. */
const ROWS_PER_TRANSACTION = 1000;

/** Subscriptions of an account, those that have ended included. */
const MAX_KEPT_SUBSCRIPTIONS = 1000;

/** A webhook store in an SQLite file; `runner` must be of that file. */
export const createSqliteWebhookStore = (registry: Kysely<any>, runner: QueryRunner, box: SecretBox): WebhookStore =>
  createSqlWebhookStore(registry, runner, SQLITE, box);

/**
 * A webhook store in a relational database.
 * @param database holds the tables and builds the queries; its own connection is not used
 */
export function createSqlWebhookStore(
  database: Kysely<WebhookTables>,
  runner: QueryRunner,
  dialect: SqlDialect,
  box: SecretBox,
): WebhookStore {
  const parts = { database, runner, dialect };
  const { bumpActiveVersion, cancelPending } = createSharedStatements(parts);
  const version = compileTemplate<{ readonly active_version: number }>(
    database.selectFrom('webhook_state').select('active_version').where('id', '=', 1),
  );
  const subscriptions = () => database.selectFrom('webhook_subscriptions').selectAll();
  const opened = (row: Selectable<WebhookSubscriptionTable>) => toSubscription(row, box);
  const allOf = async (query: ReturnType<typeof subscriptions>) => (await runner.all(query)).map(opened);

  function* create(input: NewSubscription, max: number | undefined): QuerySteps<Selectable<WebhookSubscriptionTable>> {
    const { run } = input;
    if (max !== undefined || run !== undefined) yield dialect.lock(`webhooks of account ${input.accountId}`);
    if (run !== undefined) {
      const madeBefore = subscriptions().where('account_id', '=', input.accountId).where('made_in', '=', run);
      const [before] = yield* queryRows(madeBefore);
      if (before) return before;
    }
    if (max !== undefined) {
      const [active] = yield* queryRows(activeOf(input.accountId));
      if (active!.count >= max) throw new TooManySubscriptions(max);
      const [kept] = yield* queryRows(keptOf(input.accountId));
      if (kept!.count >= MAX_KEPT_SUBSCRIPTIONS) throw new TooManySubscriptions(MAX_KEPT_SUBSCRIPTIONS);
    }
    const { format = 'ledgerline', filter = null, quietSeconds = 0 } = input;
    const shownUrl = maskAddress(format, input.url);
    const row = {
      account_id: input.accountId,
      scopes: JSON.stringify(input.scopes),
      format: format === 'ledgerline' ? null : format,
      url: shownUrl,
      filter: filter && JSON.stringify(filter),
      quiet_seconds: quietSeconds === 0 ? null : quietSeconds,
      event_types: JSON.stringify(input.eventTypes),
      sport: input.sport,
      event_id: input.eventId,
      secret: '',
      created_at: input.createdAt,
      created_after: input.createdAfter === null ? null : String(input.createdAfter),
      is_active: 1,
      made_in: run ?? null,
    };
    const [made] = yield* queryRows(database.insertInto('webhook_subscriptions').values(row).returning('id'));
    const { id } = made!;
    // The encryption contexts need the id, which is known only now.
    const secret = box.seal(input.secret, secretContext(id));
    const sealed_url = shownUrl === input.url ? null : box.seal(input.url, addressContext(id));
    const [sealed] = yield* queryRows(
      database.updateTable('webhook_subscriptions').set({ secret, sealed_url }).where('id', '=', id).returningAll(),
    );
    yield bumpActiveVersion();
    return sealed!;
  }

  function* remove(id: number, accountId: number): QuerySteps<boolean> {
    yield dialect.lock(SUBSCRIPTIONS_LOCK);
    const removed = yield* queryRows(
      database
        .deleteFrom('webhook_subscriptions')
        .where('id', '=', id)
        .where('account_id', '=', accountId)
        .returning('id'),
    );
    if (removed.length === 0) return false;
    const slots = database.deleteFrom('webhook_quiet').where('subscription_id', '=', id);
    yield [slots, ...cancelPending(id), ...bumpActiveVersion()];
    return true;
  }

  function* rotate(id: number, secret: string, previousUntil: number, run?: string): QuerySteps<void> {
    const rotated = yield* queryRows(
      database
        .updateTable('webhook_subscriptions')
        .set({ previous_secret: sql`secret`, previous_until: previousUntil })
        .set({ secret: box.seal(secret, secretContext(id)), rotated_in: run ?? null })
        .where('id', '=', id)
        .$if(run !== undefined, (one) =>
          one.where(({ or, eb }) => or([eb('rotated_in', 'is', null), eb('rotated_in', '!=', run!)])),
        )
        .returning('id'),
    );
    if (rotated.length > 0) yield bumpActiveVersion();
  }

  function* dropSome(table: 'webhook_messages' | 'webhook_deliveries', id: number): QuerySteps<number> {
    const some = database.selectFrom(table).select('id').where('subscription_id', '=', id).limit(ROWS_PER_TRANSACTION);
    return (yield* queryRows(database.deleteFrom(table).where('id', 'in', some).returning('id'))).length;
  }

  const keptOf = (accountId: number) =>
    database
      .selectFrom('webhook_subscriptions')
      .select(({ fn }) => fn.countAll<number>().as('count'))
      .where('account_id', '=', accountId);
  const activeOf = (accountId: number) => keptOf(accountId).where('is_active', '=', 1);

  return {
    create: async (input, max) => opened(await runner.transact(() => create(input, max))),
    find: async (id) => (await allOf(subscriptions().where('id', '=', id)))[0],
    list: (accountId) => allOf(subscriptions().where('account_id', '=', accountId).orderBy('id')),
    active: () => allOf(subscriptions().where('is_active', '=', 1).orderBy('id')),
    async activeVersion() {
      return (await runner.all(version({})))[0]!.active_version;
    },
    async remove(id, accountId) {
      if (!(await runner.transact(() => remove(id, accountId)))) return false;
      // Nobody can see these rows any more. There may be very many, so other work gets a turn in between.
      for (const table of ['webhook_messages', 'webhook_deliveries'] as const) {
        while ((await runner.transact(() => dropSome(table, id))) === ROWS_PER_TRANSACTION) await setImmediate();
      }
      return true;
    },
    rotate: (id, secret, previousUntil, run) => runner.transact(() => rotate(id, secret, previousUntil, run)),
    async deliveries(query) {
      return (await runner.all(deliveriesQuery(database, query))).map(toDelivery);
    },
    ...createEndQueries(parts, box),
    ...createMessageQueries(parts),
    ...createDueQueries(parts),
    ...createReplayQueries(parts),
    ...createPruningQueries(parts),
    ...createAttemptQueries(parts),
    ...createQuietQueries(parts),
    ...createLeaseQueries(parts),
  };
}

/** A literal instead of a parameter, since it decides which partial index can be used. */
const sqlFlag = (value: boolean) => sql.lit(value ? 1 : 0);

function deliveriesQuery(database: Kysely<WebhookTables>, query: DeliveryQuery) {
  const { subscriptionId, afterId, limit, success, givenUp, eventType, endedAfter } = query;
  let rows = database.selectFrom('webhook_deliveries').selectAll().where('subscription_id', '=', subscriptionId);
  if (afterId !== undefined) rows = rows.where('id', '<', afterId);
  if (endedAfter !== undefined) rows = rows.where('delivered_at', '>', endedAfter);
  if (success !== undefined) rows = rows.where('success', '=', sqlFlag(success));
  if (givenUp !== undefined) rows = rows.where('given_up', '=', sqlFlag(givenUp));
  if (eventType !== undefined) rows = rows.where('event_type', '=', eventType);
  return rows.orderBy('id', 'desc').limit(limit);
}
