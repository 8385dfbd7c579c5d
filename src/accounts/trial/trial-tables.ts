import type { Generated, Kysely } from 'kysely';
import { SQLITE, type SqlDialect } from '../../platform/sql/dialects.ts';
import type { KeyTables } from '../keys/key-tables.ts';

/** Requests of programs for a key. Times are milliseconds. A row ends with its request, or with the fetched key. */
export interface TrialRequestTable {
  id: Generated<number>;
  /** HMACs. */
  device_hash: string;
  user_hash: string;
  client_name: string;
  /** For the person who decides: where the request came from. */
  asked_from: string;
  made_at: number;
  expires_at: number;
  /** Between two polls. */
  interval_ms: number;
  next_poll_at: number;
  /** `pending`, `full` (approved for an account without room for a key), `approved` or `refused`. */
  status: string;
  /** The user who approved it. */
  user_id: number | null;
  key_id: number | null;
  /** The key, encrypted. */
  sealed: string | null;
}

/** Accounts that nobody owns, each with one key. A row ends with its account. */
interface AnonymousTrialTable {
  account_id: number;
  key_id: number;
  /** Milliseconds. */
  expires_at: number;
}

export interface TrialTables {
  trial_requests: TrialRequestTable;
  anonymous_trials: AnonymousTrialTable;
}

/** What the key of a request is sealed for. */
export const sealContext = ({ id }: { readonly id: number }): string => `trial request ${id}`;

/** The tables of trials, and those that they change beside them. */
export type TrialDatabase = TrialTables & KeyTables;

export async function createTrialTables(
  { schema }: Kysely<any>,
  { types: { integer, id } }: SqlDialect = SQLITE,
): Promise<void> {
  await schema
    .createTable('trial_requests')
    .ifNotExists()
    .addColumn('id', integer, id)
    .addColumn('device_hash', 'text', (column) => column.notNull().unique())
    .addColumn('user_hash', 'text', (column) => column.notNull().unique())
    .addColumn('client_name', 'text', (column) => column.notNull())
    .addColumn('asked_from', 'text', (column) => column.notNull())
    .addColumn('made_at', integer, (column) => column.notNull())
    .addColumn('expires_at', integer, (column) => column.notNull())
    .addColumn('interval_ms', integer, (column) => column.notNull())
    .addColumn('next_poll_at', integer, (column) => column.notNull())
    .addColumn('status', 'text', (column) => column.notNull())
    .addColumn('user_id', integer)
    .addColumn('key_id', integer)
    .addColumn('sealed', 'text')
    .execute();
  await schema
    .createTable('anonymous_trials')
    .ifNotExists()
    .addColumn('account_id', integer, (column) => column.primaryKey())
    .addColumn('key_id', integer, (column) => column.notNull())
    .addColumn('expires_at', integer, (column) => column.notNull())
    .execute();
  for (const table of ['trial_requests', 'anonymous_trials'] as const) {
    await schema.createIndex(`${table}_by_expiry`).ifNotExists().on(table).columns(['expires_at']).execute();
  }
}
