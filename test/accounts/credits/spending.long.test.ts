import { afterEach, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { costWhenAvailable, flatCost, type Operation } from '../../../src/api/calls/operation/operation.ts';
import { integer, pathId } from '../../../src/api/operations/shared/parameters.ts';
import { type AgentServer, serveAgent } from '../../api/agent/serving.ts';
import { chargesIn } from '../recorded-calls.ts';

// 63 keys of one account, of which each may have 16 requests in flight, ask for more than the account can pay.
const KEYS = 63;
const CALLS = 1000;
const anything = z.looseObject({});

/** Lets other requests in between: an answer that takes its time is where credits could be spent twice. */
const pause = () => new Promise<void>((resolve) => setImmediate(resolve));

const buy = (name: string, cost: Operation['cost']): Operation => ({
  name,
  method: 'GET',
  path: `/v1/${name}/{id}`,
  tag: 'Toys',
  summary: name,
  input: { path: pathId('thing') },
  output: anything,
  cost,
  async run({ id }) {
    await pause();
    return { id, available: id % 3 !== 0 };
  },
});

const one = buy('one', flatCost(1));
const two = buy('two', flatCost(2));
const half = buy('half', flatCost(0.5));
const maybe = buy('maybe', costWhenAvailable as Operation['cost']);
/** Costs a credit for each of its parts that is there: those that three divides are not. */
const batch: Operation = {
  ...one,
  name: 'batch',
  method: 'POST',
  path: '/v1/batch',
  input: {
    body: z.object({
      ids: z
        .array(integer('Id.', { min: 1 }))
        .min(1)
        .max(25),
    }),
  },
  cost: {
    description: 'a credit each',
    creditsFor: ({ ids }) => ids.filter((id: number) => id % 3 !== 0).length,
    bounds: ({ ids }) => ({ min: 0, max: ids.length }),
  },
  async run({ ids }) {
    await pause();
    return { ids };
  },
};

let server: AgentServer;
afterEach(() => server.close());

/** An account with so many credits, and its keys. */
async function open(credits: number): Promise<readonly string[]> {
  server = await serveAgent({ operations: [one, two, half, maybe, batch] });
  const { key, record } = await server.newKey({ credits });
  const others = Array.from({ length: KEYS - 1 }, () => server.newKey({ account: { id: record.accountId } }));
  return [key, ...(await Promise.all(others)).map((other) => other.key)];
}

interface Got {
  readonly status: number;
  readonly credits: number;
  readonly remaining: number;
}

async function ask(key: string, path: string, body?: unknown): Promise<Got> {
  const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' };
  const init = body === undefined ? { headers } : { method: 'POST', headers, body: JSON.stringify(body) };
  const response = await fetch(server.url + path, init);
  await response.arrayBuffer();
  return {
    status: response.status,
    credits: Number(response.headers.get('x-credits-used')),
    remaining: Number(response.headers.get('x-credits-remaining')),
  };
}

const atOnce = (keys: readonly string[], call: (key: string, n: number) => Promise<Got>): Promise<Got[]> =>
  Promise.all(Array.from({ length: CALLS }, (_, n) => call(keys[n % KEYS]!, n + 1)));

const counts = (all: readonly Got[]): Record<string, number> => {
  const result: Record<string, number> = {};
  for (const { status } of all) result[status] = (result[status] ?? 0) + 1;
  return result;
};

/** What the log says: sum of the charges, each request once. */
async function charged(): Promise<number> {
  await server.credits.flush();
  const records = await server.log.readStream('account-2');
  const charges = chargesIn(records);
  expect(new Set(charges.map(({ requestId }) => requestId)).size).toBe(charges.length);
  return charges.reduce((sum, { credits }) => sum + credits, 0);
}

const balance = async (key: string): Promise<number> => (await ask(key, '/v1/nothing')).remaining;

describe('1,000 calls at once, more than the account can pay', () => {
  it('of 1 credit each: exactly as many answers as credits', async () => {
    const keys = await open(100);
    const all = await atOnce(keys, (key, n) => ask(key, `/v1/one/${n}`));
    expect(counts(all)).toEqual({ 200: 100, 402: 900 });
    expect(await balance(keys[0]!)).toBe(0);
    expect(await charged()).toBe(100);
  });

  it('of 2 credits each: the odd credit stays', async () => {
    const keys = await open(101);
    const all = await atOnce(keys, (key, n) => ask(key, `/v1/two/${n}`));
    expect(counts(all)).toEqual({ 200: 50, 402: 950 });
    expect(await balance(keys[0]!)).toBe(1);
    expect(await charged()).toBe(100);
  });

  it('of half a credit each', async () => {
    const keys = await open(100);
    expect(counts(await atOnce(keys, (key, n) => ask(key, `/v1/half/${n}`)))).toEqual({ 200: 200, 402: 800 });
    expect(await charged()).toBe(100);
  });

  it('some of which end with available: false: these are free, and stand in nobody’s way', async () => {
    const keys = await open(100);
    const all = await atOnce(keys, (key, n) => ask(key, `/v1/maybe/${n}`));
    const paid = all.filter(({ status, credits }) => status === 200 && credits === 1);
    const free = all.filter(({ status, credits }) => status === 200 && credits === 0);
    expect(paid).toHaveLength(100);
    expect(free.length).toBeGreaterThan(0);
    expect(free.length + 100 + all.filter(({ status }) => status === 402).length).toBe(CALLS);
    expect(await balance(keys[0]!)).toBe(0);
    expect(await charged()).toBe(100);
  });

  it('in batches, of which parts are free: nothing is left that would have paid for the next', async () => {
    const keys = await open(100);
    const ids = Array.from({ length: 5 }, (_, i) => i + 1);
    const all = await atOnce(keys, (key) => ask(key, '/v1/batch', { ids }));
    const paid = all.filter(({ status }) => status === 200);
    expect(paid.every(({ credits }) => credits === 4)).toBe(true);
    // Each may cost 5 and costs 4: the 25th would leave 0, but runs only while 5 are there.
    expect(paid).toHaveLength(24);
    expect(await balance(keys[0]!)).toBe(4);
    expect(await charged()).toBe(96);
  });

  it('of all kinds: the balance is what was granted less what was charged, and never below zero', async () => {
    const keys = await open(300);
    const kinds = ['one', 'two', 'half', 'maybe'];
    const all = await atOnce(keys, (key, n) =>
      n % 5 === 4 ? ask(key, '/v1/batch', { ids: [n, n + 1, n + 2] }) : ask(key, `/v1/${kinds[n % 5]}/${n}`),
    );
    const paid = all.reduce((sum, { credits }) => sum + credits, 0);
    expect(paid).toBe(await charged());
    expect(await balance(keys[0]!)).toBe(300 - paid);
    expect(all.every(({ remaining }) => remaining >= 0)).toBe(true);
    // Whatever was refused had less left than it could cost.
    expect(300 - paid).toBeLessThan(3);
  });
});
