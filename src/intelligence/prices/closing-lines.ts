import { isSoccer } from '../../domain/catalogue/sport-rules.ts';
import { WATCHED_MARKETS, type WatchedMarket } from '../../domain/odds/bookmaker-prices.ts';
import { compareCanonical } from '../../domain/primitives/canonical-json.ts';
import { computeBetPrices } from './bet-prices.ts';
import { computeFairLine, type FairLine } from './fair-line.ts';
import { namedMarkets, type PriceUpdate, QuoteBoard, type SavedBoard } from './quote-board.ts';
import { freshQuotes, outcomesOf } from './quotes.ts';
import { type SharpWeight, weightsAt } from './sharp-books.ts';

/** The fair probabilities of a main line when they were first known, and at the start. By outcome; null if unknown. */
interface ClosingLine {
  readonly market: WatchedMarket;
  /** The closing line; null for the moneyline. */
  readonly line: number | null;
  readonly open: readonly number[] | null;
  readonly close: readonly number[] | null;
}

/** By time; at equal times in the order of the price state, which order books do not change. */
export function comparePriceUpdates(a: PriceUpdate, b: PriceUpdate): number {
  return a.at - b.at || compareCanonical(pricesOf(a), pricesOf(b));
}
const pricesOf = ({ bookmaker, markets }: PriceUpdate) => ({ bookmaker, markets });

interface Options {
  readonly sport: string;
  /** When the event begins, in milliseconds. Later updates are ignored. */
  readonly closesAt: number;
  readonly weightOf: SharpWeight;
  /**
   * Called for each moment, when all updates of the moment are applied, with the fair line of each market that was
   * named.
   */
  readonly onValued?: (market: WatchedMarket, at: number, valued: FairLine) => void;
}

/** What closing lines know, as something that can be copied structurally. */
export interface SavedLines {
  readonly board: SavedBoard;
  readonly open: Map<WatchedMarket, readonly number[]>;
  readonly named: Set<WatchedMarket>;
  readonly now: number;
}

/** Follows all bookmakers' prices of one event, in the order of the updates, and computes the fair lines. */
export class ClosingLines {
  readonly #options: Options;
  readonly #board: QuoteBoard;
  readonly #open: SavedLines['open'];
  /** Markets that were named at the newest moment and are not evaluated yet. */
  readonly #named: SavedLines['named'];
  #now: number;

  /** @param saved a copy of what others of the same options saved; default: nothing is known */
  constructor(options: Options, saved?: SavedLines) {
    this.#options = options;
    this.#board = new QuoteBoard(isSoccer(options.sport), saved?.board);
    this.#open = saved?.open ?? new Map();
    this.#named = saved?.named ?? new Set();
    this.#now = saved?.now ?? Number.NEGATIVE_INFINITY;
  }

  save(): SavedLines {
    return { board: this.#board.save(), open: this.#open, named: this.#named, now: this.#now };
  }

  apply(update: PriceUpdate): void {
    if (update.at >= this.#options.closesAt) return;
    // All updates of one moment are evaluated together.
    if (update.at > this.#now) this.#settle();
    this.#now = update.at;
    this.#board.apply(update);
    for (const market of namedMarkets(update)) this.#named.add(market);
  }

  /** The moment of the newest update before the start: milliseconds. Updates of it or of earlier moments come too late. */
  get newestMoment(): number {
    return this.#now;
  }

  /** @param now milliseconds; from the start of the event on there is a close */
  lines(now: number): ClosingLine[] {
    this.#settle();
    const { closesAt } = this.#options;
    return WATCHED_MARKETS.flatMap((market) => {
      const open = this.#open.get(market);
      if (!open) return [];
      const { line, fair } = (now >= closesAt && this.#value(market, closesAt)) || { line: null, fair: null };
      return [{ market, line: fair ? line : null, open, close: fair?.probabilities ?? null }];
    });
  }

  /** The fair line of a market at the start; undefined if no quote is eligible. */
  closing(market: WatchedMarket): FairLine | undefined {
    this.#settle();
    return this.#value(market, this.#options.closesAt);
  }

  /** Values what was named, if all updates of its moment were applied: nothing more comes of a moment before this one. */
  settleBefore(moment: number): void {
    if (this.#now < moment) this.#settle();
  }

  /** The best price of one outcome that was on offer at that line, American odds; null: none. @param clock milliseconds */
  bestPrice(market: WatchedMarket, line: number | null, outcome: number, clock: number): number | null {
    const { sport } = this.#options;
    const quotes = this.#board.quotes(market).filter((quote) => quote.line === line);
    const outcomes = outcomesOf(market, isSoccer(sport)).length;
    return (
      computeBetPrices(market, quotes, outcomes, { clock, weightOf: this.#weights(clock) })[outcome]?.best?.price ??
      null
    );
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

  #value(market: WatchedMarket, clock: number): FairLine | undefined {
    return computeFairLine(freshQuotes(this.#board.quotes(market), clock), this.#weights(clock));
  }

  #weights(clock: number): SharpWeight {
    const { weightOf, sport } = this.#options;
    return weightsAt(weightOf, sport, clock);
  }
}
