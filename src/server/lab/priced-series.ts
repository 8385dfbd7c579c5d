import { isMainMarket, type PricesContent } from '../../domain/odds/bookmaker-prices.ts';
import {
  type LastPrices,
  MOVED_OUTCOMES,
  type Movement,
  seriesName,
  updateLastPrices,
} from '../../domain/odds/line-movements.ts';
import { type ReleasedPrice, type SuspectNews, withoutHeld } from '../../domain/odds/suspect-news.ts';

/** A price of a main market of a bookmaker, beside what was told of it before; `null` before the first one. */
export interface PricedRow {
  readonly bookmaker: string;
  readonly row: Omit<Movement, 'from'> & { readonly from: number | null };
}

const rowOf = (
  market: Movement['market'],
  outcome: Movement['outcome'],
  from: LastPrices[string] | null,
  to: LastPrices[string],
  at: string,
): PricedRow['row'] => ({
  market,
  outcome,
  from: from?.[0] ?? null,
  to: to[0],
  pointFrom: from?.[1] ?? null,
  pointTo: to[1],
  at,
});

interface BookSeries {
  readonly last: LastPrices;
  readonly movedAt: Record<string, string>;
}

const OUTCOMES: readonly string[] = MOVED_OUTCOMES;

/**
 * The last told prices of each bookmaker on an event, in the order of observation. A price is not told while it is
 * suspect, and is told at its release, as `/v1/changes` has it.
 */
export class PricedSeries {
  readonly #books = new Map<string, BookSeries>();

  /**
   * Applies a report. @returns a row for each outcome of a main market that it prices, moved or not, and for each suspect
   * price of another bookmaker that it releases
   */
  apply(reported: PricesContent, at: string, suspect?: SuspectNews): readonly PricedRow[] {
    const content = withoutHeld(reported, suspect?.held);
    const { bookmaker } = content;
    const { last, movedAt } = this.#bookOf(bookmaker);
    const before = { ...last };
    updateLastPrices(last, content, () => {});
    const rows = new Map<string, PricedRow>();
    for (const priced of content.markets) {
      if (!isMainMarket(priced)) continue;
      const market = priced.key as Movement['market'];
      for (const { outcome } of priced.outcomes) {
        if (!OUTCOMES.includes(outcome)) continue;
        const series = seriesName(market, outcome);
        const [from, to] = [before[series] ?? null, last[series]!];
        // The same pair is kept while nothing moves.
        if (from !== to) movedAt[series] = at;
        rows.set(series, { bookmaker, row: rowOf(market, outcome, from, to, movedAt[series]!) });
      }
    }
    return [...rows.values(), ...(suspect?.released ?? []).map((one) => this.#release(one, at))];
  }

  #release({ bookmaker, market, outcome, to }: ReleasedPrice, at: string): PricedRow {
    const { last, movedAt } = this.#bookOf(bookmaker);
    const series = seriesName(market, outcome);
    const from = last[series] ?? null;
    last[series] = to;
    movedAt[series] = at;
    return { bookmaker, row: rowOf(market, outcome, from, to, at) };
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
