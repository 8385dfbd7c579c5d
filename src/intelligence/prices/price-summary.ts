import { applyPrices, type BookPrices, type PricedOutcome } from '../../domain/odds/bookmaker-prices.ts';
import { ownValue } from '../../domain/primitives/own-properties.ts';
import { decimalOdds } from './odds-arithmetic.ts';
import { namedMarkets, type PriceUpdate } from './quote-board.ts';
import type { QuotedMarket } from './quotes.ts';

/** A price, and when it was seen first: milliseconds. */
export interface SeenPrice {
  readonly price: number;
  readonly point: number | null;
  readonly at: number;
}

/** What became of one outcome's prices at one bookmaker. */
interface OutcomePrices {
  /** Before the event began. */
  open: SeenPrice | null;
  high: SeenPrice | null;
  low: SeenPrice | null;
  /** What stood when the event began; null where nothing did. */
  close: SeenPrice | null;
  /** What stands now. */
  current: SeenPrice | null;
  /** The newest, whether or not it still stands: a price that comes back the same has not changed. */
  last: SeenPrice | null;
}

/** A bookmaker's prices, and the stories of their outcomes by market. */
interface BookSummary {
  prices: BookPrices;
  readonly stories: Record<QuotedMarket, Map<PricedOutcome['outcome'], OutcomePrices>>;
}

/** Follows the prices of one event, in the order in which they were told, and tells their stories by bookmaker. */
export class PriceSummary {
  readonly books = new Map<string, BookSummary>();
  readonly #closesAt: number;

  /** @param closesAt when the event begins, in milliseconds: nothing from then on opens, closes, or is high or low */
  constructor(closesAt: number) {
    this.#closesAt = closesAt;
  }

  apply(told: PriceUpdate): void {
    const { at, bookmaker, markets } = told;
    let book = this.books.get(bookmaker);
    if (!book) {
      const stories = { h2h: new Map(), spreads: new Map(), totals: new Map() };
      book = { prices: { capturedAt: '', markets: {} }, stories };
      this.books.set(bookmaker, book);
    }
    applyPrices(book.prices, { at: '', source: '', content: { bookmaker, markets } });
    const isBefore = at < this.#closesAt;
    for (const key of namedMarkets(told)) {
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
  told: PricedOutcome | undefined,
  at: number,
  isBefore: boolean,
): void {
  if (!told) {
    story.current = null;
    if (isBefore) story.close = null;
    return;
  }
  const point = market === 'h2h' ? null : (told.point ?? null);
  const isSame = story.last?.price === told.price && story.last.point === point;
  const seen = isSame ? story.last! : { price: told.price, point, at };
  story.last = seen;
  story.current = seen;
  if (!isBefore) return;
  story.close = seen;
  story.open ??= seen;
  if (!story.high || compare(seen, story.high) > 0) story.high = seen;
  if (!story.low || compare(seen, story.low) < 0) story.low = seen;
}

/** By point, then by what is paid. The points of a moneyline are all the same. */
const compare = (a: SeenPrice, b: SeenPrice): number =>
  (a.point ?? 0) - (b.point ?? 0) || decimalOdds(a.price) - decimalOdds(b.price);
