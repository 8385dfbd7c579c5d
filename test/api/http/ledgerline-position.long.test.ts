import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type Composed, composed } from '../../support/composed.ts';
import { codeOf } from './serving.ts';

const INGEST = 'ingest-key';
const HEADER = 'ledgerline-position';
const schedule = (ref: string) => ({
  kind: 'schedule',
  source: 'example',
  at: '2026-01-25T20:00:00Z',
  sport: 'nfl',
  league: 'nfl',
  ref,
  starts_at: '2026-02-01T20:00:00Z',
  participants: [
    { role: 'home', name: `Home of ${ref}` },
    { role: 'away', name: `Guest of ${ref}` },
  ],
});

const opened: Composed[] = [];
let server: Composed;
let key: string;
afterEach(async () => {
  for (const one of opened.splice(0)) await one.close();
});

async function open(time?: number): Promise<Composed> {
  const one = await composed({ settings: { ingestKey: INGEST }, ...(time === undefined ? {} : { time }) });
  opened.push(one);
  return one;
}

const send = (to: Composed, body: unknown) =>
  fetch(`${to.url}/ingest/v1/messages`, {
    method: 'POST',
    headers: { authorization: `Bearer ${INGEST}`, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
const sent = async (to: Composed, body: unknown): Promise<string | null> => (await send(to, body)).headers.get(HEADER);

const ask = (path: string, position: string, more: RequestInit = {}) =>
  fetch(server.url + path, {
    ...more,
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json', [HEADER]: position },
  });

/** Lets the time of the server pass once somebody waits for it. */
async function pass(milliseconds: number): Promise<void> {
  const before = server.timers.size;
  while (server.timers.size <= before) await new Promise((resolve) => setImmediate(resolve));
  server.timers.advance(milliseconds);
}

beforeEach(async () => {
  server = await open();
  key = (await server.newKey()).key;
});

describe('Ledgerline-Position', () => {
  it('comes with the answers of ingest, grows, and is short', async () => {
    const first = await sent(server, schedule('g1'));
    const second = await sent(server, schedule('g2'));
    expect(first).toMatch(/^[^:,]+:\d+$/);
    const [of, position] = first!.split(':');
    const [ofSecond, later] = second!.split(':');
    expect(ofSecond).toBe(of);
    expect(Number(later)).toBeGreaterThan(Number(position));
    expect(second!.length).toBeLessThanOrEqual(1024);
    // What is known already may not be projected yet.
    expect(await sent(server, schedule('g1'))).toBe(second);
    expect(await sent(server, [{ kind: 'nonsense' }])).toBe(second);
  });

  it('makes a call wait until its answer shows what was sent', async () => {
    const position = await sent(server, schedule('g1'));
    const asked = ask('/v1/events/1', position!);
    await server.core.runner.start();
    const answer = await asked;
    expect(answer.status).toBe(200);
    expect(await answer.json()).toMatchObject({ id: 1 });
    const again = await ask('/v1/events/1', position!, {});
    expect(again.status).toBe(200);
  });

  it('is 503 after two seconds, at no cost', async () => {
    const position = await sent(server, schedule('g1'));
    const asked = ask('/v1/events', position!);
    await pass(2000);
    const answer = await asked;
    expect(answer.status).toBe(503);
    expect(answer.headers.get('retry-after')).toBe('1');
    expect(answer.headers.get('x-credits-used')).toBe('0');
    expect(await answer.json()).toMatchObject({ error: { code: 'service_unavailable', retry_after: 1 } });
  });

  it('may be joined by commas: the greater position counts', async () => {
    const early = await sent(server, schedule('g1'));
    await server.core.runner.start();
    await server.core.projected();
    const name = early!.split(':')[0];
    const [, of] = early!.split(':');
    expect((await ask('/v1/events', `${early},${early}`)).status).toBe(200);
    expect((await ask('/v1/events', `${early} , ${name}:${Number(of) - 1}`)).status).toBe(200);
    const asked = ask('/v1/events', `${name}:${Number(of) + 1000},${early}`);
    await pass(2000);
    expect((await asked).status).toBe(503);
  });

  it.each(['', 'x', '1:2', 'log:1', ':', ',', '12345678.log:', '12345678.log:-1', '12345678.log:1,'])(
    'is refused where it is malformed: %j',
    async (position) => {
      await sent(server, schedule('g1'));
      const answer = await ask('/v1/events', position);
      expect([answer.status, await codeOf(answer)]).toEqual([400, 'bad_request']);
    },
  );

  it('is refused where it is of another log, or of another partition', async () => {
    const other = await open(Date.parse('2026-03-02T08:00:00Z'));
    const foreign = await sent(other, schedule('g1'));
    const empty = await ask('/v1/events', foreign!);
    expect([empty.status, await codeOf(empty)]).toEqual([400, 'bad_request']);
    const own = await sent(server, schedule('g1'));
    const answer = await ask('/v1/events', foreign!);
    expect([answer.status, await codeOf(answer)]).toEqual([400, 'bad_request']);
    const elsewhere = await ask('/v1/events', own!.replace('.log:', '.7:'));
    expect([elsewhere.status, await codeOf(elsewhere)]).toEqual([400, 'bad_request']);
    const joined = await ask('/v1/events', `${own},${foreign}`);
    expect(joined.status).toBe(400);
  });

  it('counts for tools and streams as for calls, and not before the key is known', async () => {
    await sent(server, schedule('g1'));
    const call = { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: 'get_event', arguments: { id: 1 } } };
    const tool = await fetch(`${server.url}/mcp`, {
      method: 'POST',
      headers: {
        authorization: `Bearer ${key}`,
        'content-type': 'application/json',
        accept: 'application/json, text/event-stream',
        [HEADER]: 'x',
      },
      body: JSON.stringify(call),
    });
    expect(await tool.json()).toMatchObject({ result: { isError: true, _meta: { credits_used: 0 } } });
    expect((await ask('/v1/events/1/stream', 'x')).status).toBe(400);
    const nobody = await fetch(`${server.url}/v1/events`, { headers: { [HEADER]: 'x' } });
    expect(nobody.status).toBe(401);
  });
});
