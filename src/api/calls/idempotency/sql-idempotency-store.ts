import { type Kysely, sql } from 'kysely';
import { SQLITE, type SqlDialect } from '../../../platform/sql/dialects.ts';
import { addMissingColumn } from '../../../platform/sqlite/schema-upgrades.ts';
import { ALL_SPORTS } from '../scopes.ts';
import {
  IDEMPOTENCY_RETENTION,
  type IdempotencyRecordKey,
  type IdempotencyStore,
  RUN_LEASE,
  type RunClaim,
} from './idempotency-store.ts';

/** How many of those that are too old go with each that comes: more than come, so that they do not pile up. */
const DELETED_AT_ONCE = 10;

export const createSqliteIdempotencyStore = (registry: Kysely<any>): IdempotencyStore =>
  createSqlIdempotencyStore(registry, SQLITE);

/**
 * Every change is one statement, as with the keys, and their order is what keeps two processes apart: an answer is
 * kept before its place is freed, and looked for after a place was taken. So whoever takes a place that was freed in
 * between finds the answer.
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
      const run = await claimRun(database, claim, now);
      const found = await findAnswer(database, claim.recordKey, now);
      if (!found) return run === undefined ? { kind: 'running' } : { kind: 'run', run };
      if (run !== undefined) await free(claim);
      if (found.request_hash !== claim.requestHash) return { kind: 'usedOtherwise' };
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
 * The tables of earlier versions know no scopes, and a primary key cannot be given another column. No path holds a
 * blank; that of all sports stays as it was, so that its answers of before the upgrade are still repeated.
 */
const columnsOf = ({ accountId, path, scopes, key }: IdempotencyRecordKey) => ({
  account_id: accountId,
  path: scopes === ALL_SPORTS ? path : `${path} ${scopes}`,
  key,
});

/** Takes the place, unless another claim has it whose lease is not over. @returns the name of the run */
async function claimRun(database: IdempotencyDatabase, claim: RunClaim, now: number): Promise<string | undefined> {
  const { recordKey, token, owner, runId, requestHash: request_hash } = claim;
  const taking = { token, owner, lease_until: now + RUN_LEASE };
  const taken = await database
    .insertInto('running_calls')
    .values({ ...columnsOf(recordKey), ...taking, run: runId, request_hash })
    .onConflict((conflict) =>
      conflict
        .columns(['account_id', 'path', 'key'])
        .doUpdateSet({ ...taking, run: keptRunId, request_hash })
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
  return taken && (taken.run ?? runId);
}

/** It stays where the same is asked for. */
const keptRunId = sql<string>`
  case when running_calls.request_hash = excluded.request_hash then running_calls.run else excluded.run end`;

const findAnswer = (database: IdempotencyDatabase, place: IdempotencyRecordKey, now: number) =>
  database
    .selectFrom('remembered_answers')
    .select(['request_hash', 'answer'])
    .where((where) => where.and(columnsOf(place)))
    .where('kept_at', '>', now - IDEMPOTENCY_RETENTION)
    .executeTakeFirst();

/** In the place of an older answer, where the run is still this claim's. */
async function storeAnswer(
  database: IdempotencyDatabase,
  { isShared }: Pick<SqlDialect, 'isShared'>,
  { recordKey, token, requestHash }: RunClaim,
  answer: string,
  now: number,
) {
  const kept = { request_hash: requestHash, answer, kept_at: now };
  const row = { ...columnsOf(recordKey), ...kept };
  const columns = Object.keys(row) as (keyof typeof row)[];
  await database
    .insertInto('remembered_answers')
    .columns(columns)
    .expression(
      database
        .selectFrom('running_calls')
        .select((select) => columns.map((column) => select.val(row[column]).as(column)))
        .where((where) => where.and({ ...columnsOf(recordKey), token }))
        // Whoever takes the place over meanwhile waits, and then finds the answer.
        .$if(isShared, (run) => run.forShare()),
    )
    .onConflict((conflict) => conflict.columns(['account_id', 'path', 'key']).doUpdateSet(kept))
    .execute();
}

async function deleteExpired(database: IdempotencyDatabase, now: number): Promise<void> {
  const old = await database
    .selectFrom('remembered_answers')
    .select(['account_id', 'path', 'key', 'kept_at'])
    .where('kept_at', '<=', now - IDEMPOTENCY_RETENTION)
    .orderBy('kept_at')
    .limit(DELETED_AT_ONCE)
    .execute();
  if (old.length === 0) return;
  await database
    .deleteFrom('remembered_answers')
    // Their times too: one of them may have been replaced since.
    .where((where) => where.or(old.map((place) => where.and({ ...place }))))
    .execute();
  // Runs of servers that have died, which nobody has repeated.
  await database
    .deleteFrom('running_calls')
    .where('lease_until', '<=', now - IDEMPOTENCY_RETENTION)
    .execute();
}

/** A place is what an answer, and a run, belongs to: one of each at most. */
interface RecordKeyColumns {
  /** No account has the id 0, under which the operator's own key calls. */
  account_id: number;
  /** Of the request; behind a blank the scopes of the caller's key, unless it opens all sports. */
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
  /** Empty: it has died, and the place can be taken over. */
  owner: string;
  /** Milliseconds. */
  lease_until: number;
  /** Of the run, and what it is about. Null: begun before runs had names. */
  run: string | null;
  request_hash: string | null;
}

export interface IdempotencyTables {
  remembered_answers: StoredAnswerTable;
  running_calls: RunningCallTable;
}

/** Makes those that are missing: a folder of an earlier version has answers, and no calls under way. */
export async function createIdempotencyTables(database: Kysely<any>, dialect: SqlDialect = SQLITE): Promise<void> {
  const { integer } = dialect.types;
  await database.schema
    .createTable('remembered_answers')
    .ifNotExists()
    .addColumn('account_id', integer, (column) => column.notNull())
    .addColumn('path', 'text', (column) => column.notNull())
    .addColumn('key', 'text', (column) => column.notNull())
    .addColumn('request_hash', 'text', (column) => column.notNull())
    .addColumn('answer', 'text', (column) => column.notNull())
    .addColumn('kept_at', integer, (column) => column.notNull())
    .addPrimaryKeyConstraint('remembered_answers_by_place', ['account_id', 'path', 'key'])
    .execute();
  await database.schema
    .createIndex('remembered_answers_by_time')
    .ifNotExists()
    .on('remembered_answers')
    .column('kept_at')
    .execute();
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
  if (dialect !== SQLITE) return;
  await addMissingColumn(database, 'running_calls', 'run', 'text');
  await addMissingColumn(database, 'running_calls', 'request_hash', 'text');
}
