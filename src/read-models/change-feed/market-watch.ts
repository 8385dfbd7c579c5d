import type { Projection } from '../../domain/event-sourcing/projection.ts';
import { timeOf } from '../../domain/observations/observation.ts';
import type { PricedMarket, PricesContent } from '../../domain/odds/bookmaker-prices.ts';
import { type LastPrices, type Movement, updateLastPrices } from '../../domain/odds/line-movements.ts';
import { ownValue, setOwn } from '../../domain/primitives/own-properties.ts';
import { MINUTE } from '../../domain/primitives/time.ts';
import { type DomainRecord, streams } from '../../domain/streams/domain-events.ts';
import { impliedProbability } from '../../intelligence/prices/odds-arithmetic.ts';

type MarketKey = Movement['market'];

/** A move of a bookmaker's main line. */
interface Move {
  readonly market: MarketKey;
  readonly bookmaker: string;
  /** 1: towards home, player 1 or over; -1: away from it. */
  readonly direction: 1 | -1;
  /** Milliseconds. */
  readonly at: number;
}

/** Several bookmakers that moved a market the same way. */
export interface Steam {
  readonly movement: Movement;
  readonly direction: 1 | -1;
  /** In the order of their moves; the last one made it steam. */
  readonly bookmakers: readonly string[];
}

/** What the newest prices of an event made of its markets. */
export interface MarketWatch {
  /** By bookmaker. */
  books: Record<string, { last: LastPrices; readonly markets: Record<string, true> }>;
  /** Of the last minutes. */
  moves: readonly Move[];
  /** Of the last record. */
  opened: readonly MarketKey[];
  steam: readonly Steam[];
}

/** Steam is when so many bookmakers move a market the same way within this time. */
const STEAM_BOOKS = 3;
const STEAM_WINDOW = 5 * MINUTE;
/** Of one event: a bound of memory. More moves than that within five minutes are not looked at. */
const MAX_MOVES = 300;

const FIRST_SIDES: ReadonlySet<Movement['outcome']> = new Set(['home', 'player_1', 'over']);

/**
 * The main lines of an event as its bookmakers move and open them: folded from its stream of odds alone. Messages that
 * came late count for last prices, and for nothing else.
 */
export const marketWatch: Projection<MarketWatch> = {
  name: 'market-watch',
  version: 1,
  types: ['PricesChanged'],
  key: ({ data }) => String(data.eventId),
  apply(document, untyped) {
    const { at, content, late } = (untyped as Extract<DomainRecord, { type: 'PricesChanged' }>).data;
    const next = document ?? { books: {}, moves: [], opened: [], steam: [] };
    const known = ownValue(next.books, content.bookmaker);
    const book = known ?? { last: {}, markets: {} };
    if (!known) setOwn(next.books, content.bookmaker, book);
    next.opened = openMarkets(book.markets, content);
    next.steam = [];
    if (late) {
      book.last = { ...late.movements.last };
      next.opened = [];
      return next;
    }
    const movements: Movement[] = [];
    updateLastPrices(book.last, content, (market, outcome, [from, pointFrom], [to, pointTo]) => {
      movements.push({ market, outcome, from, to, pointFrom, pointTo, at });
    });
    noteMoves(next, content.bookmaker, movements, timeOf(at));
    return next;
  },
  fields: {},
  indexes: [],
  streams: (key) => [streams.odds(key)],
};

/** Notes the main markets of a message. @returns those that the bookmaker had never priced before */
function openMarkets(known: Record<string, true>, content: PricesContent): readonly MarketKey[] {
  const main = content.markets.filter((market) => isMainLine(market) && market.outcomes.length > 0);
  const opened = [...new Set(main.map(({ key }) => key))].filter((key) => !Object.hasOwn(known, key));
  for (const key of opened) setOwn(known, key, true);
  return opened as MarketKey[];
}

const isMainLine = ({ key, scope, alternate }: PricedMarket): boolean =>
  scope === 'match' && !alternate && (key === 'h2h' || key === 'spreads' || key === 'totals');

function noteMoves(watch: MarketWatch, bookmaker: string, movements: readonly Movement[], at: number): void {
  for (const market of new Set(movements.map((one) => one.market))) {
    const ofMarket = movements.filter((one) => one.market === market && one.outcome !== 'draw');
    // Both sides move together: one of them tells the direction.
    const movement = ofMarket.find(({ outcome }) => FIRST_SIDES.has(outcome)) ?? ofMarket[0];
    const direction = movement && directionOf(movement);
    if (!movement || !direction) continue;
    const recent = watch.moves.filter((move) => at - move.at <= STEAM_WINDOW);
    const alike = recent.filter((move) => move.market === market && move.direction === direction);
    const others = [...new Set(alike.map((move) => move.bookmaker))];
    watch.moves = [...recent, { market, bookmaker, direction, at }].slice(-MAX_MOVES);
    // Only the book that completes the number makes it steam: those after it follow.
    if (others.length !== STEAM_BOOKS - 1 || others.includes(bookmaker)) continue;
    watch.steam = [...watch.steam, { movement, direction, bookmakers: [...others, bookmaker] }];
  }
}

/** 0: the movement has no direction. */
function directionOf({ market, outcome, from, to, pointFrom, pointTo }: Movement): 1 | -1 | 0 {
  const sign = FIRST_SIDES.has(outcome) ? 1 : -1;
  const byPrice = Math.sign(impliedProbability(to) - impliedProbability(from)) * sign;
  if (market === 'h2h' || pointFrom === null || pointTo === null || pointFrom === pointTo) return byPrice as 1 | -1 | 0;
  // A lower point makes a side of a spread stronger. A higher total is a move to over, whichever outcome tells it.
  const byPoint = market === 'totals' ? pointTo - pointFrom : (pointFrom - pointTo) * sign;
  return Math.sign(byPoint) as 1 | -1;
}
