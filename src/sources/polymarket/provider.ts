import { SECOND } from '../../domain/primitives/time.ts';
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
import { takeTurns, type UnclearContract } from '../provider-base/unclear-contracts.ts';
import { bookOf, mirrored } from '../provider-base/venue-book.ts';
import { marketsToAsk, noteOfUnbound, type VenueGame } from '../provider-base/venue-contract.ts';
import { type VenueKnowledge, VenueMemory } from '../provider-base/venue-memory.ts';
import { bindPolymarketMarket, gameOfEvent, unclearPolymarketMarket } from './bind-market.ts';
import { leagueOfSlug, POLYMARKET_LEAGUES } from './leagues.ts';

/** Seconds between two requests, by state of the league. */
const LISTS = { live: 600, soon: 600, later: 3600, idle: 21_600 } as const;
const SETTLED = { live: 1800, soon: 3600, later: 21_600, idle: 21_600 } as const;
const BOOKS = { live: 30, soon: 120, later: 900, idle: 3600 } as const;
const SPORTS = 21_600;
/** Events in one answer, and the most pages of a league that are asked for. */
const PAGE = 100;
const MAX_PAGES = 10;
/** Unclear contracts of a league whose books are asked for in one turn. */
const UNCLEAR_AT_ONCE = 100;
const NO_ID = 'without an id';
/** Marks the games among the events of a league. */
const GAMES_TAG = '100639';

/**
 * Polymarket: order books of its public market data, without a key. It has two hosts: one lists markets, the other has
 * their books. Each is a connector; they share what they know.
 */
export function polymarketProvider(known: VenueKnowledge = {}): Provider {
  const memory = new VenueMemory('polymarket', known);
  /** The venue's series by its code of a league. */
  const series = new Map<string, string>();
  const pages: Pages = new Map();

  const read = (answer: ProviderAnswer) => readAnswer(answer, { memory, series, pages });
  const common = {
    name: 'polymarket',
    leagues: POLYMARKET_LEAGUES.map(({ league }) => league),
    read,
    forgetPublished: () => memory.forget(),
  };
  const books: Provider = {
    ...common,
    address: 'https://clob.polymarket.com',
    requests(leagues, now) {
      const games = memory.byGame();
      return leagues.flatMap((view) => [...bookRequests(view, games), ...unclearRequests(view, memory, now)]);
    },
  };
  return {
    ...common,
    address: 'https://gamma-api.polymarket.com',
    requests: (leagues) => [SPORTS_LIST, ...leagues.flatMap((view) => listRequests(view, series, pages))],
    companion: { name: 'polymarket-clob', provider: books },
    get memory() {
      return { bytes: memory.bytes, limit: memory.limit };
    },
  };
}

const SPORTS_LIST: ProviderRequest = {
  key: 'polymarket:sports',
  kind: 'sports',
  league: undefined,
  path: '/sports',
  query: {},
  intervalSeconds: SPORTS,
  urgency: 'soon',
  isPrerequisite: true,
};

/** How many pages the list of open events of a series had when it was last read; 1 unless noted. */
type Pages = Map<string, number>;

interface ReadParts {
  readonly memory: VenueMemory;
  readonly series: Map<string, string>;
  readonly pages: Pages;
}

function listRequests(
  { league, state }: LeagueView,
  series: ReadonlyMap<string, string>,
  pages: Pages,
): ProviderRequest[] {
  const code = POLYMARKET_LEAGUES.find((one) => one.league === league)?.code;
  const id = code === undefined ? undefined : series.get(code);
  if (id === undefined) return [];
  const how = { league, path: '/events', urgency: state } as const;
  const games = { series_id: id, tag_id: GAMES_TAG, limit: String(PAGE) };
  const lists: ProviderRequest[] = [
    {
      ...how,
      key: `polymarket:events:${league}`,
      // Not `events`: that a venue lists contracts does not make what is known of a league any fresher.
      kind: 'contracts',
      query: { ...games, active: 'true', closed: 'false', order: 'startTime', ascending: 'true' },
      intervalSeconds: LISTS[state],
    },
    {
      ...how,
      key: `polymarket:settled:${league}`,
      kind: 'settled',
      query: { ...games, closed: 'true', order: 'startTime', ascending: 'false' },
      intervalSeconds: SETTLED[state],
    },
  ];
  return lists.flatMap((list) =>
    // Of what is settled the newest page is enough: the older ones were read while they were the newest.
    Array.from({ length: list.kind === 'settled' ? 1 : (pages.get(id) ?? 1) }, (_, page) =>
      page === 0
        ? list
        : { ...list, key: `${list.key}:${page + 1}`, query: { ...list.query, offset: String(page * PAGE) } },
    ),
  );
}

/** A full page has another one behind it; one that is not full is the last. */
function notePages({ query }: Pick<ProviderRequest, 'query'>, events: number, pages: Pages): void {
  const id = query['series_id'];
  if (id === undefined || query['closed'] !== 'false') return;
  const page = Math.floor(Number(query['offset'] ?? 0) / PAGE) + 1;
  const isLast = events < PAGE;
  pages.set(id, isLast ? page : Math.min(MAX_PAGES, Math.max(pages.get(id) ?? 1, page + 1)));
}

function bookRequests(view: LeagueView, games: ReturnType<VenueMemory['byGame']>): ProviderRequest[] {
  const { league, state } = view;
  return marketsToAsk(view, games).flatMap(({ markets }) =>
    markets.map(({ id }) => ({
      key: `polymarket:book:${id}`,
      kind: 'book',
      league,
      path: '/book',
      query: { token_id: id },
      intervalSeconds: BOOKS[state],
      urgency: state,
    })),
  );
}

/**
 * The books of the contracts that a person has bound, as often as those of others, and of those that wait for one; of
 * many in turns, each of which takes one interval.
 */
function unclearRequests({ league, state }: LeagueView, { unclear }: VenueMemory, now: number): ProviderRequest[] {
  const requestOf = (id: string, intervalSeconds: number): ProviderRequest => ({
    ...{ key: `polymarket:book:${id}`, kind: 'book', league, path: '/book', query: { token_id: id } },
    ...{ intervalSeconds, urgency: state },
  });
  const turn = (ids: readonly string[], intervalSeconds: number) =>
    takeTurns(ids, now, { limit: UNCLEAR_AT_ONCE, every: intervalSeconds * SECOND }).map((id) =>
      requestOf(id, intervalSeconds),
    );
  return [...turn(unclear.bound(league, now), BOOKS[state]), ...turn(unclear.waiting(league, now), LISTS[state])];
}

async function* readAnswer(
  { request, body, observedAt }: ProviderAnswer,
  { memory, series, pages }: ReadParts,
): AsyncGenerator<AnswerItem> {
  if (request.path.endsWith('/sports')) {
    if (!Array.isArray(body)) throw new UnknownAnswerShape('', 'is no list');
    const sports = listItems(asRecords(body), '[]');
    yield* await findDrift(sports, '[]', [
      ['sport', 'text'],
      ['series', 'text'],
    ]);
    for (const { code } of POLYMARKET_LEAGUES) {
      const id = asText(sports.find(({ sport }) => sport === code)?.['series']);
      if (id !== undefined && /^\d{1,12}$/.test(id)) series.set(code, id);
    }
  } else if (request.path.endsWith('/events')) {
    if (!Array.isArray(body)) throw new UnknownAnswerShape('', 'is no list');
    const events = listItems(asRecords(body), '[]');
    yield* await findDrift(events, '[]', [
      ['slug', 'text'],
      ['markets', 'list'],
    ]);
    notePages(request, events.length, pages);
    const leagues = new Set<string>();
    for (const event of events) {
      const league = leagueOfSlug(asText(event['slug']) ?? '')?.league;
      if (league !== undefined && !leagues.has(league)) await memory.noticeActs(observedAt, league);
      if (league !== undefined) leagues.add(league);
      yield* readEvent(event, observedAt, memory);
    }
  } else if (request.path.endsWith('/book')) {
    const book = asRecord(body);
    await memory.noticeActs(observedAt);
    if (!Array.isArray(book['bids']) || !Array.isArray(book['asks']))
      throw new UnknownAnswerShape('bids', 'is no list');
    const id = asText(book['asset_id']) ?? '';
    const market = memory.market(id);
    const [bids, asks] = [ordersOf(book['bids']), ordersOf(book['asks'])];
    if (!market) {
      for (const message of memory.unclear.quoted(id, bookOf(bids, asks), observedAt)) yield { message };
      return;
    }
    const quoted = { market, book: bookOf(bids, asks), oppositeBook: bookOf(mirrored(asks), mirrored(bids)) };
    for await (const message of memory.quoted([quoted], observedAt)) yield { message };
  } else throw new UnknownAnswerShape('', `answers no question of this provider: ${request.path}`);
}

function* readEvent(event: JsonObject, at: number, memory: VenueMemory): Generator<AnswerItem> {
  const unclearOf = (market: JsonObject, code: string, named?: VenueGame) =>
    unclearPolymarketMarket(market, event, { code, game: named });
  const isBound = (unclear: UnclearContract | undefined): boolean =>
    unclear !== undefined && memory.unclear.isBound(unclear.league, unclear.id);
  function* readUnclear(market: JsonObject, unclear: UnclearContract | undefined): Generator<AnswerItem> {
    if (!unclear) return;
    if (!isOpen(market)) for (const message of memory.unclear.closed(unclear.id, at)) yield { message };
    else for (const message of memory.unclear.listed(unclear, at)) yield { message };
  }

  const game = gameOfEvent(event);
  if (!game) {
    const markets = asRecords(event['markets']);
    const all = markets.map((market) => unclearOf(market, 'no_sides'));
    if (!all.some(isBound)) yield noteOfUnbound('no_sides', asText(event['slug']) ?? NO_ID);
    for (const [index, market] of markets.entries()) yield* readUnclear(market, all[index]);
    return;
  }
  for (const market of asRecords(event['markets'])) {
    const bound = bindPolymarketMarket(market, game);
    if ('unbound' in bound) {
      const unclear = unclearOf(market, bound.unbound, game.game);
      // Markets on players and parts of a game are not meant to be bound.
      if (bound.unbound !== 'other_market' && !isBound(unclear))
        yield noteOfUnbound(bound.unbound, asText(market['id']) ?? NO_ID);
      yield* readUnclear(market, unclear);
    } else if (isOpen(market) || bound.result !== undefined) {
      for (const message of memory.listed(bound, at)) yield { message };
    }
  }
}

const isOpen = ({ closed, acceptingOrders }: JsonObject): boolean => closed !== true && acceptingOrders !== false;

const ordersOf = (value: unknown): (readonly [number, number])[] =>
  asRecords(value).flatMap((order) => {
    const [price, size] = [asNumber(order['price']), asNumber(order['size'])];
    return price === undefined || size === undefined ? [] : [[price, size] as const];
  });
