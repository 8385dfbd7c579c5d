import type { Kysely } from 'kysely';
import { SQLITE, type SqlDialect } from '../../../platform/sql/dialects.ts';
import { addMissingColumn } from '../../../platform/sqlite/older-folders.ts';

/** A place is what an answer, and a run, belongs to: one of each at most. */
interface PlaceColumns {
  /** No account has the id 0, under which the operator's own key calls. */
  account_id: number;
  /** Of the request; behind a blank the scopes of the caller's key, unless it opens all sports. */
  path: string;
  key: string;
}

interface RememberedAnswerTable extends PlaceColumns {
  request_hash: string;
  /** JSON. */
  answer: string;
  /** Milliseconds. */
  kept_at: number;
}

/** Calls under way. */
interface RunningCallTable extends PlaceColumns {
  token: string;
  /** Empty: it has died, and the place can be taken over. */
  owner: string;
  /** Milliseconds. */
  lease_until: number;
  /** Of the run, and what it is about. Null: begun before runs had names. */
  run: string | null;
  request_hash: string | null;
}

export interface RememberedAnswerTables {
  remembered_answers: RememberedAnswerTable;
  running_calls: RunningCallTable;
}

/** Makes those that are missing: a folder of an earlier version has answers, and no calls under way. */
export async function createRememberedAnswerTables(database: Kysely<any>, dialect: SqlDialect = SQLITE): Promise<void> {
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
