import { applyChanges, type BookDepth, type DepthChange } from '../../domain/odds/book-depth.ts';
import {
  applyPrices,
  type BookPrices,
  isRepeated,
  type PricedMarket,
  WATCHED_MARKETS,
  type WatchedMarket,
} from '../../domain/odds/bookmaker-prices.ts';
import { ownValue } from '../../domain/primitives/own-properties.ts';
import { formatTime } from '../../domain/primitives/time.ts';
import { type Quote, quoteOf } from './quotes.ts';
import { type MarketOfBook, withoutSuspects } from './suspect-prices.ts';

/** A bookmaker's prices of watched markets at one moment. */
export interface PriceUpdate {
  /** Milliseconds. */
  readonly at: number;
  readonly bookmaker: string;
  readonly markets: readonly PricedMarket[];
  /** What it changes of the order books of an exchange. */
  readonly depth?: readonly DepthChange[] | undefined;
}

/** The watched markets that an update names, in the order of the bets. */
export const namedMarkets = ({ markets }: PriceUpdate): WatchedMarket[] =>
  WATCHED_MARKETS.filter((name) => markets.some(({ key }) => key === name));

/** What a board knows, as something that can be copied structurally. */
export interface SavedBoard {
  /** The markets of each bookmaker, complete or not, and when each was last named: milliseconds. */
  readonly books: Map<string, { readonly prices: BookPrices; readonly namedAt: Record<string, number> }>;
  /** Of a market that nobody has, it may be absent. */
  readonly quotes: Readonly<Partial<Record<WatchedMarket, Map<string, Quote>>>>;
  /** The order books of exchanges; absent in what was saved before there were any. */
  readonly depth?: Map<string, BookDepth>;
}

/** All bookmakers' quotes of one event, after updates in the order of time. */
export class QuoteBoard {
  readonly #hasDraw: boolean;
  readonly #books: SavedBoard['books'];
  readonly #quotes: Readonly<Record<WatchedMarket, Map<string, Quote>>>;
  readonly #depth: Map<string, BookDepth>;

  /**
   * @param hasDraw whether the sport's moneyline has a draw
   * @param saved a copy of what another board saved; default: nothing is known
   */
  constructor(hasDraw: boolean, saved?: SavedBoard) {
    this.#hasDraw = hasDraw;
    this.#books = saved?.books ?? new Map();
    this.#depth = saved?.depth ?? new Map();
    const none = { h2h: new Map(), spreads: new Map(), totals: new Map(), h2h_3_way: new Map() };
    this.#quotes = { ...none, ...saved?.quotes };
  }

  save(): SavedBoard {
    return { books: this.#books, quotes: this.#quotes, depth: this.#depth };
  }

  apply(update: PriceUpdate): void {
    const { at, bookmaker, markets } = update;
    const book = this.#books.get(bookmaker) ?? { prices: { capturedAt: '', markets: {} }, namedAt: {} };
    this.#books.set(bookmaker, book);
    const { prices, namedAt } = book;
    const isLater = (market: string) => at > (namedAt[market] ?? at);
    applyPrices(prices, { at: '', source: '', content: { bookmaker, markets } }, isLater);
    for (const { key } of markets) namedAt[key] = at;
    if (update.depth) {
      const changed = applyChanges(this.#depth.get(bookmaker), update.depth, formatTime(at));
      this.#depth.set(bookmaker, changed);
    }
    for (const market of namedMarkets(update)) {
      const standing = this.#standing(market, bookmaker);
      const quote = standing && quoteOf(market, this.#hasDraw, bookmaker, standing);
      if (quote) this.#quotes[market].set(bookmaker, quote);
      else this.#quotes[market].delete(bookmaker);
    }
  }

  /** The market of one bookmaker as it stands, complete or not. */
  #standing(market: WatchedMarket, book: string): MarketOfBook | undefined {
    const { prices, namedAt } = this.#books.get(book)!;
    const outcomes = ownValue(prices.markets, market);
    const depths = this.#depth.get(book);
    const depth = depths && ownValue(depths, market);
    return outcomes && { book, outcomes, at: namedAt[market]!, isRepeated: isRepeated(prices, market), depth };
  }

  /** How many venues have order books. */
  get venues(): number {
    return this.#depth.size;
  }

  /** The quote of one bookmaker; undefined if its market is not complete. */
  quote(market: WatchedMarket, bookmaker: string): Quote | undefined {
    return this.#quotes[market].get(bookmaker);
  }

  /** One quote for each bookmaker, in any order, but those with a suspect price. */
  quotes(market: WatchedMarket): readonly Quote[] {
    const standing = () => [...this.#books.keys()].flatMap((book) => this.#standing(market, book) ?? []);
    return withoutSuspects(market, [...this.#quotes[market].values()], standing);
  }
}
