import { type Kysely, sql } from 'kysely';
import { SQLITE, type SqlDialect } from '../../../platform/sql/dialects.ts';
import type { StoredRename } from '../../../platform/sql/stored-rename.ts';
import { addMissingColumns } from '../../../platform/sqlite/schema-upgrades.ts';
import { ALL_SPORTS } from '../scopes.ts';
import {
  IDEMPOTENCY_RETENTION,
  type IdempotencyRecordKey,
  type IdempotencyStore,
  RUN_LEASE,
  type RunClaim,
} from './idempotency-store.ts';

/** Expired answers deleted for each new one. More than one, so that they do not accumulate. */
const DELETED_AT_ONCE = 10;

export const createSqliteIdempotencyStore = (registry: Kysely<any>): IdempotencyStore =>
  createSqlIdempotencyStore(registry, SQLITE);

/**
 * Every change is one statement. The order of statements keeps processes apart: an answer is stored before its key is
 * freed, and looked up after a key is claimed. So a claim that succeeds just after the key was freed finds the answer.
 */
export function createSqlIdempotencyStore(
  database: Kysely<IdempotencyTables>,
  dialect: Pick<SqlDialect, 'isShared'>,
): IdempotencyStore {
  const free = ({ recordKey, token }: RunClaim) =>
    database
      .deleteFrom('running_calls')
      .where((where) => where.and({ ...columnsOf(recordKey), token }))
      .execute();

  return {
    async begin(claim, now) {
      const runId = await claimRun(database, claim, now);
      const found = await findAnswer(database, claim.recordKey, now);
      if (!found) return runId === undefined ? { kind: 'running' } : { kind: 'run', runId };
      if (runId !== undefined) await free(claim);
      if (found.request_hash !== claim.requestHash) return { kind: 'keyReused' };
      return { kind: 'answer', answer: JSON.parse(found.answer) as unknown };
    },
    async renew({ recordKey, token }, now) {
      const renewed = await database
        .updateTable('running_calls')
        .set({ lease_until: now + RUN_LEASE })
        .where((where) => where.and({ ...columnsOf(recordKey), token }))
        .returning('token')
        .executeTakeFirst();
      return renewed !== undefined;
    },
    async finish(claim, answer, now) {
      await storeAnswer(database, dialect, claim, JSON.stringify(answer), now);
      await free(claim);
      await deleteExpired(database, now);
    },
    async abandon(claim) {
      await free(claim);
    },
    async abandonAll(owner) {
      await database.updateTable('running_calls').set({ owner: '', token: '' }).where('owner', '=', owner).execute();
    },
  };
}

type IdempotencyDatabase = Kysely<IdempotencyTables>;

/**
 * The tables of earlier versions have no scopes, and a primary key cannot get another column. So the scopes follow the
 * path after a blank, which no path contains. The scope of all sports adds nothing, so that answers stored before the
 * upgrade are still found.
 */
const columnsOf = ({ accountId, path, scopes, key }: IdempotencyRecordKey) => ({
  account_id: accountId,
  path: scopes === ALL_SPORTS ? path : `${path} ${scopes}`,
  key,
});

/** Claims the key, unless another claim has it with a lease that is not over. @returns the id of the run */
async function claimRun(database: IdempotencyDatabase, claim: RunClaim, now: number): Promise<string | undefined> {
  const { recordKey, token, owner, runId, requestHash: request_hash } = claim;
  const claiming = { token, owner, lease_until: now + RUN_LEASE };
  const claimed = await database
    .insertInto('running_calls')
    .values({ ...columnsOf(recordKey), ...claiming, run: runId, request_hash })
    .onConflict((conflict) =>
      conflict
        .columns(['account_id', 'path', 'key'])
        .doUpdateSet({ ...claiming, run: keptRunId, request_hash })
        .where((where) =>
          where.or([
            where('running_calls.lease_until', '<=', now),
            where('running_calls.token', '=', token),
            where('running_calls.owner', '=', ''),
          ]),
        ),
    )
    .returning('run')
    .executeTakeFirst();
  return claimed && (claimed.run ?? runId);
}

/** A repeated request keeps the id of the run; another request gets its own id. */
const keptRunId = sql<string>`
  case when running_calls.request_hash = excluded.request_hash then running_calls.run else excluded.run end`;

const findAnswer = (database: IdempotencyDatabase, recordKey: IdempotencyRecordKey, now: number) =>
  database
    .selectFrom('idempotency_records')
    .select(['request_hash', 'answer'])
    .where((where) => where.and(columnsOf(recordKey)))
    .where('kept_at', '>', now - IDEMPOTENCY_RETENTION)
    .executeTakeFirst();

/** Replaces an older answer. Stores nothing if the run no longer belongs to this claim. */
async function storeAnswer(
  database: IdempotencyDatabase,
  { isShared }: Pick<SqlDialect, 'isShared'>,
  { recordKey, token, requestHash }: RunClaim,
  answer: string,
  now: number,
) {
  const stored = { request_hash: requestHash, answer, kept_at: now };
  const row = { ...columnsOf(recordKey), ...stored };
  const columns = Object.keys(row) as (keyof typeof row)[];
  await database
    .insertInto('idempotency_records')
    .columns(columns)
    .expression(
      database
        .selectFrom('running_calls')
        .select((select) => columns.map((column) => select.val(row[column]).as(column)))
        .where((where) => where.and({ ...columnsOf(recordKey), token }))
        // A claim that takes over at this moment waits, and then finds the answer.
        .$if(isShared, (run) => run.forShare()),
    )
    .onConflict((conflict) => conflict.columns(['account_id', 'path', 'key']).doUpdateSet(stored))
    .execute();
}

async function deleteExpired(database: IdempotencyDatabase, now: number): Promise<void> {
  const old = await database
    .selectFrom('idempotency_records')
    .select(['account_id', 'path', 'key', 'kept_at'])
    .where('kept_at', '<=', now - IDEMPOTENCY_RETENTION)
    .orderBy('kept_at')
    .limit(DELETED_AT_ONCE)
    .execute();
  if (old.length === 0) return;
  await database
    .deleteFrom('idempotency_records')
    // `kept_at` too: the answer may have been replaced since.
    .where((where) => where.or(old.map((row) => where.and({ ...row }))))
    .execute();
  // Runs of processes that died, which no client has repeated.
  await database
    .deleteFrom('running_calls')
    .where('lease_until', '<=', now - IDEMPOTENCY_RETENTION)
    .execute();
}

/** At most one answer and one running call for each set of these columns. */
interface RecordKeyColumns {
  /** Never 0, which is the operator's own key. */
  account_id: number;
  /** Path of the request. Unless the key covers all sports, a blank and the scopes follow. */
  path: string;
  key: string;
}

interface StoredAnswerTable extends RecordKeyColumns {
  request_hash: string;
  /** JSON. */
  answer: string;
  /** Milliseconds. */
  kept_at: number;
}

/** Calls under way. */
interface RunningCallTable extends RecordKeyColumns {
  token: string;
  /** Empty: the owner has died, and the run can be taken over. */
  owner: string;
  /** Milliseconds. */
  lease_until: number;
  /** Id of the run, and the hash of its request. Null: begun before runs had ids. */
  run: string | null;
  request_hash: string | null;
}

export interface IdempotencyTables {
  idempotency_records: StoredAnswerTable;
  running_calls: RunningCallTable;
}

/** The names that earlier versions stored. */
export const IDEMPOTENCY_RENAME: StoredRename = {
  from: 'remembered_answers',
  to: 'idempotency_records',
  indexes: {
    remembered_answers_by_place: 'idempotency_records_by_place',
    remembered_answers_by_time: 'idempotency_records_by_time',
  },
};

/** Creates the missing tables: the database of an earlier version has only the first. */
export async function createIdempotencyTables(database: Kysely<any>, dialect: SqlDialect = SQLITE): Promise<void> {
  const { integer } = dialect.types;
  // On PostgreSQL this is a step that never changes: a later one renames the table.
  const records = dialect === SQLITE ? IDEMPOTENCY_RENAME.to : IDEMPOTENCY_RENAME.from;
  await database.schema
    .createTable(records)
    .ifNotExists()
    .addColumn('account_id', integer, (column) => column.notNull())
    .addColumn('path', 'text', (column) => column.notNull())
    .addColumn('key', 'text', (column) => column.notNull())
    .addColumn('request_hash', 'text', (column) => column.notNull())
    .addColumn('answer', 'text', (column) => column.notNull())
    .addColumn('kept_at', integer, (column) => column.notNull())
    .addPrimaryKeyConstraint(`${records}_by_place`, ['account_id', 'path', 'key'])
    .execute();
  await database.schema.createIndex(`${records}_by_time`).ifNotExists().on(records).column('kept_at').execute();
  await database.schema
    .createTable('running_calls')
    .ifNotExists()
    .addColumn('account_id', integer, (column) => column.notNull())
    .addColumn('path', 'text', (column) => column.notNull())
    .addColumn('key', 'text', (column) => column.notNull())
    .addColumn('token', 'text', (column) => column.notNull())
    .addColumn('owner', 'text', (column) => column.notNull())
    .addColumn('lease_until', integer, (column) => column.notNull())
    .addColumn('run', 'text')
    .addColumn('request_hash', 'text')
    .addPrimaryKeyConstraint('running_calls_by_place', ['account_id', 'path', 'key'])
    .execute();
  if (dialect === SQLITE) await addMissingColumns(database, 'running_calls', { run: 'text', request_hash: 'text' });
}
