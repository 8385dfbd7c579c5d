import { afterEach, describe, expect, it } from 'vitest';
import { MINUTE, SECOND } from '../../../src/domain/primitives/time.ts';
import { NOW } from '../read-live-answers.ts';
import type { Fault } from './faults.ts';
import { createSimulatedProvider, type SimulatedParts, serveSimulated } from './simulated-provider.ts';
import { timeline } from './timelines.ts';

const BOARD = timeline('/board', [
  [0, { events: [{ id: 'early' }] }],
  [NOW, { events: [{ id: 'now' }] }],
]);

const open: { close(): Promise<void> }[] = [];
afterEach(async () => {
  for (const server of open.splice(0)) await server.close();
});

async function serving(given: Partial<SimulatedParts> & { fault?: Fault } = {}) {
  const clock = { now: NOW + MINUTE };
  const { fault, ...parts } = given;
  const troubles = fault ? [{ fault, from: 0, to: Number.POSITIVE_INFINITY }] : [];
  const simulated = createSimulatedProvider({ timelines: [BOARD], troubles, now: () => clock.now, ...parts });
  const server = await serveSimulated(simulated);
  open.push(server);
  const ask = (path: string, headers: Record<string, string> = {}) =>
    fetch(server.address + path, { headers, redirect: 'manual', signal: AbortSignal.timeout(500) });
  return { simulated, clock, ask };
}

describe('the simulated provider', () => {
  it('answers what its timeline says at the time, and says when that changed', async () => {
    const { ask, clock } = await serving();

    const now = await ask('/board?dates=1');
    clock.now = NOW - 1;
    const before = await ask('/board');
    const nowhere = await ask('/elsewhere');

    expect(await now.json()).toEqual({ events: [{ id: 'now' }] });
    expect(now.headers.get('last-modified')).toBe('Mon, 23 Nov 2026 18:00:00 GMT');
    expect(await before.json()).toEqual({ events: [{ id: 'early' }] });
    expect(nowhere.status).toBe(404);
  });

  it('answers 304 to who has it, and logs every request with its time', async () => {
    const { ask, clock, simulated } = await serving();
    const etag = (await ask('/board')).headers.get('etag')!;
    clock.now += SECOND;

    const again = await ask('/board?dates=1', { 'if-none-match': etag });
    clock.now = NOW - 1;
    const changed = await ask('/board', { 'if-none-match': etag });

    expect([again.status, changed.status]).toEqual([304, 200]);
    expect(simulated.log).toEqual([
      { at: NOW + MINUTE, path: '/board', query: {}, status: 200, fault: undefined, conditional: false },
      {
        at: NOW + MINUTE + SECOND,
        path: '/board',
        query: { dates: '1' },
        status: 304,
        fault: undefined,
        conditional: true,
      },
      { at: NOW - 1, path: '/board', query: {}, status: 200, fault: undefined, conditional: true },
    ]);
  });

  it.each<[Fault, number, Record<string, string>, unknown]>([
    [{ kind: 'status', status: 429, retryAfter: 30 }, 429, { 'retry-after': '30' }, { message: 'no' }],
    [{ kind: 'status', status: 503, body: { a: 1 } }, 503, {}, { a: 1 }],
    [{ kind: 'text', text: '"x"' }, 200, {}, 'x'],
    [{ kind: 'drift', change: ({ events }) => ({ games: events }) }, 200, {}, { games: [{ id: 'now' }] }],
    [
      { kind: 'cache', seconds: 90, told: true },
      200,
      { age: '90', 'last-modified': 'Thu, 01 Jan 1970 00:00:00 GMT' },
      { events: [{ id: 'early' }] },
    ],
    [{ kind: 'skew', seconds: -3600 }, 200, { date: 'Mon, 23 Nov 2026 17:01:00 GMT' }, { events: [{ id: 'now' }] }],
    [{ kind: 'doubled', seconds: 90 }, 200, {}, { events: [{ id: 'early' }, { id: 'now' }] }],
  ])('with the fault %j', async (fault, status, headers, body) => {
    const { ask, simulated } = await serving({ fault });

    const answer = await ask('/board');

    expect(answer.status).toBe(status);
    expect(Object.fromEntries(answer.headers)).toMatchObject(headers);
    expect(await answer.json()).toEqual(body);
    expect(simulated.log).toMatchObject([{ status, fault: fault.kind }]);
  });

  it('redirects, is silent, breaks off and ends in the middle', async () => {
    const redirect = await (await serving({ fault: { kind: 'redirect', to: 'http://127.0.0.1:1/' } })).ask('/board');
    expect([redirect.status, redirect.headers.get('location')]).toEqual([302, 'http://127.0.0.1:1/']);

    await expect((await serving({ fault: { kind: 'silence' } })).ask('/board')).rejects.toMatchObject({
      name: 'TimeoutError',
    });
    await expect((await serving({ fault: { kind: 'reset' } })).ask('/board')).rejects.toThrow();

    const torn = await (await serving({ fault: { kind: 'truncated' } })).ask('/board');
    expect(torn.status).toBe(200);
    await expect(torn.text()).rejects.toThrow();
  });

  it('has its faults for a while and at some paths', async () => {
    const fault: Fault = { kind: 'status', status: 500 };
    const troubles = [{ fault, path: /^\/board/, from: NOW, to: NOW + MINUTE }];
    const { ask, clock } = await serving({ troubles, timelines: [BOARD, timeline('/other', [[0, {}]])] });
    const statuses: number[] = [];
    for (const [at, path] of [
      [NOW - 1, '/board'],
      [NOW, '/board'],
      [NOW, '/other'],
      [NOW + MINUTE, '/board'],
    ] as const) {
      clock.now = at;
      statuses.push((await ask(path)).status);
    }
    expect(statuses).toEqual([200, 500, 200, 200]);
  });
});

describe('the credits of the simulated provider', () => {
  const ODDS = '/v4/sports/basketball_nba/odds';
  const timelines = [timeline(ODDS, [[0, [{ id: '1' }]]]), timeline('/v4/sports', [[0, [{ key: 'a' }]]])];
  const credits = { key: 'right', credits: 7 };
  const told = (answer: Response) =>
    ['last', 'used', 'remaining'].map((name) => answer.headers.get(`x-requests-${name}`));

  it('go by markets and regions, until there are none left', async () => {
    const { ask } = await serving({ timelines, credits });
    const paid = `${ODDS}?apiKey=right&markets=h2h,spreads&regions=us,eu`;

    expect(told(await ask('/v4/sports?apiKey=right'))).toEqual(['0', '0', '7']);
    expect(told(await ask(paid))).toEqual(['4', '4', '3']);
    const refused = await ask(paid);
    expect(told(refused)).toEqual(['0', '4', '3']);
    expect([refused.status, await refused.json()]).toMatchObject([401, { error_code: 'OUT_OF_USAGE_CREDITS' }]);
    expect(told(await ask(`${ODDS}?apiKey=right&markets=h2h&regions=us`))).toEqual(['1', '5', '2']);
  });

  it('are nobody else’s, and an empty answer costs none', async () => {
    const { ask } = await serving({ timelines: [timeline(ODDS, [[0, []]])], credits });

    const empty = await ask(`${ODDS}?apiKey=right&markets=h2h&regions=us`);
    const wrong = await ask(`${ODDS}?apiKey=wrong`);
    const missing = await ask(ODDS);

    expect(told(empty)).toEqual(['0', '0', '7']);
    expect([wrong.status, missing.status]).toEqual([401, 401]);
    expect(await wrong.json()).toMatchObject({ error_code: 'INVALID_KEY' });
    expect(await missing.json()).toMatchObject({ error_code: 'MISSING_KEY' });
  });
});
