import type { PricesContent } from '../../domain/odds/bookmaker-prices.ts';
import {
  type LastPrices,
  MOVED_OUTCOMES,
  type Movement,
  seriesName,
  updateLastPrices,
} from '../../domain/odds/line-movements.ts';

/** A price of a main line, beside what it was before; `null` before the first one. */
export type PricedRow = Omit<Movement, 'from'> & { readonly from: number | null };

interface BookSeries {
  readonly last: LastPrices;
  readonly movedAt: Record<string, string>;
}

const MARKETS: readonly string[] = ['h2h', 'spreads', 'totals'];
const OUTCOMES: readonly string[] = MOVED_OUTCOMES;

/** The last prices of each bookmaker on an event, in the order of observation. */
export class PricedSeries {
  readonly #books = new Map<string, BookSeries>();

  /** Applies a report. @returns a row for each outcome of a main line that it prices, moved or not */
  apply(content: PricesContent, at: string): readonly PricedRow[] {
    const { last, movedAt } = this.#bookOf(content.bookmaker);
    const before = { ...last };
    updateLastPrices(last, content, () => {});
    const rows = new Map<string, PricedRow>();
    for (const { key, scope, alternate, outcomes } of content.markets) {
      if (scope !== 'match' || alternate || !MARKETS.includes(key)) continue;
      const market = key as Movement['market'];
      for (const { outcome } of outcomes) {
        if (!OUTCOMES.includes(outcome)) continue;
        const series = seriesName(market, outcome);
        const [from, to] = [before[series] ?? null, last[series]!];
        // The same pair is kept while nothing moves.
        if (from !== to) movedAt[series] = at;
        rows.set(series, {
          market,
          outcome,
          from: from?.[0] ?? null,
          to: to[0],
          pointFrom: from?.[1] ?? null,
          pointTo: to[1],
          at: movedAt[series]!,
        });
      }
    }
    return [...rows.values()];
  }

  #bookOf(bookmaker: string): BookSeries {
    let book = this.#books.get(bookmaker);
    if (!book) {
      book = { last: {}, movedAt: {} };
      this.#books.set(bookmaker, book);
    }
    return book;
  }
}
