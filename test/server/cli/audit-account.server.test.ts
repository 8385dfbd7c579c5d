import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { ChargedCall } from '../../../src/domain/accounts/account-event-data.ts';
import { accountStreams, createAccountEvent, type LedgerEvent } from '../../../src/domain/accounts/account-events.ts';
import { openSqliteLog } from '../../../src/event-log/sqlite/sqlite-log.ts';
import { patientTimeout } from '../../support/patient-timeout.ts';
import { run, startServer, temporaryFolder } from './launching.ts';

const linesOf = (text: string) => text.split('\n').filter((line) => line !== '');
const parsed = (text: string) => linesOf(text).map((line) => JSON.parse(line));

async function command(folder: string, ...args: string[]) {
  const ended = await run([...args, '--data-dir', folder]);
  expect(ended, args.join(' ')).toMatchObject({ code: 0, stderr: '' });
  return ended.stdout;
}
const audit = (folder: string, ...args: string[]) => command(folder, 'audit', ...args);
const ledgerOf = async (folder: string, account: string) => parsed(await audit(folder, 'account', account, '--json'));
const keysCreate = async (folder: string, ...args: string[]) =>
  JSON.parse(await command(folder, 'keys', 'create', '--name', 'k', ...args)) as { key: string; account_id: number };

const at = (second: number) => `2026-03-01T12:00:0${second}Z`;
const call = (requestId: string, credits: number, more: Partial<ChargedCall> = {}): ChargedCall => ({
  at: at(1),
  keyId: 7,
  operation: 'get_odds',
  requestId,
  status: 200,
  milliseconds: 3,
  credits,
  ...more,
});
const accountId = 1;
const granted = (credits: number, kind: 'initial' | 'monthly' | 'order' = 'initial') =>
  createAccountEvent('CreditsGranted', { accountId, at: at(0), grant: kind, kind, credits, expiresAt: null });
const charged = (charges: readonly ChargedCall[], unlimited?: true) =>
  createAccountEvent('CreditsCharged', { accountId, charges, ...(unlimited ? { unlimited } : {}) });
const pack = { packId: 1, priceCents: 1000, currency: 'usd' };
const toppedUp = (credits: number) =>
  createAccountEvent('CreditsToppedUp', { accountId, at: at(3), grant: 'pack.p1', credits, payment: 'p1', ...pack });

/** A folder with one account, whose ledger holds these; each is a record. */
async function folderWith(events: readonly LedgerEvent[], ...options: string[]): Promise<string> {
  const folder = temporaryFolder();
  await keysCreate(folder, ...options);
  const log = openSqliteLog({ file: join(folder, 'ledgerline.db') });
  if (events.length > 0) await log.append(accountStreams.ledger(accountId), events, 'any');
  await log.close();
  return folder;
}
const none = { operation: null, request_id: null, key_id: null };

describe('audit account', () => {
  it('tells the ledger entry by entry, with the balance after each', async () => {
    const bought = toppedUp(50);
    const folder = await folderWith([
      granted(100),
      charged([call('a', 2), call('b', 0.5, { chargedAt: at(2), operation: null }), call('c', 1, { keyId: 8 })]),
      createAccountEvent('InvoiceDeclined', { accountId, at: at(3), invoice: 'i', hostedInvoiceUrl: null }),
      { ...bought, data: { ...bought.data, keyId: 9, requestId: 'd' } } as LedgerEvent,
      createAccountEvent('InvoicePaid', { accountId, at: at(4), invoice: 'i' }),
      createAccountEvent('CreditsRefunded', {
        accountId,
        at: at(5),
        credits: 2,
        bought: 0,
        requestId: 'a',
        reason: 'r',
      }),
      createAccountEvent('CreditsExpired', { accountId, at: at(6), grant: 'initial', credits: 96.5 }),
    ]);

    const ledger = await ledgerOf(folder, '1');

    const charge = { position: '2', type: 'CreditsCharged', key_id: 7, operation: 'get_odds' };
    expect(ledger).toEqual([
      { position: '1', at: at(0), type: 'CreditsGranted', credits: 100, balance: 100, ...none },
      { ...charge, at: at(1), credits: -2, balance: 98, request_id: 'a' },
      { ...charge, at: at(2), credits: -0.5, balance: 97.5, request_id: 'b', operation: null },
      { ...charge, at: at(1), credits: -1, balance: 96.5, request_id: 'c', key_id: 8 },
      { position: '3', at: at(3), type: 'InvoiceDeclined', credits: 0, balance: 96.5, ...none },
      {
        position: '4',
        at: at(3),
        type: 'CreditsToppedUp',
        credits: 50,
        balance: 146.5,
        ...none,
        request_id: 'd',
        key_id: 9,
      },
      { position: '5', at: at(4), type: 'InvoicePaid', credits: 0, balance: 146.5, ...none },
      { position: '6', at: at(5), type: 'CreditsRefunded', credits: 2, balance: 148.5, ...none, request_id: 'a' },
      { position: '7', at: at(6), type: 'CreditsExpired', credits: -96.5, balance: 52, ...none },
    ]);
    const members = ['position', 'at', 'type', 'credits', 'balance', 'operation', 'request_id', 'key_id'];
    for (const entry of ledger) expect(Object.keys(entry)).toEqual(members);
  });

  it('is a table with aligned columns otherwise', async () => {
    const folder = await folderWith([granted(1000), charged([call('a-long-request-id', 2), call('b', 12)])]);

    const lines = linesOf(await audit(folder, 'account', '1'));

    expect(lines).toEqual([
      'POSITION  TIME                  TYPE            CREDITS  BALANCE  OPERATION  KEY  REQUEST',
      '       1  2026-03-01T12:00:00Z  CreditsGranted    +1000     1000  -            -  -',
      '       2  2026-03-01T12:00:01Z  CreditsCharged       -2      998  get_odds     7  a-long-request-id',
      '       2  2026-03-01T12:00:01Z  CreditsCharged      -12      986  get_odds     7  b',
    ]);
  });

  it('has no balance while credits have no limit, and takes nothing then', async () => {
    const folder = await folderWith([
      toppedUp(50),
      charged([call('a', 2)], true),
      createAccountEvent('InvoicePaid', { accountId, at: at(4), invoice: 'i' }),
      granted(10, 'order'),
      charged([call('b', 3)]),
      charged([call('c', 4)], true),
    ]);

    const ledger = await ledgerOf(folder, '1');

    expect(ledger.map(({ credits, balance }) => [credits, balance])).toEqual([
      [50, null],
      [-2, null],
      [0, null],
      [10, 60],
      [-3, 57],
      [-4, null],
    ]);
  });

  it.each([
    ['payg', 50],
    ['enterprise', null],
  ])('goes by the plan %s where no record tells whether there is a limit', async (plan, balance) => {
    const folder = await folderWith([toppedUp(50)], '--plan', plan);

    expect(await ledgerOf(folder, '1')).toMatchObject([{ credits: 50, balance }]);
  });

  it('tells a long ledger whole', async () => {
    const charges = Array.from({ length: 2500 }, (_, n) => charged([call(`r${n}`, 1)]));
    const folder = await folderWith([granted(10_000), ...charges]);

    const ledger = await ledgerOf(folder, '1');
    const table = linesOf(await audit(folder, 'account', '1'));

    expect(ledger.map(({ position }) => position)).toEqual(Array.from({ length: 2501 }, (_, n) => String(n + 1)));
    expect(ledger.map(({ balance }) => balance)).toEqual(Array.from({ length: 2501 }, (_, n) => 10_000 - n));
    expect(table).toHaveLength(2502);
    expect(table.filter((line) => line.startsWith('POSITION'))).toHaveLength(1);
  });

  it('takes the e-mail in the place of the id', async () => {
    const folder = await folderWith([granted(5)], '--email', 'Ops@Example.test');

    const byId = await audit(folder, 'account', '1');

    expect(await audit(folder, 'account', 'ops@example.TEST')).toBe(byId);
  });

  it('says so where nothing has happened yet', async () => {
    const folder = await folderWith([]);

    expect(await audit(folder, 'account', '1', '--json')).toBe('');
    expect(await audit(folder, 'account', '1')).toBe('nothing stands in the ledger of account 1 yet\n');
  });

  it.each([
    ['account', '2'],
    ['account', 'nobody@example.test'],
    ['calls', '2'],
  ])('answers %s %s with one line and exit 1 where there is no such account', async (subject, name) => {
    const ended = await run(['audit', subject, name, '--data-dir', await folderWith([granted(5)])]);

    expect(ended).toMatchObject({ code: 1, stdout: '', stderr: `there is no account ${name}\n` });
  });

  it.each([
    [['account']],
    [['account', 'first']],
    [['account', '0']],
    [['account', '1', '2']],
    [['account', '1', '--limit', '5']],
    [['calls']],
    [['calls', '1', '--limit', '0']],
    [['calls', '1', '--limit', 'all']],
  ])('answers %j with one line and exit 2', async (args) => {
    const ended = await run(['audit', ...args, '--data-dir', temporaryFolder()]);

    expect(ended).toMatchObject({ code: 2, stdout: '' });
    expect(linesOf(ended.stderr)).toHaveLength(1);
  });
});

describe('the account of a server that runs', () => {
  async function serve(...options: string[]) {
    const folder = temporaryFolder();
    const server = await startServer(folder);
    const { key, account_id: account } = await keysCreate(folder, ...options);
    const ask = async (path: string, requestId: string, init: RequestInit = {}) => {
      const headers = { authorization: `Bearer ${key}`, 'x-request-id': requestId, 'content-type': 'application/json' };
      const response = await fetch(`${server.url}${path}`, { ...init, headers });
      return { status: response.status, body: (await response.json()) as Record<string, unknown> };
    };
    return { folder, server, account: String(account), ask };
  }

  it('has a ledger whose last balance is the one that the client is told', async () => {
    const { folder, account, ask } = await serve('--email', 'ops@example.test', '--credits', '20', '--card', 'ok');
    const balance = async () => (await ask('/api/agent/credits', 'free')).body['total_remaining'];

    await ask('/v1/sports', 'a');
    await ask('/v1/seasons', 'b');
    await ask('/v1/teams/999', 'not-found');
    await command(folder, 'keys', 'refund', account, 'a', '--reason', 'why not');
    await command(folder, 'keys', 'invoice', account, 'declined');
    await ask('/api/agent/credits/topup', 'c', { method: 'POST', body: '{"pack_id":1}' });
    const before = await ledgerOf(folder, account);

    expect(before.map(({ type, credits, request_id }) => [type, credits, request_id])).toEqual([
      ['CreditsGranted', 20, null],
      ['CreditsCharged', -1, 'a'],
      ['CreditsCharged', -1, 'b'],
      ['CreditsRefunded', 1, 'a'],
      ['InvoiceDeclined', 0, null],
      ['CreditsToppedUp', 5000, 'c'],
    ]);
    expect(before[1]).toMatchObject({ operation: 'list_sports', key_id: 2 });
    expect(before.at(-1).balance).toBe(5019);
    expect(await balance()).toBe(5019);

    // Another grant of the operator takes the place of what is left of the first one.
    await keysCreate(folder, '--email', 'ops@example.test', '--credits', '7');
    await expect.poll(balance, { timeout: patientTimeout(20_000) }).toBe(5007);
    await ask('/v1/sports', 'd');
    const after = await ledgerOf(folder, account);

    expect(after.slice(0, before.length)).toEqual(before);
    expect(after.slice(before.length).map(({ type, credits, balance }) => [type, credits, balance])).toEqual([
      ['CreditsExpired', -18, 5001],
      ['CreditsExpired', -1, 5000],
      ['CreditsGranted', 7, 5007],
      ['CreditsCharged', -1, 5006],
    ]);
    expect(await balance()).toBe(5006);
    const positions = after.map(({ position }) => Number(position));
    expect(positions).toEqual([...positions].sort((a, b) => a - b));
  });

  it('has its calls told, free and refused ones too, the newest ones where not all are asked for', async () => {
    const { folder, server, account, ask } = await serve('--credits', '2', '--email', 'ops@example.test');
    for (const [path, id] of [
      ['/v1/sports', 'a'],
      ['/api/agent/credits', 'b'],
      ['/v1/teams/999', 'c'],
      ['/v1/seasons', 'd'],
      ['/v1/sports', 'e'],
    ]) {
      await ask(path!, id!);
    }
    server.child.kill('SIGTERM');
    expect((await server.ended).code).toBe(0);
    // It has projected everything when it is ready.
    await startServer(folder);

    const calls = parsed(await audit(folder, 'calls', account, '--json'));
    const newest = parsed(await audit(folder, 'calls', 'ops@example.test', '--limit', '2', '--json'));
    const [headings, ...lines] = linesOf(await audit(folder, 'calls', account));

    const told = calls.map(({ request_id, operation, status, credits }) => [request_id, operation, status, credits]);
    expect(told.sort()).toEqual([
      ['a', 'list_sports', 200, 1],
      ['b', 'get_credits', 200, 0],
      ['c', 'get_team', 404, 0],
      ['d', 'list_seasons', 200, 1],
      ['e', 'list_sports', 402, 0],
    ]);
    const times = calls.map(({ at }) => Date.parse(at));
    expect(times).toEqual([...times].sort((a, b) => a - b));
    expect(calls.find(({ request_id }) => request_id === 'a')).toEqual({
      at: expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/),
      key_id: 2,
      operation: 'list_sports',
      status: 200,
      credits: 1,
      milliseconds: expect.any(Number),
      request_id: 'a',
    });
    expect(newest).toEqual(calls.slice(-2));
    expect(headings).toMatch(/^TIME +KEY {2}OPERATION +STATUS {2}CREDITS +MS {2}REQUEST$/);
    const column = headings!.indexOf('REQUEST');
    expect(lines.map((line) => line.slice(column))).toEqual(calls.map(({ request_id }) => request_id));
  });
});
