import {
  marketOfferedSince,
  marketReportedAt,
  type OddsDocument,
  type TimedBookPrices,
} from '../../../projections/odds/odds.ts';
import type { EventDocument } from '../../../projections/sports-events/events.ts';
import { timeOf } from '../../domain/observations/observation.ts';
import { areLaddersOf, datedFeeAt, type MarketDepth } from '../../domain/odds/book-depth.ts';
import {
  type BookPrices,
  isRepeated,
  type PricedOutcome,
  WATCHED_MARKETS,
  type WatchedMarket,
} from '../../domain/odds/bookmaker-prices.ts';
import type { Movement } from '../../domain/odds/line-movements.ts';
import { isMoneyline, THREE_WAY } from '../../domain/odds/three-way.ts';
import type { Level } from '../../domain/odds/venue-fee.ts';
import { ownValue } from '../../domain/primitives/own-properties.ts';
import { type EventSides, hasPlaceholder, profileOfSide } from '../../domain/side-profiles.ts';
import {
  type BookPriceAtLine,
  findSuspects,
  type MarketOfBook,
  suspectBooksAtLine,
} from '../../intelligence/prices/suspect-prices.ts';
import type { BookmakerChoice, Bookmakers } from './bookmakers.ts';
import type { Odds } from './event-schemas.ts';
import { marketOutcomes } from './priced-lines.ts';

/** The main markets, in the order of answers. */
export const MARKETS = [
  { key: 'h2h', label: 'moneyline' },
  { key: 'spreads', label: 'spread' },
  { key: 'totals', label: 'totals' },
] as const;

/** The markets that odds answers show: beside the main ones the moneyline of regular time, where a bookmaker has it. */
export const SHOWN_MARKETS = [...MARKETS, { key: THREE_WAY, label: '3-way moneyline' }] as const;
type MarketLabel = (typeof SHOWN_MARKETS)[number]['label'];
export const MARKET_LABELS = SHOWN_MARKETS.map(({ label }) => label);

export const labelOfMarket = (market: WatchedMarket): MarketLabel =>
  SHOWN_MARKETS.find(({ key }) => key === market)!.label;

const OUTCOMES: readonly PricedOutcome['outcome'][] = ['home', 'player_1', 'away', 'player_2', 'draw', 'over', 'under'];

/** The order of outcomes in answers. */
export const compareOutcomes = (a: PricedOutcome['outcome'], b: PricedOutcome['outcome']): number =>
  OUTCOMES.indexOf(a) - OUTCOMES.indexOf(b);
const compareByPoint = (a: PricedOutcome, b: PricedOutcome): number =>
  (a.point ?? 0) - (b.point ?? 0) || compareOutcomes(a.outcome, b.outcome);

/** The outcomes of a main line that have prices, in the order of answers. */
export const mainOutcomes = (prices: BookPrices, market: WatchedMarket): readonly PricedOutcome[] =>
  [...(ownValue(prices.markets, market) ?? [])].sort((a, b) => compareOutcomes(a.outcome, b.outcome));

/** Sides by their names; Over, Under and Draw unchanged. */
export function outcomeName(sides: EventSides, outcome: PricedOutcome['outcome']): string {
  switch (outcome) {
    case 'home':
    case 'player_1':
      return profileOfSide(sides, 0)?.name ?? outcome;
    case 'away':
    case 'player_2':
      return profileOfSide(sides, 1)?.name ?? outcome;
    case 'draw':
      return 'Draw';
    case 'over':
      return 'Over';
    case 'under':
      return 'Under';
  }
}

/**
 * @param includeAlts whether alternate lines follow the main outcomes, ordered by point
 * @param depthAt the moment whose fees are shown beside the order books of exchanges, in milliseconds; absent: no books
 */
export function renderOdds(
  eventId: number,
  document: OddsDocument | undefined,
  { includes }: BookmakerChoice,
  { compare }: Bookmakers,
  includeAlts = false,
  depthAt?: number,
): Odds {
  const none: Odds = { event_id: eventId, available: false, bookmakers: [], last_updated: null };
  if (!document || hasPlaceholder(document)) return none;
  const isSuspect = suspectsOf(document);
  const isSuspectRung = includeAlts ? suspectRungsOf(document) : () => false;
  const bookmakers = Object.keys(document.books)
    .filter(includes)
    .sort(compare)
    .map((bookmaker) => renderBook(document, bookmaker, { isSuspect, isSuspectRung, includeAlts, depthAt }))
    .filter(({ markets }) => markets.length > 0);
  if (bookmakers.length === 0) return none;
  const newest = bookmakers.reduce((a, b) => (timeOf(b.captured_at) > timeOf(a.captured_at) ? b : a));
  return { event_id: eventId, available: true, bookmakers, last_updated: newest.captured_at };
}

/** Whether a bookmaker's price of an outcome of a watched market is suspect. */
type IsSuspect = (bookmaker: string, market: WatchedMarket, outcome: PricedOutcome['outcome']) => boolean;

/** The member of a suspect price; others do not have it. */
export const SUSPECT = { suspect: true } as const;

/** Which prices of watched markets are suspect now. */
export function suspectsOf({ books }: Pick<OddsDocument, 'books'>): IsSuspect {
  const found = new Map<WatchedMarket, ReturnType<typeof findSuspects>>(
    WATCHED_MARKETS.map((key) => {
      const markets = Object.entries(books).flatMap(([book, prices]) => {
        const outcomes = ownValue(prices.markets, key);
        if (!outcomes) return [];
        return [{ book, outcomes, ...timesOf(prices, key), isRepeated: isRepeated(prices, key) }];
      });
      return [key, findSuspects(key, markets)] as const;
    }),
  );
  return (bookmaker, market, outcome) => found.get(market)!.get(bookmaker)?.has(outcome) ?? false;
}

/** Since when a market of a book is offered, and each price of it. */
const timesOf = (prices: TimedBookPrices, market: string): Pick<MarketOfBook, 'at' | 'atOf'> => ({
  at: timeOf(marketReportedAt(prices, market)),
  ...(prices.depth && { atOf: (one) => marketOfferedSince(prices, market, one) }),
});

interface BookOptions {
  readonly isSuspect: IsSuspect;
  readonly isSuspectRung: (price: PricedOutcome) => boolean;
  readonly includeAlts: boolean;
  readonly depthAt: number | undefined;
}

/** Which prices of alternate lines are suspect now, beside every book that has the line, as its main one too. */
function suspectRungsOf({ books }: Pick<OddsDocument, 'books'>): (price: PricedOutcome) => boolean {
  const found = new Set<PricedOutcome>();
  for (const { key } of MARKETS) {
    const lines = new Map<string, Map<string, BookPriceAtLine & { readonly rung: PricedOutcome | undefined }>>();
    for (const [book, prices] of Object.entries(books)) {
      // A main line stands in the place of an alternate one of the same point.
      for (const { outcome: one, isAlternate, at, isRepeated } of marketOutcomes(prices, key).toReversed()) {
        const line = `${one.outcome} ${one.point ?? ''}`;
        const ofLine = lines.get(line) ?? new Map();
        lines.set(line, ofLine);
        ofLine.set(book, { book, price: one.price, at, isRepeated, rung: isAlternate ? one : undefined });
      }
    }
    for (const ofLine of lines.values()) {
      for (const book of suspectBooksAtLine([...ofLine.values()])) {
        const { rung } = ofLine.get(book)!;
        if (rung) found.add(rung);
      }
    }
  }
  return (price) => found.has(price);
}

function renderBook(
  document: OddsDocument,
  bookmaker: string,
  { isSuspect, isSuspectRung, includeAlts, depthAt }: BookOptions,
): Odds['bookmakers'][number] {
  const prices = document.books[bookmaker]!;
  const markets = SHOWN_MARKETS.flatMap(({ key, label }) => {
    const main = mainOutcomes(prices, key);
    const alternates = includeAlts ? [...(ownValue(prices.markets, `${key}+`) ?? [])].sort(compareByPoint) : [];
    const known = depthAt === undefined ? undefined : prices.depth && ownValue(prices.depth, key);
    const depth = known && areLaddersOf(known, main) ? known : undefined;
    const isMain = (one: PricedOutcome) => main.includes(one);
    const outcomes = [...main, ...alternates].map((one) => ({
      outcome: outcomeName(document, one.outcome),
      price: one.price,
      point: isMoneyline(key) ? null : (one.point ?? null),
      ...((isMain(one) ? isSuspect(bookmaker, key, one.outcome) : isSuspectRung(one)) ? SUSPECT : undefined),
      ...depthOf(isMain(one) ? depth : undefined, one),
    }));
    const fee = depth && { fee: datedFeeAt(depth.fees, depthAt!) ?? null };
    return outcomes.length > 0 ? [{ key, label, outcomes, ...fee }] : [];
  });
  return { bookmaker, markets, captured_at: prices.capturedAt };
}

/** The order book of an outcome that has a price; nothing for a bookmaker that only offers. */
function depthOf(depth: MarketDepth | undefined, { outcome, point }: PricedOutcome) {
  const book = depth?.outcomes.find((one) => one.outcome === outcome && one.point === point);
  if (!book) return {};
  const shown = (levels: readonly Level[]) => levels.map(([price, size]) => [price, size]);
  return { bids: shown(book.bids), asks: shown(book.asks), last: book.last ?? null, volume: book.volume ?? null };
}

/** @param isSuspect whether the price that it moved to was suspect as it came, and has not been released since */
export function renderMovement<From extends number | null>(
  event: EventDocument,
  bookmaker: string,
  movement: Omit<Movement, 'from'> & { readonly from: From },
  isSuspect = false,
) {
  return {
    bookmaker,
    market: labelOfMarket(movement.market),
    market_key: movement.market,
    outcome: outcomeName(event, movement.outcome),
    price_from: movement.from,
    price_to: movement.to,
    point_from: isMoneyline(movement.market) ? null : movement.pointFrom,
    point_to: isMoneyline(movement.market) ? null : movement.pointTo,
    moved_at: movement.at,
    ...(isSuspect ? SUSPECT : undefined),
  };
}
