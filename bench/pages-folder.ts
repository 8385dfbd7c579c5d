import { once } from 'node:events';
import { databaseFile } from '../src/platform/data-folder/folder-paths.ts';
import { openSqliteDatabase } from '../src/platform/sqlite/sqlite-database.ts';
import { openSqliteStore } from '../src/read-models/store/sqlite/sqlite-store.ts';
import { openBrowserSession } from './browser-session.ts';
import { cloneRows, greatestId } from './cloned-rows.ts';
import { createKey } from './feed-messages.ts';
import { launch } from './launched.ts';
import { startServer } from './server.ts';
import { type CallingAccount, writeUsage } from './usage-documents.ts';

export interface PagesSizes {
  readonly accounts: number;
  /** Of all of them. */
  readonly calls: number;
  readonly securityEvents: number;
}

export const STAFF = { email: 'staff@bench.example', password: 'a long password of nobody else 7' } as const;
/** Of the account whose pages are measured; and the share of all calls that it has made. */
const KEYS = 16;
const SHARE = 0.01;

/**
 * A folder as years of users leave it: a member of the staff, whose own account has called more than all others, and
 * beside it accounts with a user and a key each. Rows are copies of those that the server itself has made; documents are
 * as the projections make them, but of records that are in no log.
 */
export async function makePagesFolder(folder: string, sizes: PagesSizes, say: (text: string) => void): Promise<void> {
  const server = await startServer({ folder });
  try {
    await createStaff(folder);
    for (let n = 0; n < KEYS; n++) await createKey(server, 'growth', STAFF.email);
    const answer = await openBrowserSession(server.port).post('/login', STAFF);
    if (answer.status !== 303) throw new Error(`the sign-in was answered ${answer.status}`);
  } finally {
    await server.stop();
  }
  const accounts = copyRows(folder, sizes);
  say(`${sizes.accounts} accounts`);
  const began = performance.now();
  const store = openSqliteStore({ file: databaseFile(folder) });
  const { calls, documents } = await writeUsage(store, callingAccounts(accounts, sizes), Date.now());
  await store.close();
  say(`${calls} calls in ${documents} documents in ${((performance.now() - began) / 1000).toFixed(0)} s`);
}

/** As the command does: `users create`. */
async function createStaff(folder: string): Promise<void> {
  const args = ['create', '--email', STAFF.email, '--staff', '--password-stdin'];
  const child = launch('users', args, { folder }, ['pipe', 'pipe', 'inherit']);
  child.stdin!.end(`${STAFF.password}\n`);
  child.stdout!.resume();
  const [code] = await once(child, 'close');
  if (code !== 0) throw new Error(`users create ended with ${code}`);
}

interface Copied {
  readonly own: { readonly accountId: number; readonly keyIds: readonly number[] };
  /** What the first of the copies comes after. */
  readonly lastAccount: number;
  readonly lastKey: number;
}

function copyRows(folder: string, { accounts, securityEvents }: PagesSizes): Copied {
  const database = openSqliteDatabase({ file: databaseFile(folder) });
  try {
    const one = (sql: string): number => Number((database.prepare(sql).raw().get([]) as [number])[0]);
    const accountId = one(`SELECT account_id FROM users WHERE email = '${STAFF.email}'`);
    const keyIds = database.prepare('SELECT id FROM api_keys WHERE account_id = ?').raw().all([accountId]);
    const [lastAccount, lastKey, lastUser] = ['accounts', 'api_keys', 'users'].map((table) =>
      greatestId(database, table),
    ) as [number, number, number];
    const email = `'person' || n || '@bench.example'`;
    const count = accounts - 1;
    database.exec('BEGIN');
    const set = { id: `${lastAccount} + n`, email };
    cloneRows(database, { table: 'accounts', id: accountId, count, set });
    cloneRows(database, {
      table: 'users',
      id: one(`SELECT id FROM users WHERE email = '${STAFF.email}'`),
      count,
      set: {
        id: `${lastUser} + n`,
        account_id: `${lastAccount} + n`,
        email,
        search_text: `${email} || char(10)`,
        is_staff: '0',
        role: `'support'`,
        name: `'Person ' || n`,
      },
    });
    cloneRows(database, {
      table: 'api_keys',
      id: Number((keyIds[0] as [number])[0]),
      count,
      set: {
        id: `${lastKey} + n`,
        account_id: `${lastAccount} + n`,
        prefix: `'bench' || n`,
        hash: `'bench' || n`,
        run: 'NULL',
      },
    });
    cloneRows(database, {
      table: 'security_events',
      id: greatestId(database, 'security_events'),
      count: securityEvents,
      set: { user_id: `${lastUser} + 1 + n % ${count}`, ip: `'192.0.2.' || (n % 250)` },
    });
    database.exec('COMMIT');
    return { own: { accountId, keyIds: keyIds.map((row) => (row as [number])[0]) }, lastAccount, lastKey };
  } finally {
    database.close();
  }
}

function* callingAccounts(
  { own, lastAccount, lastKey }: Copied,
  { accounts, calls }: PagesSizes,
): Generator<CallingAccount> {
  const ownCalls = Math.round(calls * SHARE);
  yield { ...own, calls: ownCalls };
  // All others have about the same.
  const others = accounts - 1;
  const until = (n: number) => Math.floor(((calls - ownCalls) * n) / others);
  for (let n = 1; n <= others; n++) {
    yield { accountId: lastAccount + n, keyIds: [lastKey + n], calls: until(n) - until(n - 1) };
  }
}
