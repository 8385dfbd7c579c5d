import {
  applyPrices,
  type BookPrices,
  isRepeated,
  type PricedOutcome,
  type WatchedMarket,
} from '../../domain/odds/bookmaker-prices.ts';
import { type LadderTimes, ladderTimesAfter, pricedSince } from '../../domain/odds/ladder-times.ts';
import { isMoneyline } from '../../domain/odds/three-way.ts';
import { ownValue } from '../../domain/primitives/own-properties.ts';
import { decimalOdds } from './odds-arithmetic.ts';
import { namedMarkets, type PriceUpdate } from './quote-board.ts';
import { findSuspects, type MarketOfBook } from './suspect-prices.ts';

/** A price, and when it was first seen: milliseconds. */
export interface SeenPrice {
  readonly price: number;
  readonly point: number | null;
  readonly at: number;
}

/** The summary of one outcome's prices at one bookmaker. A suspect price is nothing but the present one. */
interface OutcomePrices {
  /** The first price before the event began. */
  open: SeenPrice | null;
  high: SeenPrice | null;
  low: SeenPrice | null;
  /** The price when the event began; null if there was none. */
  close: SeenPrice | null;
  /** The present price. */
  current: SeenPrice | null;
  /** The newest price, even if it is no longer offered: a price that returns unchanged is not a new one. */
  last: SeenPrice | null;
  /** Whether the present price is suspect. */
  isSuspect: boolean;
  /** When the newest prices came that were suspect at once and were never released: milliseconds, oldest first. */
  readonly suspectAt: number[];
}

/** Suspect prices of one outcome at one bookmaker that are remembered. */
const MAX_SUSPECTS = 50;

/** A bookmaker's prices, and the summaries of their outcomes by market. */
interface BookSummary {
  prices: BookPrices;
  /** The moment of the newest update, and of the newest with each market: milliseconds. */
  at: number;
  readonly namedAt: Record<WatchedMarket, number>;
  /** Of an exchange whose ladders come one by one. */
  ladders?: LadderTimes | undefined;
  readonly stories: Record<WatchedMarket, Map<PricedOutcome['outcome'], OutcomePrices>>;
}

/** What a summary knows, as something that can be copied structurally. */
export interface SavedSummary {
  readonly books: Map<string, BookSummary>;
  readonly newestMoment: number;
}

/** Follows the prices of one event, in the order of the updates, and summarizes them by bookmaker. */
export class PriceSummary {
  readonly books: Map<string, BookSummary>;
  /** The moment of the newest update: milliseconds. */
  newestMoment: number;
  readonly #closesAt: number;

  /**
   * @param closesAt when the event begins, in milliseconds: later prices do not change open, close, high or low
   * @param saved a copy of what another summary saved; default: no prices yet
   */
  constructor(closesAt: number, saved?: SavedSummary) {
    this.#closesAt = closesAt;
    this.books = saved?.books ?? new Map();
    this.newestMoment = saved?.newestMoment ?? Number.NEGATIVE_INFINITY;
  }

  save(): SavedSummary {
    return { books: this.books, newestMoment: this.newestMoment };
  }

  apply(update: PriceUpdate): void {
    const { at, bookmaker, markets } = update;
    this.newestMoment = at;
    let book = this.books.get(bookmaker);
    if (!book) {
      const stories = { h2h: new Map(), spreads: new Map(), totals: new Map(), h2h_3_way: new Map() };
      const namedAt = { h2h: at, spreads: at, totals: at, h2h_3_way: at };
      book = { prices: { capturedAt: '', markets: {} }, at, namedAt, stories };
      this.books.set(bookmaker, book);
    }
    const { namedAt } = book;
    const isLater = (market: string) => at > namedAt[market as WatchedMarket];
    applyPrices(book.prices, { at: '', source: '', content: { bookmaker, markets } }, isLater);
    book.at = at;
    if (update.depth) book.ladders = ladderTimesAfter(book.ladders, update.depth);
    const isBefore = at < this.#closesAt;
    for (const key of namedMarkets(update)) {
      const present = new Map((ownValue(book.prices.markets, key) ?? []).map((one) => [one.outcome, one]));
      const stories = book.stories[key];
      book.namedAt[key] = at;
      for (const outcome of present.keys()) if (!stories.has(outcome)) stories.set(outcome, noPrices());
      for (const [outcome, story] of stories) advance(story, key, present.get(outcome), at, isBefore);
      this.#judge(key, bookmaker, at, isBefore);
    }
  }

  /** Judges the prices of a market that an update of one bookmaker may have made suspect, or released. */
  #judge(market: WatchedMarket, updated: string, at: number, isBefore: boolean): void {
    const standing: MarketOfBook[] = [];
    for (const [book, { prices, namedAt, ladders }] of this.books) {
      const outcomes = ownValue(prices.markets, market);
      if (!outcomes) continue;
      const named = namedAt[market];
      const atOf = ladders && ((one: PricedOutcome) => pricedSince(ladders, market, named, one));
      standing.push({ book, outcomes, at: named, atOf, isRepeated: isRepeated(prices, market) });
    }
    const suspects = findSuspects(market, standing);
    for (const { book } of standing) {
      const { stories } = this.books.get(book)!;
      const found = suspects.get(book);
      // Of most books nothing is suspect, and nothing was.
      if (book !== updated && !found && !this.#hadSuspects(book, market)) continue;
      for (const [outcome, story] of stories[market]) {
        const isSuspect = found?.has(outcome) ?? false;
        if (isSuspect || story.isSuspect || book === updated) judge(story, isSuspect, at, isBefore);
      }
    }
  }

  #hadSuspects(book: string, market: WatchedMarket): boolean {
    for (const { isSuspect } of this.books.get(book)!.stories[market].values()) if (isSuspect) return true;
    return false;
  }
}

const noPrices = (): OutcomePrices => ({
  open: null,
  high: null,
  low: null,
  close: null,
  current: null,
  last: null,
  isSuspect: false,
  suspectAt: [],
});

function advance(
  story: OutcomePrices,
  market: WatchedMarket,
  outcome: PricedOutcome | undefined,
  at: number,
  isBefore: boolean,
): void {
  if (!outcome) {
    story.current = null;
    story.isSuspect = false;
    if (isBefore) story.close = null;
    return;
  }
  const point = isMoneyline(market) ? null : (outcome.point ?? null);
  const isSame = story.last?.price === outcome.price && story.last.point === point;
  const seen = isSame ? story.last! : { price: outcome.price, point, at };
  story.last = seen;
  story.current = seen;
}

function judge(story: OutcomePrices, isSuspect: boolean, at: number, isBefore: boolean): void {
  const { current: seen, suspectAt } = story;
  if (!seen) return;
  story.isSuspect = isSuspect;
  const isNoted = suspectAt.at(-1) === seen.at;
  if (isSuspect) {
    if (isBefore) story.close = null;
    if (seen.at === at && !isNoted) suspectAt.push(at);
    if (suspectAt.length > MAX_SUSPECTS) suspectAt.shift();
    return;
  }
  if (isNoted) suspectAt.pop();
  if (!isBefore) return;
  story.close = seen;
  story.open ??= seen;
  if (!story.high || compare(seen, story.high) > 0) story.high = seen;
  if (!story.low || compare(seen, story.low) < 0) story.low = seen;
}

/** By point, then by payout. A moneyline has no points. */
const compare = (a: SeenPrice, b: SeenPrice): number =>
  (a.point ?? 0) - (b.point ?? 0) || decimalOdds(a.price) - decimalOdds(b.price);
