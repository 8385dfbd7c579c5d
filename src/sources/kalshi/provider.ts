import { asNumber, asRecord, asRecords, asText, type JsonObject } from '../parsing/json-values.ts';
import { listItems } from '../provider-base/answer-items.ts';
import { findDrift } from '../provider-base/drift-check.ts';
import {
  type AnswerItem,
  type LeagueView,
  type Provider,
  type ProviderAnswer,
  type ProviderRequest,
  UnknownAnswerShape,
} from '../provider-base/provider.ts';
import type { UnclearContract } from '../provider-base/unclear-contracts.ts';
import { bookOf, mirrored, type QuotedContract } from '../provider-base/venue-book.ts';
import { marketsToAsk, noteOfUnbound, type UnboundMarket } from '../provider-base/venue-contract.ts';
import { type VenueKnowledge, VenueMemory } from '../provider-base/venue-memory.ts';
import { bindKalshiMarket, unclearKalshiMarket } from './bind-market.ts';
import { SERIES } from './series.ts';

const BASE = '/trade-api/v2';
/** Seconds between two requests, by state of the league. */
const LISTS = { live: 600, soon: 600, later: 3600, idle: 21_600 } as const;
const SETTLED = { live: 1800, soon: 3600, later: 21_600, idle: 21_600 } as const;
const BOOKS = { live: 15, soon: 60, later: 600, idle: 3600 } as const;
/** Tickers of one request for books; an address stays far below what servers take. */
const TICKERS = 40;
/** Pages of one list. A page has the games of several days. */
const MAX_PAGES = 10;
const NO_TICKER = 'without a ticker';

/** Kalshi: order books of its public market data, without a key. */
export function kalshiProvider(known: VenueKnowledge = {}): Provider {
  const memory = new VenueMemory('kalshi', known);
  /** By series: where each further page of the list of its events begins. */
  const cursors = new Map<string, string[]>();

  function listRequests({ league, state }: LeagueView): ProviderRequest[] {
    return SERIES.filter((series) => series.league === league).flatMap(({ ticker }) => {
      const open = { series_ticker: ticker, status: 'open', with_nested_markets: 'true', limit: '200' };
      const how = { league, urgency: state } as const;
      const pages = ['', ...(cursors.get(ticker) ?? [])];
      return [
        ...pages.map((cursor, page) => ({
          ...how,
          key: `kalshi:events:${ticker}:${page}`,
          // Not `events`: that a venue lists contracts does not make what is known of a league any fresher.
          kind: 'contracts',
          path: `${BASE}/events`,
          query: { ...open, ...(cursor === '' ? {} : { cursor }) },
          intervalSeconds: LISTS[state],
          ...(page === 0 && { isPrerequisite: true as const }),
        })),
        {
          ...how,
          key: `kalshi:settled:${ticker}`,
          kind: 'settled',
          path: `${BASE}/markets`,
          query: { series_ticker: ticker, status: 'settled', limit: '200' },
          intervalSeconds: SETTLED[state],
        },
      ];
    });
  }

  /** A repeated parameter is none of a record. */
  const booksPath = (ids: readonly string[]): string =>
    `${BASE}/markets/orderbooks?${ids.map((id) => `tickers=${encodeURIComponent(id)}`).join('&')}`;

  function bookRequests(view: LeagueView, games: ReturnType<VenueMemory['byGame']>, now: number): ProviderRequest[] {
    const { league, state } = view;
    const how = { kind: 'books', league, query: {}, urgency: state } as const;
    const ofGames = marketsToAsk(view, games).flatMap(({ ref, markets }) =>
      piecesOf(markets.map(({ id }) => id)).map((piece, index) => ({
        ...how,
        key: `kalshi:books:${ref}:${index}`,
        path: booksPath(piece),
        intervalSeconds: BOOKS[state],
      })),
    );
    const oneByOne = (name: string, ids: readonly string[], intervalSeconds: number) =>
      piecesOf(ids).map((piece, index) => ({
        ...how,
        key: `kalshi:${name}:${league}:${index}`,
        path: booksPath(piece),
        intervalSeconds,
      }));
    return [
      ...ofGames,
      ...oneByOne('bound', memory.unclear.bound(league, now), BOOKS[state]),
      ...oneByOne('unclear', memory.unclear.waiting(league, now), LISTS[state]),
    ];
  }

  async function* readMarkets(events: readonly JsonObject[], at: number): AsyncGenerator<AnswerItem> {
    const leagues = new Set<string>();
    for (const event of events) {
      for (const market of asRecords(event['markets'])) {
        const bound = bindKalshiMarket(market, event);
        if ('unbound' in bound) {
          const unclear = unclearKalshiMarket(market, event, bound);
          if (unclear && !leagues.has(unclear.league)) {
            leagues.add(unclear.league);
            await memory.noticeActs(at, unclear.league);
          }
          yield* readUnclear(market, unclear, bound, at);
        } else if (isOpenOrSettled(market)) for (const message of memory.listed(bound, at)) yield { message };
      }
    }
  }

  function* readUnclear(
    market: JsonObject,
    unclear: UnclearContract | undefined,
    { unbound }: UnboundMarket,
    at: number,
  ): Generator<AnswerItem> {
    const id = asText(market['ticker']);
    if (!unclear || !memory.unclear.isBound(unclear.league, unclear.id)) yield noteOfUnbound(unbound, id ?? NO_TICKER);
    if (unclear) for (const message of memory.unclear.listed(unclear, at)) yield { message };
    else for (const message of memory.unclear.closed(id ?? '', at)) yield { message };
  }

  async function* readBooks(books: readonly JsonObject[], at: number): AsyncGenerator<AnswerItem> {
    await memory.noticeActs(at);
    const unclear: JsonObject[] = [];
    const quoted = books.flatMap((book): QuotedContract[] => {
      const id = asText(book['ticker']) ?? '';
      const market = memory.market(id);
      const { yes_dollars: yes, no_dollars: no } = asRecord(book['orderbook_fp']);
      const [bids, others] = [ordersOf(yes), ordersOf(no)];
      if (!market) {
        unclear.push(...memory.unclear.quoted(id, bookOf(bids, mirrored(others)), at));
        return [];
      }
      return [{ market, book: bookOf(bids, mirrored(others)), oppositeBook: bookOf(others, mirrored(bids)) }];
    });
    for (const message of unclear) yield { message };
    for await (const message of memory.quoted(quoted, at)) yield { message };
  }

  return {
    name: 'kalshi',
    address: 'https://api.elections.kalshi.com',
    leagues: [...new Set(SERIES.map(({ league }) => league))],
    requests(leagues, now) {
      const games = memory.byGame();
      return leagues.flatMap((view) => [...bookRequests(view, games, now), ...listRequests(view)]);
    },
    async *read({ request, body, observedAt }: ProviderAnswer) {
      const given = asRecord(body);
      const path = request.path.replace(/\?.*$/, '');
      if (path.endsWith('/events')) {
        if (!Array.isArray(given['events'])) throw new UnknownAnswerShape('events', 'is no list');
        const events = listItems(asRecords(given['events']), 'events[]');
        yield* await findDrift(events, 'events[]', [
          ['event_ticker', 'text'],
          ['markets', 'list'],
          ['markets[].ticker', 'text'],
        ]);
        noteCursor(request.query, asText(given['cursor']));
        yield* readMarkets(events, observedAt);
      } else if (path.endsWith('/markets')) {
        if (!Array.isArray(given['markets'])) throw new UnknownAnswerShape('markets', 'is no list');
        const markets = listItems(asRecords(given['markets']), 'markets[]');
        yield* await findDrift(markets, 'markets[]', [['ticker', 'text']]);
        yield* readMarkets([{ markets }], observedAt);
      } else if (path.endsWith('/orderbooks')) {
        if (!Array.isArray(given['orderbooks'])) throw new UnknownAnswerShape('orderbooks', 'is no list');
        const books = listItems(asRecords(given['orderbooks']), 'orderbooks[]');
        yield* await findDrift(books, 'orderbooks[]', [
          ['ticker', 'text'],
          ['orderbook_fp', 'object'],
        ]);
        yield* readBooks(books, observedAt);
      } else throw new UnknownAnswerShape('', `answers no question of this provider: ${request.path}`);
    },
    forgetPublished: () => memory.forget(),
    get memory() {
      return { bytes: memory.bytes, limit: memory.limit };
    },
  };

  function noteCursor(
    { series_ticker: ticker = '', cursor: own }: ProviderRequest['query'],
    next: string | undefined,
  ): void {
    const pages = own === undefined ? [] : (cursors.get(ticker) ?? []);
    const place = own === undefined ? 0 : pages.indexOf(own) + 1;
    const kept = pages.slice(0, place);
    if (next !== undefined && !kept.includes(next) && kept.length < MAX_PAGES - 1) kept.push(next);
    cursors.set(ticker, kept);
  }
}

/** The ids of each request. */
const piecesOf = (ids: readonly string[]): string[][] =>
  Array.from({ length: Math.ceil(ids.length / TICKERS) }, (_, index) =>
    ids.slice(index * TICKERS, (index + 1) * TICKERS),
  );

const isOpenOrSettled = ({ status }: JsonObject): boolean => status === 'active' || status === 'finalized';

/** Pairs of price and count, which are texts. */
function ordersOf(value: unknown): (readonly [number, number])[] {
  if (!Array.isArray(value)) return [];
  return value.flatMap((level) => {
    if (!Array.isArray(level)) return [];
    const [price, count] = [asNumber(level[0]), asNumber(level[1])];
    return price === undefined || count === undefined ? [] : [[price, count] as const];
  });
}
