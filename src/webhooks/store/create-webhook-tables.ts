import { type Kysely, sql } from 'kysely';
import { ONE_PARTITION } from '../../domain/event-sourcing/partition-of.ts';
import { POSTGRES, SQLITE, type SqlDialect } from '../../platform/sql/dialects.ts';
import { addMissingColumns, type LaterColumns, withColumns } from '../../platform/sqlite/schema-upgrades.ts';

/** No table has a foreign key: the rows of a removed subscription are deleted bit by bit. */
export async function createWebhookTables(database: Kysely<any>, dialect: SqlDialect = SQLITE): Promise<void> {
  const { schema } = database;
  const { integer, real, id } = dialect.types;
  await schema
    .createTable('webhook_subscriptions')
    .ifNotExists()
    // Ids are never reused: a client's old id must not become someone else's.
    .addColumn('id', integer, id)
    .addColumn('account_id', integer, (column) => column.notNull())
    .addColumn('scopes', 'text', (column) => column.notNull())
    .addColumn('url', 'text', (column) => column.notNull())
    .addColumn('event_types', 'text', (column) => column.notNull())
    .addColumn('sport', 'text')
    .addColumn('event_id', integer)
    .addColumn('secret', 'text', (column) => column.notNull())
    .addColumn('previous_secret', 'text')
    .addColumn('previous_until', integer)
    .addColumn('created_at', integer, (column) => column.notNull())
    .addColumn('created_after', 'text')
    .addColumn('is_active', integer, (column) => column.notNull())
    .addColumn('deactivated_reason', 'text')
    .addColumn('deactivated_at', integer)
    .addColumn('failing_since', integer)
    .addColumn('made_in', 'text')
    .addColumn('rotated_in', 'text')
    .$call(withColumns(dialect === SQLITE ? alertColumns(dialect) : {}))
    .execute();
  await schema
    .createTable('webhook_messages')
    .ifNotExists()
    .addColumn('id', integer, id)
    .addColumn('webhook_id', 'text', (column) => column.notNull())
    .addColumn('subscription_id', integer, (column) => column.notNull())
    .addColumn('event_type', 'text', (column) => column.notNull())
    .addColumn('event_id', integer)
    .addColumn('body', 'text', (column) => column.notNull())
    .addColumn('created_at', integer, (column) => column.notNull())
    .addColumn('attempts', integer, (column) => column.notNull())
    .addColumn('next_attempt_at', integer)
    .addColumn('last_delivery_id', integer)
    .addColumn('is_replayed', integer)
    .execute();
  await schema
    .createTable('webhook_deliveries')
    .ifNotExists()
    .addColumn('id', integer, id)
    .addColumn('subscription_id', integer, (column) => column.notNull())
    .addColumn('message_id', integer, (column) => column.notNull())
    .addColumn('event_type', 'text', (column) => column.notNull())
    .addColumn('event_id', integer)
    .addColumn('attempt', integer, (column) => column.notNull())
    .addColumn('parent_delivery_id', integer)
    .addColumn('status_code', integer)
    .addColumn('success', integer, (column) => column.notNull())
    .addColumn('error', 'text')
    .addColumn('given_up', integer, (column) => column.notNull())
    .addColumn('next_retry_at', integer)
    .addColumn('delivered_at', integer, (column) => column.notNull())
    .execute();
  await schema
    .createTable('webhook_charges')
    .ifNotExists()
    .addColumn('id', integer, id)
    .addColumn('webhook_id', 'text', (column) => column.notNull().unique())
    .addColumn('account_id', integer, (column) => column.notNull())
    .addColumn('credits', real, (column) => column.notNull())
    .addColumn('started_at', integer, (column) => column.notNull())
    .addColumn('ended_at', integer, (column) => column.notNull())
    .addColumn('status_code', integer, (column) => column.notNull())
    .addColumn('is_taken', integer, (column) => column.notNull())
    .addColumn('shard', integer)
    .addColumn('event_type', 'text')
    .execute();
  await schema
    .createTable('webhook_state')
    .ifNotExists()
    .addColumn('id', integer, (column) => column.primaryKey())
    .addColumn('position', 'text')
    .addColumn('active_version', integer, (column) => column.notNull())
    .execute();
  await database
    .insertInto('webhook_state')
    .values({ id: 1, position: null, active_version: 0 })
    .onConflict((conflict) => conflict.doNothing())
    .execute();
  await schema
    .createTable('webhook_replays')
    .ifNotExists()
    .addColumn('id', integer, id)
    .addColumn('subscription_id', integer, (column) => column.notNull())
    .addColumn('begun_at', integer, (column) => column.notNull())
    .addColumn('begins_until', integer)
    .execute();
  if (dialect === SQLITE) {
    await addMissingColumns(database, 'webhook_subscriptions', {
      ...alertColumns(dialect),
      made_in: 'text',
      rotated_in: 'text',
    });
    await addMissingColumns(database, 'webhook_messages', { is_replayed: 'integer' });
    await addMissingColumns(database, 'webhook_charges', { shard: 'integer', event_type: 'text' });
  }
  await createPublisherPositions(database, dialect);
  if (dialect === SQLITE) await addMissingColumns(database, 'webhook_places', { latest_at: 'integer' });
  await createLeases(database, dialect);
  if (dialect === SQLITE) {
    await createQuietSlots(database, dialect);
    await addMissingColumns(database, 'webhook_quiet', QUIET_COLUMNS);
  }
  await createIndexes(database);
  if (dialect === SQLITE && (await hasIndexOfAlerts(database))) await tellOwnersOfSignedWebhooks(database);
}

/** The index of ended subscriptions from before those of signed webhooks were in it. */
const INDEX_OF_ALERTS = 'webhook_subscriptions_untold';

async function hasIndexOfAlerts(database: Kysely<any>): Promise<boolean> {
  const found = await sql`select 1 from sqlite_master where type = 'index' and name = ${INDEX_OF_ALERTS}`.execute(
    database,
  );
  return found.rows.length > 0;
}

/** Columns of subscriptions for people. */
const alertColumns = ({ types: { integer } }: SqlDialect): LaterColumns => ({
  format: 'text',
  sealed_url: 'text',
  filter: 'text',
  quiet_seconds: integer,
  refusals: integer,
  told_at: integer,
});

const QUIET_COLUMNS: LaterColumns = { delivered_at: 'integer' };

/** For a registry from before there were subscriptions for people. */
export async function addAlerts(database: Kysely<any>): Promise<void> {
  for (const [column, type] of Object.entries(alertColumns(POSTGRES))) {
    await database.schema.alterTable('webhook_subscriptions').addColumn(column, type).execute();
  }
  await createQuietSlots(database, POSTGRES);
}

/** For a registry from before it was known when a quiet subscription was last told of an event. */
export async function addQuietDeliveryTimes({ schema }: Kysely<any>): Promise<void> {
  await schema.alterTable('webhook_quiet').addColumn('delivered_at', 'bigint').execute();
}

async function createQuietSlots({ schema }: Kysely<any>, dialect: SqlDialect): Promise<void> {
  const { integer } = dialect.types;
  await schema
    .createTable('webhook_quiet')
    .ifNotExists()
    .addColumn('subscription_id', integer, (column) => column.notNull())
    .addColumn('event_id', integer, (column) => column.notNull())
    .addColumn('slot_at', integer, (column) => column.notNull())
    .addColumn('message_id', integer, (column) => column.notNull())
    .addColumn('position', 'text', (column) => column.notNull())
    .addColumn('change_index', integer, (column) => column.notNull())
    .$call(withColumns(dialect === SQLITE ? QUIET_COLUMNS : {}))
    .addPrimaryKeyConstraint('webhook_quiet_key', ['subscription_id', 'event_id'])
    .execute();
  await schema.createIndex('webhook_quiet_by_age').ifNotExists().on('webhook_quiet').columns(['slot_at']).execute();
  await createEndedIndex(schema);
}

const createEndedIndex = (schema: Kysely<any>['schema']): Promise<void> =>
  schema
    .createIndex('webhook_subscriptions_ended')
    .ifNotExists()
    .on('webhook_subscriptions')
    .columns(['id'])
    .where(sql<boolean>`is_active = 0 and told_at is null`)
    .execute();

/**
 * For a registry from before owners of signed webhooks were told of their end: nobody is told of one of long ago. Its
 * index goes last: until then it is done again.
 */
export async function tellOwnersOfSignedWebhooks(database: Kysely<any>): Promise<void> {
  await database
    .updateTable('webhook_subscriptions')
    .set(({ ref }) => ({ told_at: ref('deactivated_at') }))
    .where('is_active', '=', 0)
    .where('told_at', 'is', null)
    .where('format', 'is', null)
    .execute();
  await createEndedIndex(database.schema);
  await database.schema.dropIndex(INDEX_OF_ALERTS).ifExists().execute();
}

/** For a registry from before positions had times. */
export async function addPublisherPositionTimes(database: Kysely<any>): Promise<void> {
  await sql`alter table webhook_places add column if not exists latest_at bigint`.execute(database);
}

/** The single position of an earlier version becomes the position of the whole log. */
async function createPublisherPositions(database: Kysely<any>, dialect: SqlDialect): Promise<void> {
  await database.schema
    .createTable('webhook_places')
    .ifNotExists()
    .addColumn('partition', 'text', (column) => column.primaryKey())
    .addColumn('position', 'text', (column) => column.notNull())
    .addColumn('latest_at', dialect.types.integer)
    .execute();
  await database
    .insertInto('webhook_places')
    .columns(['partition', 'position'])
    .expression((from) =>
      from
        .selectFrom('webhook_state')
        .select([sql.lit(ONE_PARTITION).as('partition'), 'position'])
        .where('position', 'is not', null),
    )
    .onConflict((conflict) => conflict.doNothing())
    .execute();
}

async function createLeases({ schema }: Kysely<any>, { types: { integer, id } }: SqlDialect): Promise<void> {
  await schema
    .createTable('webhook_dispatchers')
    .ifNotExists()
    // Epochs are never reused.
    .addColumn('epoch', integer, id)
    .addColumn('owner', 'text', (column) => column.notNull().unique())
    .addColumn('until', integer)
    .execute();
  await schema
    .createTable('webhook_shards')
    .ifNotExists()
    .addColumn('shard', integer, (column) => column.primaryKey())
    .addColumn('epoch', integer, (column) => column.notNull())
    .execute();
}

/** The partial indexes hold few rows: due messages, failures, pending charges. */
async function createIndexes({ schema }: Kysely<any>): Promise<void> {
  const index = (name: string, table: string, columns: readonly string[]) =>
    schema
      .createIndex(name)
      .ifNotExists()
      .on(table)
      .columns([...columns]);
  const isPending = sql<boolean>`next_attempt_at is not null`;

  await index('webhook_subscriptions_by_account', 'webhook_subscriptions', ['account_id', 'id']).execute();

  const messages = 'webhook_messages';
  await index('webhook_messages_by_name', messages, ['subscription_id', 'webhook_id']).unique().execute();
  // Covers everything that a replay reads.
  await index('webhook_messages_by_subscription', messages, ['subscription_id', 'id', 'created_at']).execute();
  await index('webhook_messages_due', messages, ['next_attempt_at', 'id']).where(isPending).execute();
  await index('webhook_messages_pending', messages, ['subscription_id', 'next_attempt_at']).where(isPending).execute();

  await index('webhook_messages_replayed', messages, ['subscription_id'])
    .where(sql<boolean>`is_replayed = 1`)
    .execute();
  // Without due messages, so that an old backlog is not read again at each pruning.
  await index('webhook_messages_ended', messages, ['created_at'])
    .where(sql<boolean>`next_attempt_at is null`)
    .execute();

  const deliveries = 'webhook_deliveries';
  await index('webhook_deliveries_by_age', deliveries, ['delivered_at']).execute();
  await index('webhook_deliveries_by_subscription', deliveries, ['subscription_id', 'id']).execute();
  await index('webhook_deliveries_by_type', deliveries, ['subscription_id', 'event_type', 'id']).execute();
  await index('webhook_deliveries_failed', deliveries, ['subscription_id', 'id'])
    .where(sql<boolean>`success = 0`)
    .execute();
  await index('webhook_deliveries_given_up', deliveries, ['subscription_id', 'id'])
    .where(sql<boolean>`given_up = 1`)
    .execute();

  await index('webhook_replays_by_subscription', 'webhook_replays', ['subscription_id', 'begun_at']).execute();

  await index('webhook_charges_pending', 'webhook_charges', ['id']).where(sql<boolean>`is_taken = 0`).execute();
}
