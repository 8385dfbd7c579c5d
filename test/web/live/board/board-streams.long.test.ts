import { connect } from 'node:net';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { market, NBA, odds, schedule, score } from '../../../api/spec/messages.ts';
import { type LiveServer, nextTold, serveLive } from '../serve-live-page.ts';

let server: LiveServer;
beforeEach(async () => {
  server = await serveLive();
});
afterEach(async () => {
  await server.close();
  expect(server.failures).toEqual([]);
});

const TODAY = '2026-03-01';
const at = (minute: number) => `2026-03-01T18:${String(minute).padStart(2, '0')}:00Z`;
const game = (ref: string, starts_at = at(0), more = {}) =>
  schedule(NBA, ref, [`Home ${ref}`, `Away ${ref}`], starts_at, more);
const points = (ref: string, home: string, minute: number, more = {}) =>
  score(ref, 'inprogress', [home, '0'], { at: at(minute), ...more });
const price = (ref: string, home: number, minute: number, bookmaker = 'fanduel') =>
  odds(ref, bookmaker, [market('h2h', [['home', home]])], { at: at(minute) });
const homeScore = ({ data }: any) => data.sides[1].score;
const homePrice = ({ data }: any) => data.lines[0]?.outcomes[0].price;

async function opened(date?: string, headers: Record<string, string> = {}) {
  const client = await server.open(date, headers);
  expect(await client.next()).toMatchObject({ event: 'hello' });
  return client;
}

describe('the stream of the board', () => {
  it('greets, and tells score changes and line moves as the board has them then', async () => {
    await server.feed(game('a'), price('a', -110, 0));
    const client = await server.open();
    expect(client.headers).toMatchObject({ 'content-type': 'text/event-stream', 'x-credits-used': '0' });
    expect(await client.next()).toMatchObject({
      event: 'hello',
      data: { generated_at: '2026-03-01T20:00:00Z', date: TODAY },
    });
    await server.feed(points('a', '2', 1));
    const first = await nextTold(server, client);
    expect([first.event, homeScore(first), homePrice(first)]).toEqual(['board', '2', -110]);
    expect([first.data]).toEqual((await server.get('/live/board')).events);
    await server.feed(price('a', -130, 2));
    const second = await nextTold(server, client);
    expect([homeScore(second), homePrice(second)]).toEqual(['2', -130]);
    expect(second.data.lines[0].outcomes[0].moved).toEqual({ at: at(2), price_from: -110, point_from: null });
    expect(BigInt(second.data.position)).toBeGreaterThan(BigInt(first.data.position));
    expect(await server.get(`/live/events/${first.data.id}`)).toMatchObject({ event: second.data });
  });

  it('tells of changes within 100 ms once, as the newest leaves it', async () => {
    await server.feed(game('a'), game('b'));
    const client = await opened();
    await server.feed(points('a', '1', 1));
    server.timers.advance(0);
    expect(homeScore(await client.next())).toBe('1');
    await server.feed(points('a', '2', 2));
    server.timers.advance(99);
    await server.feed(points('a', '3', 3), price('a', 120, 3));
    await server.feed(points('b', '7', 3));
    server.timers.advance(1);
    const told = [await client.next(), await client.next()];
    expect(told.map(homeScore).sort()).toEqual(['3', '7']);
    await server.feed(points('a', '4', 4));
    server.timers.advance(100);
    expect(homeScore(await client.next())).toBe('4');
  });

  it('tells nothing of what the board does not show', async () => {
    await server.feed(game('a'), game('b'), price('a', -110, 0), price('a', -110, 0, 'betmgm'));
    const client = await opened();
    // Reconfirmations, another bookmaker's price, and a market that is not on the board.
    await server.feed(
      game('a', at(0), { at: at(1) }),
      price('a', -110, 1),
      price('a', -150, 1, 'betmgm'),
      odds('a', 'fanduel', [market('player_points', [['over', -110, 20.5]])], { at: at(2) }),
    );
    server.timers.advance(100);
    await server.feed(points('b', '1', 3));
    expect((await nextTold(server, client)).data.name).toBe('Away b at Home b');
  });

  it('tells of the day that it was asked for only, and of events that are new on it', async () => {
    await server.feed(game('a'), game('b', '2026-03-02T18:00:00Z'));
    const [today, tomorrow] = [await opened(TODAY), await opened('2026-03-02')];
    await server.feed(points('a', '1', 1), game('c', '2026-03-02T20:00:00Z'), price('b', 130, 1));
    expect(homeScore(await nextTold(server, today))).toBe('1');
    const names = [await nextTold(server, tomorrow), await nextTold(server, tomorrow)].map(({ data }) => data.name);
    expect(names.sort()).toEqual(['Away b at Home b', 'Away c at Home c']);
    expect(today.received.filter(({ event }) => event === 'board')).toHaveLength(1);
  });

  it('tells both days of an event that moves, and the old one nothing after that', async () => {
    await server.feed(game('a'), game('z'));
    const old = await opened(TODAY);
    const starts_at = '2026-03-02T18:00:00Z';
    await server.feed(game('y', starts_at));
    const next = await opened('2026-03-02');
    await server.feed(game('a', starts_at, { at: at(1) }));
    expect([await nextTold(server, old), await nextTold(server, next)].map(({ data }) => data.starts_at)).toEqual([
      starts_at,
      starts_at,
    ]);
    await server.feed(price('a', 120, 2));
    expect(homePrice(await nextTold(server, next))).toBe(120);
    await server.feed(points('z', '1', 3));
    expect((await nextTold(server, old)).data.name).toBe('Away z at Home z');
  });

  it('tells also what has changed back, to a page that has seen it in between', async () => {
    await server.feed(game('a'), points('a', '1', 1));
    const client = await opened();
    await server.feed(points('a', '2', 2));
    expect(homeScore(await nextTold(server, client))).toBe('2');
    // Within one pace: the stream alone would take both together for no change.
    await server.feed(points('a', '3', 3));
    expect((await server.get('/live/board')).events[0].sides[1].score).toBe('3');
    await server.feed(points('a', '2', 4));
    expect(homeScore(await nextTold(server, client))).toBe('2');
  });

  it('writes each event down once, however many read', async () => {
    await server.feed(game('a'));
    // One address may have 10 of them.
    const from = (index: number) => ({ 'x-forwarded-for': `192.0.2.${index % 2}` });
    const clients = await Promise.all(Array.from({ length: 20 }, (_, index) => opened(undefined, from(index))));
    await server.feed(points('a', '1', 1));
    const told = await Promise.all(clients.map((client) => nextTold(server, client)));
    expect(new Set(told.map(({ data }) => JSON.stringify(data))).size).toBe(1);
    expect(server.page.size).toBe(20);
    for (const client of clients) client.leave();
  });

  it('keeps alive, and asks to come back when the server stops', async () => {
    await server.feed(game('a'));
    const client = await opened();
    server.timers.advance(14_999);
    server.timers.advance(1);
    expect(await client.next()).toEqual({ event: 'comment', data: 'keep-alive' });
    const closing = server.page.close();
    expect((await client.rest()).map(({ event, data }) => [event, data])).toEqual([
      ['reconnect', { reason: 'server_shutdown' }],
      ['end', undefined],
    ]);
    await closing;
    expect(server.page.size).toBe(0);
  });

  it('goes on after the read store has failed', async () => {
    await server.close();
    let failing = false;
    server = await serveLive({
      around: (store) => ({
        ...store,
        getMany: (projection, keys) =>
          failing ? Promise.reject(new Error('the disk is gone')) : store.getMany(projection, keys),
      }),
    });
    await server.feed(game('a'));
    const client = await opened();
    failing = true;
    await server.feed(points('a', '1', 1));
    server.timers.advance(0);
    await expect.poll(() => server.failures.length, { interval: 1 }).toBe(1);
    failing = false;
    expect(homeScore(await nextTold(server, client))).toBe('1');
    expect(server.failures.splice(0)).toEqual([new Error('the disk is gone')]);
  });
});

describe('how many may be open', () => {
  it('is limited: one more is told to wait, and gets in when another one has left', async () => {
    await server.close();
    server = await serveLive({ maxStreams: 2 });
    const [first] = [await opened(), await opened()];
    const refused = await server.ask('/live/stream');
    expect([refused.status, refused.headers['retry-after'], refused.body.error]).toMatchObject([
      503,
      '30',
      { code: 'stream_limit_exceeded', status: 503, retry_after: 30 },
    ]);
    first!.leave();
    await expect.poll(() => server.page.size, { interval: 1 }).toBe(1);
    await opened();
  });
});

describe('a slow reader', () => {
  it('holds up nobody and holds no more than its events', async () => {
    await server.feed(game('a'), game('b'));
    const quick = await opened();
    // It asks, and never reads.
    const slow = connect(Number(new URL(server.url).port), '127.0.0.1');
    slow.pause();
    slow.write(`GET /live/stream HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n`);
    await expect.poll(() => server.page.size, { interval: 1 }).toBe(2);
    for (let n = 1; n <= 40; n++) {
      await server.feed(points('a', String(n), 1, { at: `2026-03-01T18:01:${10 + n - 1}Z` }));
      expect(homeScore(await nextTold(server, quick))).toBe(String(n));
    }
    slow.destroy();
    await expect.poll(() => server.page.size, { interval: 1 }).toBe(1);
  });
});
