import { type Kysely, sql, type Transaction } from 'kysely';
import type { SqliteDatabase } from '../../../platform/sqlite/sqlite-database.ts';
import { MoveRefused } from './move-records.ts';

type Row = Record<string, unknown>;

interface MovedTable {
  readonly name: string;
  /** How a row is to be there, where another process goes on with it. */
  readonly become?: (row: Row, moved: MovedUpTo) => Row;
  /** Rows of the same key that the cluster has made at its start give way. */
  readonly key?: string;
}

/** What stands behind the rows. */
interface MovedUpTo {
  /** Digits of the last record's position. */
  readonly position: string;
}

/** All but what is made anew from the log, and who holds what for a while. Who is referred to comes first. */
const TABLES: readonly MovedTable[] = [
  { name: 'id_counters', key: 'kind' },
  { name: 'external_ids' },
  { name: 'names' },
  { name: 'fixtures' },
  { name: 'waiting' },
  { name: 'waiting_keys' },
  { name: 'named_sources', key: 'source' },
  { name: 'waiting_numbers' },
  { name: 'accounts' },
  { name: 'api_keys' },
  { name: 'users' },
  { name: 'registrations' },
  { name: 'email_changes' },
  { name: 'password_resets' },
  { name: 'sessions' },
  { name: 'attempts' },
  { name: 'granted_addresses' },
  { name: 'errands' },
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
  { name: 'remembered_answers' },
  // Their server has ended: who repeats such a call takes it over.
  { name: 'running_calls', become: (row) => ({ ...row, owner: '' }) },
  { name: 'feed_budgets', key: 'source' },
  // Nobody is at work on them any more.
  { name: 'mails', become: (row) => ({ ...row, claim: null }) },
  { name: 'sheet_grades' },
  { name: 'used_oauth_states' },
  { name: 'key_reveals' },
  { name: 'forecast_record', key: 'id' },
  // What the folder's records tell was told, or is told with the move: whoever follows the log here tells none of it.
  { name: 'webhook_subscriptions', become: (row, { position }) => ({ ...row, created_after: position }) },
  { name: 'webhook_messages' },
  { name: 'webhook_deliveries' },
  { name: 'webhook_charges' },
  { name: 'webhook_replays' },
];

/** Tables that whoever works on a cluster fills. */
const SIGNS_OF_LIFE = ['accounts', 'external_ids', 'webhook_subscriptions', 'waiting'];

const MARK = 'moved-from';
const ROWS_AT_ONCE = 500;
const LOCK = 'ledgerline move';

interface MoveRowsParts extends MovedUpTo {
  readonly from: SqliteDatabase;
  readonly to: Kysely<any>;
  /** Names the folder's log. */
  readonly origin: string;
}

/**
 * Copies the registry's rows with their ids, all or nothing, once.
 * @returns whether it was done now; false: it had been done before
 * @throws MoveRefused
 */
export async function moveRows({ from, to, origin, position }: MoveRowsParts): Promise<boolean> {
  return to.transaction().execute(async (transaction) => {
    await sql`select pg_advisory_xact_lock(hashtextextended(${LOCK}, 0))`.execute(transaction);
    const mark = await transaction.selectFrom('marks').select('value').where('name', '=', MARK).executeTakeFirst();
    if (mark?.value === origin) return false;
    if (mark !== undefined) throw new MoveRefused('another folder was moved into this cluster; move into an empty one');
    for (const name of SIGNS_OF_LIFE) await assertEmpty(transaction, name);
    for (const table of TABLES) await copyTable(from, transaction, table, { position });
    // Processes that know the subscriptions look at them again.
    await transaction.updateTable('webhook_state').set({ active_version: sql`active_version + 1` }).execute();
    await transaction.insertInto('marks').values({ name: MARK, value: origin }).execute();
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
  // Ids that were given once are never given again, also where their rows are gone.
  const [given] = from.prepare('SELECT seq FROM sqlite_sequence WHERE name = ?').all([name]) as { seq: number }[];
  if (given) await sql`select setval(pg_get_serial_sequence(${name}, 'id'), ${given.seq})`.execute(to);
}

/** The columns there, and whether each numbers the rows. */
async function columnsOf(to: Transaction<any>, name: string): Promise<ReadonlyMap<string, boolean>> {
  const { rows } = await sql<{ readonly column_name: string; readonly is_identity: string }>`
    select column_name, is_identity from information_schema.columns
    where table_schema = current_schema() and table_name = ${name}`.execute(to);
  return new Map(rows.map(({ column_name, is_identity }) => [column_name, is_identity === 'YES']));
}

/** How many rows of a table were moved. */
export const countRows = (from: SqliteDatabase, table: 'accounts' | 'api_keys' | 'webhook_subscriptions'): number =>
  (from.prepare(`SELECT count(*) AS number FROM ${table}`).get() as { number: number }).number;
