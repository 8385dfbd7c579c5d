import { canonicalOf } from '../../domain/primitives/canonical-json.ts';
import { computeFairLine, type FairLine } from './fair-line.ts';
import { namedMarkets, type PriceUpdate, QuoteBoard } from './quote-board.ts';
import { freshQuotes, QUOTED_MARKETS, type QuotedMarket } from './quotes.ts';
import type { SharpWeight } from './sharp-books.ts';

/** What was fair on a main line when that was known first, and at the start. By outcome; null where it was not known. */
interface ClosingLine {
  readonly market: QuotedMarket;
  /** The closing one; null of the moneyline. */
  readonly line: number | null;
  readonly open: readonly number[] | null;
  readonly close: readonly number[] | null;
}

/** By time; of one time as the state of prices has them. */
export function comparePriceUpdates(a: PriceUpdate, b: PriceUpdate): number {
  if (a.at !== b.at) return a.at - b.at;
  const [left, right] = [canonicalOf(a), canonicalOf(b)];
  return left < right ? -1 : left > right ? 1 : 0;
}

interface Options {
  readonly hasDraw: boolean;
  /** When the event begins, in milliseconds: what is told from then on is not looked at. */
  readonly closesAt: number;
  readonly weightOf: SharpWeight;
  /** Hears, moment by moment, what was fair once all is told that was told then, of each market that was named. */
  readonly onValued?: (market: QuotedMarket, at: number, valued: FairLine) => void;
}

/** Follows all bookmakers' prices of one event, in the order in which they were told, for what is fair. */
export class ClosingLines {
  readonly #options: Options;
  readonly #board: QuoteBoard;
  readonly #open = new Map<QuotedMarket, readonly number[]>();
  /** Markets that were named at the newest moment, of which it is not yet known what was fair first. */
  readonly #named = new Set<QuotedMarket>();
  #now = Number.NEGATIVE_INFINITY;

  constructor(options: Options) {
    this.#options = options;
    this.#board = new QuoteBoard(options.hasDraw);
  }

  apply(told: PriceUpdate): void {
    if (told.at >= this.#options.closesAt) return;
    // What several say at one moment is looked at together.
    if (told.at > this.#now) this.#settle();
    this.#now = told.at;
    this.#board.apply(told);
    for (const market of namedMarkets(told)) this.#named.add(market);
  }

  /** @param now milliseconds; at the start and later there is a close */
  lines(now: number): ClosingLine[] {
    this.#settle();
    const { closesAt } = this.#options;
    return QUOTED_MARKETS.flatMap((market) => {
      const open = this.#open.get(market);
      if (!open) return [];
      const { line, fair } = (now >= closesAt && this.#value(market, closesAt)) || { line: null, fair: null };
      return [{ market, line: fair ? line : null, open, close: fair?.probabilities ?? null }];
    });
  }

  /** What the prices of a market rest on at the start; undefined where no quote is eligible. */
  closing(market: QuotedMarket): FairLine | undefined {
    this.#settle();
    return this.#value(market, this.#options.closesAt);
  }

  #settle(): void {
    const { onValued } = this.#options;
    for (const market of this.#named) {
      if (this.#open.has(market) && !onValued) continue;
      const valued = this.#value(market, this.#now);
      if (valued?.fair && !this.#open.has(market)) this.#open.set(market, valued.fair.probabilities);
      if (valued) onValued?.(market, this.#now, valued);
    }
    this.#named.clear();
  }

  #value(market: QuotedMarket, clock: number): FairLine | undefined {
    return computeFairLine(freshQuotes(this.#board.quotes(market), clock), this.#options.weightOf);
  }
}
