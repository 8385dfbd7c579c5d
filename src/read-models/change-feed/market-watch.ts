import { isAverageOfBooks } from '../../domain/catalogue/catalogue.ts';
import type { Projection } from '../../domain/event-sourcing/projection.ts';
import { timeOf } from '../../domain/observations/observation.ts';
import { isWatchedMarket, type PricedOutcome, type PricesContent } from '../../domain/odds/bookmaker-prices.ts';
import {
  type LastPrices,
  MOVED_OUTCOMES,
  type Movement,
  seriesName,
  updateLastPrices,
} from '../../domain/odds/line-movements.ts';
import { type HeldPrices, type ReleasedPrice, withHeldTold, withoutHeld } from '../../domain/odds/suspect-news.ts';
import { isMoneyline } from '../../domain/odds/three-way.ts';
import { deleteOwn, ownValue, setOwn } from '../../domain/primitives/own-properties.ts';
import { MINUTE } from '../../domain/primitives/time.ts';
import { type DomainRecord, streams } from '../../domain/streams/domain-events.ts';
import { impliedProbability } from '../../intelligence/prices/odds-arithmetic.ts';

type MarketKey = Movement['market'];

/** A move of a bookmaker's main line. */
export interface Move {
  readonly market: MarketKey;
  readonly bookmaker: string;
  /** 1: towards home, player 1 or over; -1: away from it. */
  readonly direction: 1 | -1;
  /** Milliseconds. */
  readonly at: number;
}

/** Several bookmakers that moved a market the same way. */
export interface Steam {
  /** Of the last of the bookmakers. */
  readonly movement: Movement;
  readonly direction: 1 | -1;
  /** In the order of their moves; the last one made it steam. */
  readonly bookmakers: readonly string[];
}

/** A market that a bookmaker prices for the first time. */
export interface OpenedMarket {
  readonly bookmaker: string;
  readonly market: MarketKey;
  readonly outcomes: readonly Pick<PricedOutcome, 'outcome' | 'price' | 'point'>[];
}

interface WatchedBook {
  /** The last prices that were told. */
  last: LastPrices;
  /** The markets that were told. */
  readonly markets: Record<string, true>;
  /** Series whose present price is suspect. */
  held?: Record<string, true>;
}

/** What the newest prices of an event made of its markets. */
export interface MarketWatch {
  books: Record<string, WatchedBook>;
  /** Of the last minutes. */
  moves: readonly Move[];
  /** Of the last record. */
  opened: readonly OpenedMarket[];
  steam: readonly Steam[];
}

/** Steam is when so many bookmakers move a market the same way within this time. */
const STEAM_BOOKS = 3;
export const STEAM_WINDOW = 5 * MINUTE;
/** Of one event: a bound of memory. More moves than that within five minutes are not looked at. */
const MAX_MOVES = 300;

export const FIRST_SIDES: ReadonlySet<Movement['outcome']> = new Set(['home', 'player_1', 'over']);

/**
 * The watched markets of an event as its bookmakers move and open them: folded from its stream of odds alone. Messages that
 * came late count for last prices, and for nothing else. A suspect price counts once it is released.
 */
export const marketWatch: Projection<MarketWatch> = {
  name: 'market-watch',
  version: 4,
  types: ['PricesChanged'],
  key: ({ data }) => String(data.eventId),
  apply(document, untyped) {
    const { at, content, late, suspect } = (untyped as Extract<DomainRecord, { type: 'PricesChanged' }>).data;
    const next = document ?? { books: {}, moves: [], opened: [], steam: [] };
    const { bookmaker } = content;
    const book = watchedBook(next, bookmaker);
    holdSeries(book, content, suspect?.held);
    next.opened = openMarkets(book, content);
    next.steam = [];
    if (late) {
      book.last = withHeldTold(late.movements.last, suspect?.held);
      next.opened = [];
      return next;
    }
    const movements: Movement[] = [];
    updateLastPrices(book.last, withoutHeld(content, suspect?.held), (market, outcome, from, to) => {
      movements.push(movementOf(market, outcome, from, to, at));
    });
    noteMoves(next, bookmaker, movements, timeOf(at));
    if (suspect?.released) applyReleased(next, suspect.released, at);
    return next;
  },
  fields: {},
  indexes: [],
  streams: (key) => [streams.odds(key)],
};

function watchedBook(watch: MarketWatch, bookmaker: string): WatchedBook {
  const known = ownValue(watch.books, bookmaker);
  if (known) return known;
  const book: WatchedBook = { last: {}, markets: {} };
  setOwn(watch.books, bookmaker, book);
  return book;
}

function movementOf(
  market: MarketKey,
  outcome: Movement['outcome'],
  [from, pointFrom]: LastPrices[string],
  [to, pointTo]: LastPrices[string],
  at: string,
): Movement {
  return { market, outcome, from, to, pointFrom, pointTo, at };
}

/** Notes which prices of a message are held: it says so of the markets that it names. */
function holdSeries(book: WatchedBook, { markets }: PricesContent, held: HeldPrices | undefined): void {
  if (!book.held && !held) return;
  const isNamed = (series: string) => markets.some((one) => isWatchedMarket(one) && series.startsWith(`${one.key}|`));
  const others = Object.keys(book.held ?? {}).filter((series) => !isNamed(series));
  const now = [...others, ...Object.keys(held ?? {})];
  if (now.length === 0) delete book.held;
  else book.held = Object.fromEntries(now.map((series) => [series, true]));
}

const isHeldMarket = ({ held = {} }: WatchedBook, market: string): boolean =>
  Object.keys(held).some((series) => series.startsWith(`${market}|`));

/**
 * Notes the watched markets of a message, but those with a suspect price.
 * @returns those that were never told of the bookmaker
 */
function openMarkets(book: WatchedBook, { bookmaker, markets }: PricesContent): readonly OpenedMarket[] {
  const opened: OpenedMarket[] = [];
  for (const market of markets) {
    const key = market.key as MarketKey;
    if (!isWatchedMarket(market) || market.outcomes.length === 0) continue;
    if (Object.hasOwn(book.markets, key) || isHeldMarket(book, key)) continue;
    setOwn(book.markets, key, true);
    opened.push({ bookmaker, market: key, outcomes: market.outcomes });
  }
  return opened;
}

/** Tells prices of other bookmakers that were suspect. */
function applyReleased(watch: MarketWatch, released: readonly ReleasedPrice[], at: string): void {
  for (const bookmaker of new Set(released.map((one) => one.bookmaker))) {
    const book = watchedBook(watch, bookmaker);
    const movements: Movement[] = [];
    for (const { market, outcome, from, to } of released.filter((one) => one.bookmaker === bookmaker)) {
      const series = seriesName(market, outcome);
      book.last[series] = to;
      if (book.held && !deleteOwn(book.held, series)) delete book.held;
      if (from) movements.push(movementOf(market, outcome, from, to, at));
      else if (!isHeldMarket(book, market) && !Object.hasOwn(book.markets, market)) {
        setOwn(book.markets, market, true);
        watch.opened = [...watch.opened, { bookmaker, market, outcomes: toldOutcomes(book.last, market) }];
      }
    }
    noteMoves(watch, bookmaker, movements, timeOf(at));
  }
}

const toldOutcomes = (last: LastPrices, market: MarketKey): OpenedMarket['outcomes'] =>
  MOVED_OUTCOMES.flatMap((outcome) => {
    const told = last[seriesName(market, outcome)];
    return told ? [{ outcome, price: told[0], ...(told[1] === null ? {} : { point: told[1] }) }] : [];
  });

function noteMoves(watch: MarketWatch, bookmaker: string, movements: readonly Movement[], at: number): void {
  for (const market of new Set(movements.map((one) => one.market))) {
    const ofMarket = movements.filter((one) => one.market === market && one.outcome !== 'draw');
    // Both sides move together: one of them tells the direction.
    const movement = ofMarket.find(({ outcome }) => FIRST_SIDES.has(outcome)) ?? ofMarket[0];
    const direction = movement && directionOf(movement);
    if (!movement || !direction) continue;
    const next = joinMove(watch.moves, { market, bookmaker, direction, at });
    watch.moves = next.moves;
    if (next.steam) watch.steam = [...watch.steam, { movement, direction, bookmakers: next.steam }];
  }
}

/**
 * Adds a move to those of the last minutes.
 * @returns `steam`: the bookmakers, in the order of their moves, if this move makes it steam
 */
export function joinMove(
  moves: readonly Move[],
  move: Move,
): { readonly moves: readonly Move[]; readonly steam: readonly string[] | undefined } {
  const { market, bookmaker, direction, at } = move;
  // An average moves because books do.
  if (isAverageOfBooks(bookmaker)) return { moves, steam: undefined };
  const recent = moves.filter((one) => at - one.at <= STEAM_WINDOW);
  const alike = recent.filter((one) => one.market === market && one.direction === direction);
  const others = [...new Set(alike.map((one) => one.bookmaker))];
  // Only the book that completes the number makes it steam: those after it follow.
  const isSteam = others.length === STEAM_BOOKS - 1 && !others.includes(bookmaker);
  return { moves: [...recent, move].slice(-MAX_MOVES), steam: isSteam ? [...others, bookmaker] : undefined };
}

/** 0: the movement has no direction. */
export function directionOf({ market, outcome, from, to, pointFrom, pointTo }: Omit<Movement, 'at'>): 1 | -1 | 0 {
  const sign = FIRST_SIDES.has(outcome) ? 1 : -1;
  const byPrice = Math.sign(impliedProbability(to) - impliedProbability(from)) * sign;
  if (isMoneyline(market) || pointFrom === null || pointTo === null || pointFrom === pointTo)
    return byPrice as 1 | -1 | 0;
  // A lower point makes a side of a spread stronger. A higher total is a move to over, whichever outcome tells it.
  const byPoint = market === 'totals' ? pointTo - pointFrom : (pointFrom - pointTo) * sign;
  return Math.sign(byPoint) as 1 | -1;
}
