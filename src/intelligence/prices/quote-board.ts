import { applyPrices, type PricedMarket, type PricedOutcome } from '../../domain/odds/bookmaker-prices.ts';
import { ownValue } from '../../domain/primitives/own-properties.ts';
import { QUOTED_MARKETS, type Quote, type QuotedMarket, quoteOf } from './quotes.ts';

/** What a bookmaker said of main lines at one moment, and of nothing else. */
export interface PriceUpdate {
  /** Milliseconds. */
  readonly at: number;
  readonly bookmaker: string;
  readonly markets: readonly PricedMarket[];
}

/** The main markets that a message names, in the order of the bets. */
export const namedMarkets = ({ markets }: PriceUpdate): QuotedMarket[] =>
  QUOTED_MARKETS.filter((name) => markets.some(({ key }) => key === name));

/** All bookmakers' quotes of one event, as they stand after messages that come in the order in which they were told. */
export class QuoteBoard {
  readonly #hasDraw: boolean;
  /** The markets of each bookmaker: whole or not. */
  readonly #books = new Map<string, Record<string, readonly PricedOutcome[]>>();
  readonly #quotes = {
    h2h: new Map<string, Quote>(),
    spreads: new Map<string, Quote>(),
    totals: new Map<string, Quote>(),
  };

  /** @param hasDraw whether the sport's moneyline has one */
  constructor(hasDraw: boolean) {
    this.#hasDraw = hasDraw;
  }

  apply(told: PriceUpdate): void {
    const { at, bookmaker, markets } = told;
    const book = this.#books.get(bookmaker) ?? {};
    this.#books.set(bookmaker, book);
    applyPrices({ capturedAt: '', markets: book }, { at: '', source: '', content: { bookmaker, markets } });
    for (const market of namedMarkets(told)) {
      const outcomes = ownValue(book, market);
      const quote = outcomes && quoteOf(market, this.#hasDraw, bookmaker, { outcomes, at });
      if (quote) this.#quotes[market].set(bookmaker, quote);
      else this.#quotes[market].delete(bookmaker);
    }
  }

  /** A bookmaker's; undefined where its market is not whole. */
  quote(market: QuotedMarket, bookmaker: string): Quote | undefined {
    return this.#quotes[market].get(bookmaker);
  }

  /** One a bookmaker, in any order. */
  quotes(market: QuotedMarket): Quote[] {
    return [...this.#quotes[market].values()];
  }
}
