import { ownValue, setOwn } from '../../primitives/own-properties.ts';
import { MINUTE, SECOND } from '../../primitives/time.ts';
import { isWitness, MAX_PRICE_AGE } from '../far-outside.ts';
import { compareSources, type SourceReport } from './compare-sources.ts';
import { addMoveTime, addTo, type BookSums, type MarketSums, newBookSums } from './quality-sums.ts';
import {
  isFreshQuote,
  isOutlier,
  isWitnessOf,
  mediansOfOthers,
  onMainLine,
  type StandingQuote,
} from './standing-quotes.ts';

/** What is known of a market until its event starts, beside the prices. */
interface MarketState {
  /** Up to when the sums are counted: milliseconds. */
  at: number;
  /** The newest move of the market, which may go on. */
  run: Run | null;
  /** Since when each price is better than fair, by outcome and book: milliseconds. */
  edges: Record<string, number>;
  /** The last report of each source on each book. */
  readonly reports: Record<string, Record<string, SourceReport>>;
}

/** Books that move a market the same way, each within some minutes of another. */
interface Run {
  readonly direction: 1 | -1;
  readonly books: [book: string, at: number][];
  last: number;
}

export interface FollowedMarket extends MarketSums {
  state: MarketState;
}

export const newFollowedMarket = (at: number): FollowedMarket => ({
  books: {},
  sources: [],
  state: newMarketState(at),
});

const newMarketState = (at: number): MarketState => ({ at, run: null, edges: {}, reports: {} });

/** A move is part of the one before it within this time; a run lasts so long at most; and so many books make one. */
const RUN_WINDOW = 10 * MINUTE;
const LONGEST_RUN = 30 * MINUTE;
const RUN_BOOKS = 3;
/** The smallest change of a chance that is a move. */
const SMALLEST_MOVE = 0.005;
/** An edge begins at 1 % above fair, by at least three other books; above 25 % it is somebody's mistake. */
const EDGE = 0.01;
const MAX_EDGE = 0.25;
const EDGE_WITNESSES = 3;

/** Counts the time up to a moment, through which the quotes stood. @param to milliseconds */
export function advanceMarket(market: FollowedMarket, quotes: readonly StandingQuote[], to: number): void {
  const { state } = market;
  const from = state.at;
  if (to <= from) return;
  state.at = to;
  for (const { book, at, implied } of quotes) {
    const sums = sumsOf(market, book);
    const [start, end] = [(from - at) / SECOND, (to - at) / SECOND];
    const fresh = Math.max(0, Math.min(end, MAX_PRICE_AGE / SECOND) - start);
    addTo(sums, {
      offered: end - start,
      age: (end * end - start * start) / 2,
      stale: Math.max(0, end - Math.max(start, MAX_PRICE_AGE / SECOND)),
      fresh,
      hold: fresh * (1 - 1 / implied.reduce((sum, one) => sum + one, 0)),
    });
  }
  const compared = onMainLine(soundQuotes(quotes, from).filter(({ book }) => isWitness(book)));
  if (compared.length < 2) return;
  const lowest = compared[0]!.implied.map((_, outcome) =>
    Math.min(...compared.map(({ implied }) => implied[outcome]!)),
  );
  for (const { book, at, implied } of compared) {
    const sums = sumsOf(market, book);
    const seconds = (Math.min(to, at + MAX_PRICE_AGE) - from) / SECOND;
    const best = implied.filter((one, outcome) => one <= lowest[outcome]!).length / implied.length;
    addTo(sums, { compared: seconds, best: seconds * best });
  }
}

/** The quotes that were fresh at a moment, but those that lie far outside all others. */
export const soundQuotes = (quotes: readonly StandingQuote[], clock: number): StandingQuote[] =>
  quotes.filter((quote) => isFreshQuote(quote, clock) && !isOutlier(quote, quotes));

/** A report of a source on the market of a book. */
interface BookReport {
  readonly book: string;
  readonly source: string;
  /** Milliseconds. */
  readonly at: number;
  /** The record changed prices of the book. */
  readonly isChange: boolean;
}

/** Takes in a report. @param quotes as they stand after it @param isTotal whether a higher line is a move to over */
export function takeIn(
  market: FollowedMarket,
  quotes: readonly StandingQuote[],
  { book, source, at, isChange }: BookReport,
  isTotal: boolean,
): void {
  const quote = quotes.find((one) => one.book === book);
  if (quote) {
    const isOutside = isOutlier(quote, quotes);
    if (isChange) countOutlier(market, quotes, quote, isOutside);
    // A mistake is no move, and neither is its correction: it is as if nothing had been reported.
    const reports = isOutside ? undefined : ownValueOrNew(market.state.reports, book);
    const before = reports && compareSources(market, reports, { quote, source, at });
    const direction = before ? directionOf(before, quote, isTotal) : 0;
    if (direction !== 0) noteMove(market, book, direction, at);
  }
  followEdges(market, quotes, at);
}

function ownValueOrNew<Value>(record: Record<string, Record<string, Value>>, key: string): Record<string, Value> {
  const known = ownValue(record, key);
  if (known) return known;
  const made: Record<string, Value> = {};
  setOwn(record, key, made);
  return made;
}

function countOutlier(
  market: FollowedMarket,
  quotes: readonly StandingQuote[],
  quote: StandingQuote,
  isOutside: boolean,
): void {
  const witnesses = quotes.filter((one) => isWitnessOf(quote, one) && isFreshQuote(one, quote.at));
  if (witnesses.length < 2) return;
  addTo(sumsOf(market, quote.book), { changes: 1, outliers: isOutside ? 1 : 0 });
}

/** 1: towards home or over; 0: it has not moved. A lower point makes the first side of a spread stronger. */
function directionOf(before: SourceReport, { line, fair }: StandingQuote, isTotal: boolean): 1 | -1 | 0 {
  if (before.line !== null && line !== null && before.line !== line) {
    return line > before.line === isTotal ? 1 : -1;
  }
  if (before.fair === null || fair === null) return 0;
  const change = fair[0]! - before.fair;
  return Math.abs(change) < SMALLEST_MOVE ? 0 : change > 0 ? 1 : -1;
}

function noteMove(market: FollowedMarket, book: string, direction: 1 | -1, at: number): void {
  addMoveTime(sumsOf(market, book), Math.floor(at / SECOND));
  if (!isWitness(book)) return;
  const { state } = market;
  const { run } = state;
  const goesOn =
    run && Math.abs(at - run.last) <= RUN_WINDOW && at - run.books[0]![1] <= LONGEST_RUN && run.direction === direction;
  if (!goesOn) {
    closeRun(market);
    state.run = { direction, books: [[book, at]], last: at };
    return;
  }
  const known = run.books.find(([one]) => one === book);
  if (!known) run.books.push([book, at]);
  else known[1] = Math.min(known[1], at);
  run.last = Math.max(run.last, at);
}

function closeRun(market: FollowedMarket): void {
  const { run } = market.state;
  market.state.run = null;
  if (!run || run.books.length < RUN_BOOKS) return;
  const medians = mediansOfOthers(
    run.books.map(([, at]) => at),
    1,
  );
  for (const [place, [book, at]] of run.books.entries()) {
    addTo(sumsOf(market, book), { moves: 1, lead: (medians[place]! - at) / SECOND });
  }
}

function followEdges(market: FollowedMarket, quotes: readonly StandingQuote[], at: number): void {
  const { state } = market;
  const found: Record<string, number> = {};
  const unknown = new Set<string>();
  const lines = new Map<number | null, StandingQuote[]>();
  for (const quote of soundQuotes(quotes, at)) {
    if (!quote.fair || !isWitness(quote.book)) continue;
    const onLine = lines.get(quote.line);
    if (onLine) onLine.push(quote);
    else lines.set(quote.line, [quote]);
  }
  for (const onLine of lines.values()) {
    for (let outcome = 0; outcome < onLine[0]!.implied.length; outcome++) {
      const fair = mediansOfOthers(
        onLine.map((quote) => quote.fair![outcome]!),
        EDGE_WITNESSES,
      );
      for (const [place, { book, implied }] of onLine.entries()) {
        const key = `${outcome} ${book}`;
        const chance = fair[place]!;
        if (chance === null) unknown.add(key);
        else if (isEdge(chance / implied[outcome]! - 1)) setOwn(found, key, ownValue(state.edges, key) ?? at);
      }
    }
  }
  for (const [key, since] of Object.entries(state.edges)) {
    if (Object.hasOwn(found, key)) continue;
    // How long the edge would have lasted is unknown where too few others are left to judge it.
    const edgesEnded = unknown.has(key) ? 0 : 1;
    addTo(sumsOf(market, key.slice(key.indexOf(' ') + 1)), { edge: Math.max(0, at - since) / SECOND, edgesEnded });
  }
  state.edges = found;
}

const isEdge = (value: number): boolean => value >= EDGE && value <= MAX_EDGE;

/** Counts up to the end, and forgets what is needed no longer. @param to milliseconds */
export function closeMarket(market: FollowedMarket, quotes: readonly StandingQuote[], to: number): void {
  advanceMarket(market, quotes, to);
  closeRun(market);
  for (const [key, since] of Object.entries(market.state.edges)) {
    addTo(sumsOf(market, key.slice(key.indexOf(' ') + 1)), { edge: Math.max(0, to - since) / SECOND });
  }
  market.state = newMarketState(to);
}

function sumsOf({ books }: MarketSums, book: string): BookSums {
  const known = ownValue(books, book);
  if (known) return known;
  const made = newBookSums();
  setOwn(books, book, made);
  return made;
}
