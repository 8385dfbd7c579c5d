import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { openSqliteDatabase } from '../../../src/platform/sqlite/sqlite-database.ts';
import { run, startServer, temporaryFolder } from './launching.ts';

const verify = async (folder: string) => {
  const { code, stdout, stderr } = await run(['verify', '--data-dir', folder]);
  const lines = Object.fromEntries(stdout.split('\n').map((line) => [line.split(':')[0]!, line]));
  return { code, stderr, lines };
};

/** A folder in which two accounts have spent credits, projected to its end and let go by its server. */
async function spentFolder(): Promise<{ folder: string; accounts: readonly number[] }> {
  const folder = temporaryFolder();
  const server = await startServer(folder);
  const accounts: number[] = [];
  for (const credits of ['20', '30']) {
    const made = await run(['keys', 'create', '--name', 'k', '--credits', credits, '--data-dir', folder]);
    const { key, account_id: account } = JSON.parse(made.stdout) as { key: string; account_id: number };
    accounts.push(account);
    const headers = { authorization: `Bearer ${key}` };
    expect((await fetch(`${server.url}/v1/sports`, { headers })).headers.get('x-credits-used')).toBe('1');
  }
  server.child.kill('SIGTERM');
  expect((await server.ended).code).toBe(0);
  // What was recorded last may not have been projected. It has been when the next one is ready.
  const next = await startServer(folder);
  next.child.kill('SIGTERM');
  expect((await next.ended).code).toBe(0);
  return { folder, accounts };
}

/** Changes the balance that is stored of an account, as no command does. */
function tamper(folder: string, account: number, change: (balance: number) => number): void {
  const database = openSqliteDatabase({ file: join(folder, 'ledgerline.db') });
  const name = "SELECT name FROM sqlite_schema WHERE type = 'table' AND name LIKE 'doc\\_balances\\_%' ESCAPE '\\'";
  const [table] = database.prepare(name).raw().get() as [string];
  const [body] = database
    .prepare(`SELECT body FROM ${table} WHERE key = ?`)
    .raw()
    .get([String(account)]) as [string];
  const document = JSON.parse(body) as { balance: number };
  const changed = JSON.stringify({ ...document, balance: change(document.balance) });
  database.prepare(`UPDATE ${table} SET body = ? WHERE key = ?`).run([changed, String(account)]);
  database.close();
}

describe('verify', () => {
  it('finds a balance that is not the sum of its ledger, and names the projection and the account', async () => {
    const { folder, accounts } = await spentFolder();
    const honest = await verify(folder);

    tamper(folder, accounts[1]!, (balance) => balance + 1);
    const tampered = await verify(folder);
    tamper(folder, accounts[1]!, (balance) => balance - 1);
    const restored = await verify(folder);

    expect(honest).toMatchObject({ code: 0, stderr: '' });
    expect(honest.lines['balances']).toBe('balances: 2 documents of 4 records, no difference');
    expect(honest.lines['not looked at']).toContain('the disk itself');
    expect(honest.lines['usage']).toMatch(/^usage: \d+ documents of \d+ records, no difference$/);
    expect(tampered).toMatchObject({ code: 1, stderr: '' });
    expect(tampered.lines['balances']).toBe(
      `balances: 2 documents of 4 records, 1 DIFFERENCES: ${accounts[1]} differs at $.balance`,
    );
    // Nothing else is accused.
    expect({ ...tampered.lines, balances: '' }).toEqual({ ...honest.lines, balances: '' });
    expect(restored).toEqual(honest);
  });
});
