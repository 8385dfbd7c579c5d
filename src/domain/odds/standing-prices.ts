import { timeOf } from '../observations/observation.ts';
import { ownValue, setOwn } from '../primitives/own-properties.ts';
import { impliedByAmerican } from './american-odds.ts';
import type { DepthChange } from './book-depth.ts';
import {
  type BookPrices,
  isRepeated,
  isWatchedMarket,
  type PricedOutcome,
  type PricesContent,
  WATCHED_MARKETS,
} from './bookmaker-prices.ts';
import { isWitness, liesFarOutside, type StandingPrice } from './far-outside.ts';
import { type LadderTimes, ladderTimesAfter, pricedSince } from './ladder-times.ts';
import { type LastPrices, type Movement, seriesName } from './line-movements.ts';
import { type HeldPrices, type ReleasedPrice, type SuspectNews, withHeldTold } from './suspect-news.ts';
import { isMoneyline } from './three-way.ts';

type MarketKey = Movement['market'];
type Outcome = PricedOutcome['outcome'];
type PriceAtLine = LastPrices[string];

/** A watched market of a bookmaker as it stands. */
interface StandingMarket {
  /** When it was last named: milliseconds. */
  readonly at: number;
  /** Whether it has been named again at a later time, with the same prices. */
  readonly isRepeated: boolean;
  readonly prices: { readonly [Name in Outcome]?: PriceAtLine };
}

/** The watched markets of a bookmaker on one event, as they stand and as they were told as news. */
export interface StandingBook {
  /** The time of the newest message: milliseconds. */
  readonly at: number;
  readonly markets: { readonly [Key in MarketKey]?: StandingMarket };
  /** The markets that the newest message names. */
  readonly newest: readonly MarketKey[];
  /** Of an exchange whose ladders come one by one. */
  readonly ladders?: LadderTimes;
  /** The last price of each series that was told. */
  readonly told: LastPrices;
  /** The series whose present price is suspect, and not told. Absent: there are none. */
  readonly held?: HeldPrices;
}

/** All bookmakers of one event by name. */
type StandingBooks = ReadonlyMap<string, StandingBook>;

const keyOf = (market: string): MarketKey => market as MarketKey;
const entriesOf = <Name extends string, Value>(record: { readonly [Key in Name]?: Value }): [Name, Value][] =>
  Object.entries(record) as [Name, Value][];

/** The book after a message at this time (milliseconds), without what is told of it. */
function marketsAfter(book: StandingBook | undefined, content: PricesContent, at: number): StandingBook {
  const markets: { [Key in MarketKey]?: StandingMarket } = { ...book?.markets };
  const newest: MarketKey[] = [];
  for (const market of content.markets) {
    if (!isWatchedMarket(market)) continue;
    const key = keyOf(market.key);
    newest.push(key);
    const before = markets[key];
    const prices = { ...(market.complete ? {} : before?.prices), ...pricesOf(key, market.outcomes) };
    if (Object.keys(prices).length === 0) delete markets[key];
    else {
      const isSame = before !== undefined && areSame(before.prices, prices);
      markets[key] = {
        at,
        isRepeated: isSame && (at > before.at || before.isRepeated),
        prices: isSame ? before.prices : prices,
      };
    }
  }
  const { told = {}, held } = book ?? {};
  return { at: Math.max(at, book?.at ?? at), markets, newest, ...laddersOf(book), told, ...(held && { held }) };
}

const laddersOf = (book: Pick<StandingBook, 'ladders'> | undefined): Pick<StandingBook, 'ladders'> =>
  book?.ladders ? { ladders: book.ladders } : {};

/** The book with the times of its ladders after these changes. */
function withLadders(book: StandingBook, depth: readonly DepthChange[] | undefined): StandingBook {
  if (!depth) return book;
  const { ladders: before, ...others } = book;
  const ladders = ladderTimesAfter(before, depth);
  return ladders ? { ...others, ladders } : others;
}

/** The book after its newest message was repeated at this time (milliseconds). */
function marketsAgain(book: StandingBook, at: number): StandingBook {
  if (at <= book.at) return book;
  const markets = Object.fromEntries(
    entriesOf(book.markets).map(([key, market]) => [
      key,
      book.newest.includes(key) ? { ...market, at, isRepeated: true } : market,
    ]),
  );
  return { ...book, at, markets };
}

/** The book after a late message at this time (milliseconds), with the prices that all of its messages make. */
function marketsAfterLate(book: StandingBook | undefined, prices: BookPrices, at: number): StandingBook {
  const markets: { [Key in MarketKey]?: StandingMarket } = {};
  for (const key of WATCHED_MARKETS) {
    const outcomes = ownValue(prices.markets, key);
    if (!outcomes) continue;
    const stands = pricesOf(key, outcomes);
    markets[key] = { at: book?.markets[key]?.at ?? at, isRepeated: isRepeated(prices, key), prices: stands };
  }
  return { at: Math.max(at, book?.at ?? at), markets, newest: book?.newest ?? [], ...laddersOf(book), told: {} };
}

const pricesOf = (key: MarketKey, outcomes: readonly PricedOutcome[]): StandingMarket['prices'] =>
  Object.fromEntries(
    outcomes.map(({ outcome, price, point = null }) => [outcome, [price, isMoneyline(key) ? null : point]]),
  );

const areSame = (a: StandingMarket['prices'], b: StandingMarket['prices']): boolean =>
  Object.keys(a).length === Object.keys(b).length &&
  entriesOf(b).every(([outcome, price]) => isSamePrice(a[outcome], price));
const isSamePrice = (a: PriceAtLine | null | undefined, b: PriceAtLine): boolean => a?.[0] === b[0] && a[1] === b[1];

/**
 * Which prices of a book that are no longer what was told of them are suspect: the rule of
 * `src/intelligence/prices/suspect-prices.ts`, in the order of arrival.
 * @param name of the book, which is not compared with itself
 * @param isAsked whether a market is judged; what is held of other markets stays so
 */
function heldOf(
  name: string,
  book: StandingBook,
  books: StandingBooks,
  isAsked: (market: MarketKey) => boolean,
): HeldPrices {
  const held: Record<string, PriceAtLine | null> = {};
  for (const [key, { isRepeated, prices }] of entriesOf(book.markets)) {
    for (const [outcome, price] of entriesOf(prices)) {
      const series = seriesName(key, outcome);
      const told = Object.hasOwn(book.told, series) ? book.told[series]! : null;
      if (isSamePrice(told, price)) continue;
      const isHeld = isAsked(key)
        ? !isRepeated && isFar({ name, key, outcome, price, at: offeredAt(book, key, outcome) }, books)
        : book.held !== undefined && Object.hasOwn(book.held, series);
      if (isHeld) setOwn(held, series, told);
    }
  }
  return held;
}

/** Since when a price that stands is offered: milliseconds. */
function offeredAt({ markets, ladders }: StandingBook, key: MarketKey, outcome: Outcome): number {
  const { at, prices } = markets[key]!;
  const point = prices[outcome]![1];
  return pricedSince(ladders, key, at, { outcome, ...(point !== null && { point }) });
}

interface JudgedPrice {
  readonly name: string;
  readonly key: MarketKey;
  readonly outcome: Outcome;
  readonly price: PriceAtLine;
  /** Milliseconds. */
  readonly at: number;
}

/** Whether a price lies far outside those of the other books. */
const isFar = ({ name, key, outcome, price: [price, point], at }: JudgedPrice, books: StandingBooks): boolean =>
  liesFarOutside({ implied: impliedByAmerican(price), at }, books, ([other, book]): StandingPrice | undefined => {
    const stands = other === name || !isWitness(other) ? undefined : book.markets[key]?.prices[outcome];
    if (!stands || stands[1] !== point) return undefined;
    return { implied: impliedByAmerican(stands[0]), at: offeredAt(book, key, outcome) };
  });

/**
 * The suspect prices that a book releases as it stands now: those of others, and its own that its message did not name.
 * @param books with that book
 */
function releasedBy(name: string, books: StandingBooks, content?: PricesContent): readonly ReleasedPrice[] {
  const released: ReleasedPrice[] = [];
  for (const [bookmaker, book] of books) {
    if (!book.held || (bookmaker === name && !content)) continue;
    const still = heldOf(bookmaker, book, books, () => true);
    for (const [market, { prices }] of entriesOf(book.markets)) {
      for (const [outcome, to] of entriesOf(prices)) {
        const series = seriesName(market, outcome);
        if (!Object.hasOwn(book.held, series) || Object.hasOwn(still, series)) continue;
        if (bookmaker === name && isNamedIn(content!, market, outcome)) continue;
        const from = book.held[series]!;
        if (!isSamePrice(from, to)) released.push({ bookmaker, market, outcome, from, to });
      }
    }
  }
  return released;
}

const isNamedIn = ({ markets }: PricesContent, market: MarketKey, outcome: Outcome): boolean =>
  markets.some(
    (one) => isWatchedMarket(one) && one.key === market && one.outcomes.some((two) => two.outcome === outcome),
  );

/** The book once its prices are told, but those that are held. */
function withTold(book: StandingBook, held: HeldPrices | undefined): StandingBook {
  const { at, markets, newest } = book;
  const told: LastPrices = { ...book.told };
  const kept: Record<string, PriceAtLine | null> = {};
  for (const [key, { prices }] of entriesOf(markets)) {
    for (const [outcome, price] of entriesOf(prices)) {
      const series = seriesName(key, outcome);
      if (!held || !Object.hasOwn(held, series)) told[series] = price;
      else if (!isSamePrice(held[series], price)) setOwn(kept, series, held[series]!);
    }
  }
  return { at, markets, newest, ...laddersOf(book), told, ...(Object.keys(kept).length > 0 && { held: kept }) };
}

/** The book once one of its held prices is told. */
function withReleased(book: StandingBook, { market, outcome, to }: ReleasedPrice): StandingBook {
  const { held = {}, ...rest } = book;
  const { [seriesName(market, outcome)]: _, ...others } = held;
  const told = { ...book.told, [seriesName(market, outcome)]: to };
  return { ...rest, told, ...(Object.keys(others).length > 0 && { held: others }) };
}

/** A report of prices, as it stands in the log. */
interface RecordedPrices {
  readonly at: string;
  readonly content: PricesContent;
  readonly late?: { readonly prices: BookPrices; readonly movements: { readonly last: LastPrices } };
  readonly suspect?: SuspectNews;
  readonly depth?: readonly DepthChange[];
}

/** Applies a report to the books; changes them. */
export function applyStanding(books: Map<string, StandingBook>, report: RecordedPrices): void {
  const { at, content, late, suspect, depth } = report;
  const { bookmaker } = content;
  const before = books.get(bookmaker);
  const time = timeOf(at);
  const next = late
    ? { ...marketsAfterLate(before, late.prices, time), told: withHeldTold(late.movements.last, suspect?.held) }
    : withLadders(marketsAfter(before, content, time), depth);
  books.set(bookmaker, withTold(next, heldAfter(next, content, late !== undefined, suspect)));
  for (const one of suspect?.released ?? []) {
    const book = books.get(one.bookmaker);
    if (book) books.set(one.bookmaker, withReleased(book, one));
  }
}

/** What is held after a report: it says so of the markets that it names; of others it stays. */
function heldAfter(
  { held = {} }: StandingBook,
  { markets }: PricesContent,
  isLate: boolean,
  suspect: SuspectNews | undefined,
): HeldPrices {
  if (isLate) return suspect?.held ?? {};
  const isNamed = (series: string) =>
    markets.some((market) => isWatchedMarket(market) && series.startsWith(`${market.key}|`));
  const others = Object.entries(held).filter(([series]) => !isNamed(series));
  return { ...Object.fromEntries(others), ...suspect?.held };
}

/** Applies the repetition of a book's newest message at this time (ISO 8601); changes the books. */
export function applyAgain(books: Map<string, StandingBook>, { bookmaker, at, depth }: Repetition): void {
  const book = books.get(bookmaker);
  if (book) books.set(bookmaker, withLadders(marketsAgain(book, timeOf(at)), depth));
}

interface Repetition {
  readonly bookmaker: string;
  readonly at: string;
  /** What it changes of the order books of an exchange. */
  readonly depth?: readonly DepthChange[] | undefined;
}

interface JudgedReport extends Pick<RecordedPrices, 'at' | 'content' | 'depth'> {
  readonly isLate: boolean;
}

/**
 * What a report makes of suspect prices; undefined: nothing, as of nearly every one.
 * @param isLate it is older than another one of its book. Then what is held stays held, and so does a price of it that
 * lies far outside: nobody is told of the one or the other.
 * @param depth what it changes of the order books of an exchange
 */
export function judgeNews(
  books: StandingBooks,
  { content, at: time, isLate, depth }: JudgedReport,
): SuspectNews | undefined {
  const { bookmaker } = content;
  const at = timeOf(time);
  const before = books.get(bookmaker);
  const reported = isLate
    ? marketsAfter(undefined, content, at)
    : withLadders(marketsAfter(before, content, at), depth);
  const named = new Set(content.markets.filter(isWatchedMarket).map(({ key }) => key));
  const judged = isLate && before ? { ...reported, told: before.told } : reported;
  const held = {
    ...(isLate && before?.held),
    ...heldOf(bookmaker, judged, books, (key) => named.has(key)),
  };
  const own = Object.entries(held).filter(([series]) => isLate || named.has(series.slice(0, series.indexOf('|'))));
  const isAnyHeld = !isLate && hasHeld(books);
  const released = isAnyHeld ? releasedBy(bookmaker, new Map([...books, [bookmaker, reported]]), content) : [];
  if (own.length === 0 && released.length === 0) return undefined;
  return {
    ...(own.length > 0 && { held: Object.fromEntries(own) }),
    ...(released.length > 0 && { released }),
  };
}

/**
 * Whether the repetition of a book's newest message tells something: a suspect price of it, or of another book near
 * which it stands again.
 */
export function releasesAgain(books: StandingBooks, { bookmaker, at, depth }: Repetition): boolean {
  const book = books.get(bookmaker);
  const time = timeOf(at);
  if (!book || time <= book.at || !hasHeld(books)) return false;
  const again = withLadders(marketsAgain(book, time), depth);
  const isReleased = ([series]: [string, unknown]) =>
    again.markets[keyOf(series.slice(0, series.indexOf('|')))]?.isRepeated;
  if (Object.entries(book.held ?? {}).some(isReleased)) return true;
  return releasedBy(bookmaker, new Map([...books, [bookmaker, again]])).length > 0;
}

function hasHeld(books: StandingBooks): boolean {
  for (const { held } of books.values()) if (held) return true;
  return false;
}
