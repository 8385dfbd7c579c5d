import { applyPrices, type BookPrices, type PricedOutcome } from '../../domain/odds/bookmaker-prices.ts';
import { ownValue } from '../../domain/primitives/own-properties.ts';
import { decimalOdds } from './odds-arithmetic.ts';
import { namedMarkets, type PriceUpdate } from './quote-board.ts';
import type { QuotedMarket } from './quotes.ts';

/** A price, and when it was first seen: milliseconds. */
export interface SeenPrice {
  readonly price: number;
  readonly point: number | null;
  readonly at: number;
}

/** The summary of one outcome's prices at one bookmaker. */
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
}

/** A bookmaker's prices, and the summaries of their outcomes by market. */
interface BookSummary {
  prices: BookPrices;
  readonly stories: Record<QuotedMarket, Map<PricedOutcome['outcome'], OutcomePrices>>;
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
      const stories = { h2h: new Map(), spreads: new Map(), totals: new Map() };
      book = { prices: { capturedAt: '', markets: {} }, stories };
      this.books.set(bookmaker, book);
    }
    applyPrices(book.prices, { at: '', source: '', content: { bookmaker, markets } });
    const isBefore = at < this.#closesAt;
    for (const key of namedMarkets(update)) {
      const present = new Map((ownValue(book.prices.markets, key) ?? []).map((one) => [one.outcome, one]));
      const stories = book.stories[key];
      for (const outcome of present.keys()) if (!stories.has(outcome)) stories.set(outcome, noPrices());
      for (const [outcome, story] of stories) advance(story, key, present.get(outcome), at, isBefore);
    }
  }
}

const noPrices = (): OutcomePrices => ({ open: null, high: null, low: null, close: null, current: null, last: null });

function advance(
  story: OutcomePrices,
  market: QuotedMarket,
  outcome: PricedOutcome | undefined,
  at: number,
  isBefore: boolean,
): void {
  if (!outcome) {
    story.current = null;
    if (isBefore) story.close = null;
    return;
  }
  const point = market === 'h2h' ? null : (outcome.point ?? null);
  const isSame = story.last?.price === outcome.price && story.last.point === point;
  const seen = isSame ? story.last! : { price: outcome.price, point, at };
  story.last = seen;
  story.current = seen;
  if (!isBefore) return;
  story.close = seen;
  story.open ??= seen;
  if (!story.high || compare(seen, story.high) > 0) story.high = seen;
  if (!story.low || compare(seen, story.low) < 0) story.low = seen;
}

/** By point, then by payout. A moneyline has no points. */
const compare = (a: SeenPrice, b: SeenPrice): number =>
  (a.point ?? 0) - (b.point ?? 0) || decimalOdds(a.price) - decimalOdds(b.price);
