import { type Generated, type Kysely, sql } from 'kysely';
import type { StoredRename } from '../../../platform/sql/stored-rename.ts';
import { addMissingColumns, hasTable, withColumns } from '../../../platform/sqlite/schema-upgrades.ts';
import type { QuarantinedMessage } from '../identities.ts';
import { firstKeyAfterSource, parseRefRowKey } from '../identity-key.ts';
import { QuarantineCountChanges, toQuarantineCountRow } from '../quarantine-counts.ts';
import { codeFromText, isQuarantineCode } from '../quarantine-reasons.ts';
import { DISMISSED_PREFIX, groupIdOf, kindOf } from '../waiting-groups.ts';

export interface IdentityTables {
  id_counters: { kind: string; next: number };
  /** `key` is the ref of a source, `owner` finds the refs of an entity; `bound_at` in milliseconds. */
  external_ids: { key: string; id: number; swapped: number; owner: string; bound_at: number | null };
  names: { key: string; id: number };
  /** `pair` does not depend on the order of the sides; null for events with a placeholder. */
  fixtures: { id: number; pair: string | null; starts_at: number; side_1: string; side_2: string };
  quarantine: QuarantineRow;
  /** `rowid` is the order in which messages began to wait: SQLite has it in every table. */
  quarantine_keys: { key: string; fingerprint: string; rowid: Generated<number> };
  /** Claims: which owner has claimed a message, until when (milliseconds). */
  quarantine_claims: { fingerprint: string; owner: string; until: number };
  /** Every source that has a ref. */
  named_sources: { source: string };
  /** The number of messages of a source that wait for the same kind of thing. */
  quarantine_counts: { source: string; waits_for: string; accepted: number; number: number; bytes: number };
  /** Keys for which messages were claimed, or that became known, in a batch that is not confirmed. */
  untried_keys: { key: string };
}

/** The names that earlier versions stored. */
export const QUARANTINE_RENAMES: readonly StoredRename[] = [
  { from: 'waiting', to: 'quarantine', columns: { sparing: 'throttle_ms' } },
  {
    from: 'waiting_keys',
    to: 'quarantine_keys',
    indexes: { waiting_keys_key: 'quarantine_keys_key', waiting_keys_fingerprint: 'quarantine_keys_fingerprint' },
  },
  { from: 'waiting_numbers', to: 'quarantine_counts', indexes: { waiting_numbers_key: 'quarantine_counts_key' } },
  { from: 'taken', to: 'quarantine_claims' },
];
export const IDENTITY_RENAMES: readonly StoredRename[] = [
  { from: 'external_ids', to: 'external_ids', columns: { turned: 'swapped' } },
  ...QUARANTINE_RENAMES,
];

type Create = (db: Kysely<any>) => Promise<void>;

/** What tells the groups of waiting messages: see `sql-waiting-groups.ts`. */
export const GROUP_COLUMNS = { code: 'text', candidates: 'text', group_id: 'text', kind: 'text' } as const;

/** Each step creates a table or an index if it is missing. */
const IDENTITY_TABLES: readonly Create[] = [
  (db) =>
    db.schema
      .createTable('id_counters')
      .ifNotExists()
      .addColumn('kind', 'text', (column) => column.primaryKey())
      .addColumn('next', 'bigint', (column) => column.notNull())
      .execute(),
  (db) =>
    db.schema
      .createTable('external_ids')
      .ifNotExists()
      .addColumn('key', 'text', (column) => column.primaryKey())
      .addColumn('id', 'bigint', (column) => column.notNull())
      .addColumn('swapped', 'integer', (column) => column.notNull())
      .addColumn('owner', 'text', (column) => column.notNull())
      .addColumn('bound_at', 'bigint')
      .execute(),
  // Earlier versions did not store when a ref was bound.
  (db) => addMissingColumns(db, 'external_ids', { bound_at: 'bigint' }),
  (db) => db.schema.createIndex('external_ids_owner').ifNotExists().on('external_ids').column('owner').execute(),
  (db) =>
    db.schema
      .createTable('names')
      .ifNotExists()
      .addColumn('key', 'text', (column) => column.notNull())
      .addColumn('id', 'bigint', (column) => column.notNull())
      .addPrimaryKeyConstraint('names_key', ['key', 'id'])
      .execute(),
  (db) =>
    db.schema
      .createTable('fixtures')
      .ifNotExists()
      .addColumn('id', 'bigint', (column) => column.primaryKey())
      .addColumn('pair', 'text')
      .addColumn('starts_at', 'bigint', (column) => column.notNull())
      .addColumn('side_1', 'text', (column) => column.notNull())
      .addColumn('side_2', 'text', (column) => column.notNull())
      .execute(),
  (db) => db.schema.createIndex('fixtures_pair').ifNotExists().on('fixtures').column('pair').execute(),
  (db) => db.schema.createIndex('fixtures_side_1').ifNotExists().on('fixtures').column('side_1').execute(),
  (db) => db.schema.createIndex('fixtures_side_2').ifNotExists().on('fixtures').column('side_2').execute(),
  (db) =>
    db.schema
      .createTable('quarantine')
      .ifNotExists()
      .addColumn('fingerprint', 'text', (column) => column.primaryKey())
      .addColumn('message', 'text', (column) => column.notNull())
      .addColumn('reason', 'text', (column) => column.notNull())
      .addColumn('received_at', 'text', (column) => column.notNull())
      .addColumn('awaited', 'text', (column) => column.notNull())
      .addColumn('accepted', 'integer', (column) => column.notNull())
      .addColumn('throttle_ms', 'integer')
      .$call(withColumns(GROUP_COLUMNS))
      .execute(),
  (db) => addMissingColumns(db, 'quarantine', { throttle_ms: 'integer', ...GROUP_COLUMNS }),
  (db) =>
    db.schema
      .createTable('quarantine_keys')
      .ifNotExists()
      .addColumn('key', 'text', (column) => column.notNull())
      .addColumn('fingerprint', 'text', (column) => column.notNull())
      .execute(),
  (db) =>
    db.schema
      .createIndex('quarantine_keys_fingerprint')
      .ifNotExists()
      .on('quarantine_keys')
      .column('fingerprint')
      .execute(),
  (db) => db.schema.createIndex('quarantine_keys_key').ifNotExists().on('quarantine_keys').column('key').execute(),
  (db) =>
    db.schema
      .createTable('quarantine_claims')
      .ifNotExists()
      .addColumn('fingerprint', 'text', (column) => column.primaryKey())
      .addColumn('owner', 'text', (column) => column.notNull())
      .addColumn('until', 'bigint', (column) => column.notNull())
      .execute(),
  createNamedSources,
  createQuarantineCounts,
  (db) => addMissingColumns(db, 'quarantine_counts', { bytes: 'bigint' }),
  estimateQuarantinedBytes,
  createUntriedKeys,
  groupQuarantined,
  createGroupIndex,
];

/** Creates the missing tables, all or none: a data folder of an earlier version lacks the newer ones. */
export async function createIdentityTables(db: Kysely<any>): Promise<void> {
  await db.transaction().execute(async (transaction) => {
    for (const create of IDENTITY_TABLES) await create(transaction);
  });
}

async function createNamedSources(db: Kysely<any>): Promise<void> {
  if (await hasTable(db, 'named_sources')) return;
  await db.schema
    .createTable('named_sources')
    .addColumn('source', 'text', (column) => column.primaryKey())
    .execute();
  const sources = [...(await sourcesOfRows(db))].map((source) => ({ source }));
  if (sources.length > 0) await (db as Kysely<IdentityTables>).insertInto('named_sources').values(sources).execute();
}

/** Skips from source to source: a folder may hold a million refs of a few sources. */
async function sourcesOfRows(db: Kysely<IdentityTables>): Promise<ReadonlySet<string>> {
  const sources = new Set<string>();
  for (let from = ''; ; ) {
    const rows = db.selectFrom('external_ids').select('key').where('key', '>=', from).orderBy('key').limit(1);
    const row = await rows.executeTakeFirst();
    if (!row) return sources;
    const key = parseRefRowKey(row.key);
    if (!key) throw new Error(`external_ids: ${row.key} is not the name that a source has for something`);
    sources.add(key.source);
    from = firstKeyAfterSource(key);
  }
}

async function createQuarantineCounts(db: Kysely<any>): Promise<void> {
  if (await hasTable(db, 'quarantine_counts')) return;
  await db.schema
    .createTable('quarantine_counts')
    .addColumn('source', 'text', (column) => column.notNull())
    .addColumn('waits_for', 'text', (column) => column.notNull())
    .addColumn('accepted', 'integer', (column) => column.notNull())
    .addColumn('number', 'bigint', (column) => column.notNull())
    .addColumn('bytes', 'bigint')
    .addPrimaryKeyConstraint('quarantine_counts_key', ['source', 'waits_for', 'accepted'])
    .execute();
  const rows = await countQuarantineRows(db);
  if (rows.length > 0) await (db as Kysely<IdentityTables>).insertInto('quarantine_counts').values(rows).execute();
}

/** An earlier version did not store the bytes: each message counts as many as all have on average. */
export async function estimateQuarantinedBytes(db: Kysely<any>): Promise<void> {
  const tables = db as Kysely<IdentityTables>;
  const unknown = await tables
    .selectFrom('quarantine_counts')
    .select('source')
    .where('bytes', 'is', null)
    .limit(1)
    .execute();
  if (unknown.length === 0) return;
  const { bytes } = await tables
    .selectFrom('quarantine')
    .select(({ fn }) => fn.avg<number | null>(sql`length(message)`).as('bytes'))
    .executeTakeFirstOrThrow();
  await tables
    .updateTable('quarantine_counts')
    .set(({ eb }) => ({ bytes: eb('number', '*', Math.round(Number(bytes ?? 0))) }))
    .where('bytes', 'is', null)
    .execute();
}

const ROWS_AT_ONCE = 500;

/** All that is asked of a group but its messages is in the index. */
export async function createGroupIndex(db: Kysely<any>): Promise<void> {
  const index = db.schema.createIndex('quarantine_groups').ifNotExists().on('quarantine');
  await index.columns(['group_id', 'received_at', 'kind']).execute();
}

/** An earlier version did not store the groups. */
export async function groupQuarantined(db: Kysely<any>): Promise<void> {
  const tables = db as Kysely<IdentityTables>;
  const page = tables
    .selectFrom('quarantine')
    .selectAll()
    .where('group_id', 'is', null)
    .where('awaited', 'not like', NOT_DISMISSED)
    .orderBy('fingerprint')
    .limit(ROWS_AT_ONCE);
  for (let after = ''; ; ) {
    const rows = await page.where('fingerprint', '>', after).execute();
    for (const row of rows) {
      const { code, group_id, kind } = toQuarantineRow(readQuarantineRow(row));
      const update = tables.updateTable('quarantine').set({ code, group_id, kind });
      await update.where('fingerprint', '=', row.fingerprint).execute();
    }
    if (rows.length < ROWS_AT_ONCE) return;
    after = rows.at(-1)!.fingerprint;
  }
}

/** Counts the messages row by row, for a folder of an earlier version. */
export async function countQuarantineRows(
  db: Kysely<IdentityTables>,
): Promise<readonly IdentityTables['quarantine_counts'][]> {
  const counts = new QuarantineCountChanges();
  const page = db.selectFrom('quarantine').selectAll().orderBy('fingerprint').limit(ROWS_AT_ONCE);
  for (let after = ''; ; ) {
    const rows = await page.where('fingerprint', '>', after).execute();
    for (const row of rows) counts.add(toQuarantineCountRow(readQuarantineRow(row)), 1);
    if (rows.length < ROWS_AT_ONCE) return counts.all();
    after = rows.at(-1)!.fingerprint;
  }
}

/** An earlier version did not store which keys were untried after a crash: all of them may be. */
async function createUntriedKeys(db: Kysely<any>): Promise<void> {
  if (await hasTable(db, 'untried_keys')) return;
  await db.schema
    .createTable('untried_keys')
    .addColumn('key', 'text', (column) => column.primaryKey())
    .execute();
  const tables = db as Kysely<IdentityTables>;
  const keys = tables.selectFrom('quarantine_keys').select('key').distinct();
  await tables.insertInto('untried_keys').columns(['key']).expression(keys).execute();
}

/** A quarantined message as a row of the table `quarantine`. */
export interface QuarantineRow {
  fingerprint: string;
  message: string;
  reason: string;
  received_at: string;
  awaited: string;
  accepted: number;
  throttle_ms: number | null;
  /** Null: an earlier version stored the row. */
  code: string | null;
  /** A JSON array of ids. */
  candidates: string | null;
  /** See `groupIdOf`; null: dismissed. */
  group_id: string | null;
  kind: string | null;
}

/** Finds the messages that were not dismissed, by the JSON of their keys (`awaited`). */
export const NOT_DISMISSED = `["${DISMISSED_PREFIX}%`;

export const toQuarantineRow = (waiting: QuarantinedMessage): QuarantineRow => ({
  fingerprint: waiting.fingerprint,
  message: JSON.stringify(waiting.message),
  reason: waiting.reason,
  received_at: waiting.receivedAt,
  awaited: JSON.stringify(waiting.keys),
  accepted: waiting.accepted ? 1 : 0,
  throttle_ms: waiting.throttleMs ?? null,
  code: waiting.code,
  candidates: waiting.candidates.length === 0 ? null : JSON.stringify(waiting.candidates),
  group_id: groupIdOf(waiting) ?? null,
  kind: kindOf(waiting.message),
});

export function readQuarantineRow(row: QuarantineRow): QuarantinedMessage {
  const keys = JSON.parse(row.awaited) as readonly string[];
  return {
    fingerprint: row.fingerprint,
    message: JSON.parse(row.message),
    reason: row.reason,
    code: isQuarantineCode(row.code) ? row.code : codeFromText(row.reason, keys),
    candidates: row.candidates == null ? [] : (JSON.parse(row.candidates) as readonly number[]),
    receivedAt: row.received_at,
    keys,
    accepted: row.accepted === 1,
    ...(row.throttle_ms == null ? {} : { throttleMs: row.throttle_ms }),
  };
}
