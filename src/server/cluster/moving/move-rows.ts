import { type Kysely, sql, type Transaction } from 'kysely';
import type { SqliteDatabase } from '../../../platform/sqlite/sqlite-database.ts';
import { MoveRefused } from './move-records.ts';

type Row = Record<string, unknown>;

interface MovedTable {
  readonly name: string;
  /** Changes a row so that another process can continue with it. */
  readonly become?: (row: Row, moved: MovedUpTo) => Row;
  /** The moved row replaces a row of the same key that the cluster created at its start. */
  readonly key?: string;
}

/** How far the folder's log was processed. */
interface MovedUpTo {
  /** The position of the last record, as text. */
  readonly position: string;
}

/** All tables, without those that are rebuilt from the log and without leases. Referenced tables come first. */
const TABLES: readonly MovedTable[] = [
  { name: 'id_counters', key: 'kind' },
  { name: 'external_ids' },
  { name: 'names' },
  { name: 'fixtures' },
  { name: 'quarantine' },
  { name: 'quarantine_keys' },
  { name: 'named_sources', key: 'source' },
  { name: 'quarantine_counts' },
  { name: 'accounts' },
  { name: 'api_keys' },
  { name: 'users' },
  { name: 'registrations' },
  { name: 'email_changes' },
  { name: 'password_resets' },
  { name: 'sessions' },
  { name: 'attempts' },
  { name: 'granted_addresses' },
  { name: 'email_takebacks' },
  { name: 'address_accounts' },
  { name: 'account_rewards' },
  { name: 'background_jobs' },
  { name: 'security_events' },
  { name: 'customers' },
  { name: 'payments' },
  { name: 'invoices' },
  { name: 'coupons' },
  { name: 'coupon_redemptions' },
  { name: 'waiting_coupons' },
  { name: 'wrong_coupons' },
  { name: 'subscriptions' },
  { name: 'auto_recharges' },
  { name: 'issued_invoices' },
  { name: 'invoice_numbers' },
  { name: 'plan_changes' },
  { name: 'idempotency_records' },
  // Their server has ended, so a repeated call takes over.
  { name: 'running_calls', become: (row) => ({ ...row, owner: '' }) },
  { name: 'feed_budgets', key: 'source' },
  // Nobody works on them any more.
  { name: 'mails', become: (row) => ({ ...row, claim: null }) },
  { name: 'sheet_grades' },
  { name: 'used_oauth_states' },
  { name: 'key_reveals' },
  { name: 'read_links' },
  { name: 'bets' },
  { name: 'my_books' },
  { name: 'seal_keys' },
  { name: 'trial_requests' },
  { name: 'anonymous_trials' },
  { name: 'forecast_record', key: 'id' },
  // The folder's changes were published, or are published with the move. The cluster publishes none of them.
  { name: 'webhook_subscriptions', become: (row, { position }) => ({ ...row, created_after: position }) },
  { name: 'webhook_messages' },
  { name: 'webhook_deliveries' },
  { name: 'webhook_charges' },
  { name: 'webhook_replays' },
  { name: 'webhook_quiet' },
];

/** Tables that processes of the cluster fill. */
const SIGNS_OF_LIFE = ['accounts', 'external_ids', 'webhook_subscriptions', 'quarantine'];

const MARK = 'moved-from';
const ROWS_AT_ONCE = 500;
const LOCK = 'ledgerline move';

interface MoveRowsParts extends MovedUpTo {
  readonly from: SqliteDatabase;
  readonly to: Kysely<any>;
  /** The name of the folder's log. */
  readonly origin: string;
}

/**
 * Copies the registry's rows with their ids, in one transaction, once.
 * @returns whether this call did it; false: it was done before
 * @throws MoveRefused
 */
export async function moveRows({ from, to, origin, position }: MoveRowsParts): Promise<boolean> {
  return to.transaction().execute(async (transaction) => {
    await sql`select pg_advisory_xact_lock(hashtextextended(${LOCK}, 0))`.execute(transaction);
    const mark = await transaction
      .selectFrom('cluster_settings')
      .select('value')
      .where('name', '=', MARK)
      .executeTakeFirst();
    if (mark?.value === origin) return false;
    if (mark !== undefined) throw new MoveRefused('another folder was moved into this cluster; move into an empty one');
    for (const name of SIGNS_OF_LIFE) await assertEmpty(transaction, name);
    for (const table of TABLES) await copyTable(from, transaction, table, { position });
    // Processes that cached the subscriptions read them again.
    await transaction.updateTable('webhook_state').set({ active_version: sql`active_version + 1` }).execute();
    await transaction.insertInto('cluster_settings').values({ name: MARK, value: origin }).execute();
    return true;
  });
}

async function assertEmpty(transaction: Transaction<any>, name: string): Promise<void> {
  const row = await transaction.selectFrom(name).select(sql`1`.as('one')).limit(1).executeTakeFirst();
  if (row) throw new MoveRefused(`the registry of the cluster holds ${name} of its own; move into an empty cluster`);
}

async function copyTable(
  from: SqliteDatabase,
  to: Transaction<any>,
  { name, become = (row) => row, key }: MovedTable,
  moved: MovedUpTo,
): Promise<void> {
  const columns = await columnsOf(to, name);
  const page = from.prepare(`SELECT rowid AS moved_rowid, * FROM ${name} WHERE rowid > ? ORDER BY rowid LIMIT ?`);
  let isNumbered = false;
  for (let after = 0; ; ) {
    const rows = page.all([after, ROWS_AT_ONCE]) as Row[];
    if (rows.length === 0) break;
    after = rows.at(-1)!['moved_rowid'] as number;
    const known = Object.keys(rows[0]!).filter((column) => columns.has(column));
    const values = rows.map((row) => {
      const kept = Object.fromEntries(known.map((column) => [column, row[column]]));
      return become(kept, moved);
    });
    isNumbered ||= known.includes('id') && columns.get('id') === true;
    const insert = to.insertInto(name).values(values);
    await (key === undefined
      ? insert
      : insert.onConflict((conflict) =>
          conflict
            .column(key)
            .doUpdateSet(Object.fromEntries(known.map((column) => [column, sql.ref(`excluded.${column}`)]))),
        )
    ).execute();
  }
  if (!isNumbered) return;
  // Ids are never given twice, even if their rows are gone.
  const [given] = from.prepare('SELECT seq FROM sqlite_sequence WHERE name = ?').all([name]) as { seq: number }[];
  if (given) await sql`select setval(pg_get_serial_sequence(${name}, 'id'), ${given.seq})`.execute(to);
}

/** The columns of a table, and whether each generates ids. */
async function columnsOf(to: Transaction<any>, name: string): Promise<ReadonlyMap<string, boolean>> {
  const { rows } = await sql<{ readonly column_name: string; readonly is_identity: string }>`
    select column_name, is_identity from information_schema.columns
    where table_schema = current_schema() and table_name = ${name}`.execute(to);
  return new Map(rows.map(({ column_name, is_identity }) => [column_name, is_identity === 'YES']));
}

/** The number of moved rows of a table. */
export const countRows = (from: SqliteDatabase, table: 'accounts' | 'api_keys' | 'webhook_subscriptions'): number =>
  (from.prepare(`SELECT count(*) AS number FROM ${table}`).get() as { number: number }).number;
