import { describe, expect, it } from 'vitest';
import type { AlertFilter } from '../../../src/domain/alerts/alert-filter.ts';
import type { WebhookEventType } from '../../../src/domain/webhook-types.ts';
import { market, odds } from '../../api/spec/messages.ts';
import { serve } from '../local-endpoint.ts';
import { alertingServer, GAME, score } from './alerting.ts';

const h2h = (bookmaker: string, home: number, away: number, minute: number) =>
  odds(
    'g1',
    bookmaker,
    [
      market('h2h', [
        ['home', home],
        ['away', away],
      ]),
    ],
    { at: `2026-03-01T11:${minute}:00Z` },
  );

/** A server whose owner has this list, and endpoints that are told of these types. */
async function listed(books: readonly string[] | null, types: readonly WebhookEventType[]) {
  const server = await alertingServer();
  const put = (list: readonly string[] | null) => server.ports.myBooks.put(server.owner.accountId, list);
  await put(books);
  await server.feed(GAME);
  return {
    ...server,
    put,
    async endpoint(filter: AlertFilter | null = null) {
      const endpoint = await serve();
      await server.subscribe({ url: endpoint.url, event_types: [...types, 'event_final'], filter });
      return endpoint;
    },
    /** What an endpoint was told up to the end of the game. */
    async until(endpoint: Awaited<ReturnType<typeof serve>>): Promise<any[]> {
      const isOver = () => endpoint.received.some(({ body }) => body.toString().includes('event_final'));
      for (let count = 1; !isOver(); count++) await endpoint.arrived(count);
      const told = endpoint.received.map(({ body }) => JSON.parse(body.toString()));
      return told.filter(({ type }) => type !== 'event_final').map(({ data }) => data);
    },
  };
}
const END = score('g1', 'final', ['0', '3'], { at: '2026-03-01T11:59:30Z' });

describe('the alerts of an account with a list of books', () => {
  it('tell the edges of its books, which are others than those of all books', async () => {
    const { feed, endpoint, until } = await listed(['fanduel'], ['ev']);
    const [own, all, other] = [
      await endpoint(),
      await endpoint({ books: ['all'] }),
      await endpoint({ books: ['betmgm'] }),
    ];
    await feed(h2h('pinnacle', -105, -105, 50), h2h('betmgm', 108, -130, 51), h2h('fanduel', 105, -125, 52), END);
    const edges = async (of: typeof own) =>
      (await until(of)).map(({ bookmaker, ev_percent }) => [bookmaker, ev_percent]);
    expect(await edges(own)).toEqual([['fanduel', 2.5]]);
    expect(await edges(all)).toEqual([['betmgm', 4]]);
    expect(await edges(other)).toEqual([['betmgm', 4]]);
  });

  it('tell arbitrages of its books alone', async () => {
    const { feed, endpoint, until } = await listed(['fanduel', 'betmgm'], ['arbitrage']);
    const own = await endpoint();
    await feed(h2h('draftkings', 125, -150, 50), h2h('betmgm', -120, 105, 51), h2h('fanduel', 110, -130, 52), END);
    const told = await until(own);
    expect(told.map(({ legs }) => legs.map((leg: any) => leg.bookmaker))).toEqual([['fanduel', 'betmgm']]);
  });

  it('tell moves and new prices of its books alone, and steam by the names of these', async () => {
    const { feed, endpoint, until } = await listed(['fanduel', 'betmgm'], ['line_move', 'new_price', 'steam']);
    const own = await endpoint();
    for (const book of ['circa', 'fanduel', 'betmgm']) await feed(h2h(book, -105, -105, 50));
    await feed(h2h('circa', -115, 105, 51), h2h('fanduel', -115, 105, 52), h2h('betmgm', -115, 105, 53), END);
    const told = await until(own);
    expect(told.flatMap(({ bookmaker, bookmakers }) => bookmakers ?? bookmaker)).not.toContain('circa');
    expect(told.filter(({ bookmakers }) => bookmakers).map(({ bookmakers }) => bookmakers)).toEqual([
      ['fanduel', 'betmgm'],
    ]);
  });

  it('follow the list as it is when they are made', async () => {
    const { feed, put, endpoint, until } = await listed(null, ['new_price']);
    const own = await endpoint();
    await feed(h2h('circa', -105, -105, 50));
    await own.arrived(1);
    await put(['fanduel']);
    await feed(h2h('betmgm', -105, -105, 51), h2h('fanduel', -105, -105, 52), END);
    expect((await until(own)).map(({ bookmaker }) => bookmaker)).toEqual(['circa', 'fanduel']);
  });

  it('are shown on the page as they would have been', async () => {
    const { feed, services, owner } = await listed(['fanduel'], ['new_price']);
    await feed(h2h('fanduel', -105, -105, 50), h2h('circa', -105, -105, 51));
    const preview = async (filter: AlertFilter) => JSON.stringify(await services.preview(owner, filter));
    expect(await preview({ types: ['new_price'] })).toContain('FanDuel opens');
    expect(await preview({ types: ['new_price'], books: ['all'] })).toContain('Circa opens');
  });
});
