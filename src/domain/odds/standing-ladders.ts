import { timeOf } from '../observations/observation.ts';
import { ownValue } from '../primitives/own-properties.ts';
import { formatTime } from '../primitives/time.ts';
import {
  type Bet,
  type BookDepth,
  isSameOutcome,
  type OutcomeDepth,
  outcomesOf,
  type ReportedBook,
} from './book-depth.ts';
import { marketName } from './bookmaker-prices.ts';
import { MAX_PRICE_AGE } from './far-outside.ts';

/**
 * Ladders of one market come together or one by one. A message of books says how those stand that it does not name:
 * - `all`: it has the ladder of one contract alone, and all others of its market stay;
 * - bets: their ladders come one by one, and stay beside the others, which are complete.
 */
export type OtherLadders = 'all' | readonly (Bet & { readonly market: string })[];

interface Moment {
  readonly at: string;
  /** When the venue was last heard of, in milliseconds; undefined: never. */
  readonly newestAt: number | undefined;
  /** When it last named each market (`marketName`), in milliseconds. */
  readonly namedAt: MarketTimes;
}
export type MarketTimes = Readonly<Record<string, number>>;

/**
 * The books of a message with the standing ladders that it leaves as they are. Each keeps the time of its own message,
 * and goes once that is older than `MAX_PRICE_AGE`. A message that is late keeps nothing: what stands is of a later
 * moment.
 */
export function withOtherLadders(
  depth: BookDepth | undefined,
  books: readonly ReportedBook[],
  { others, ...moment }: Moment & { readonly others: OtherLadders },
): readonly ReportedBook[] {
  const isLate = moment.newestAt !== undefined && timeOf(moment.at) < moment.newestAt;
  if (others === 'all') return books.flatMap((book) => (isLate ? lateBooks(book) : booksBeside(depth, book, moment)));
  return isLate ? books : withBets(depth, books, { ...moment, bets: others });
}

/** The line of a spread or a total; the two sides of one have the same. */
const lineOf = ({ outcome, point }: Bet): number | undefined =>
  point !== undefined && (outcome === 'away' || outcome === 'player_2') ? -point : point;

const hasOrders = ({ bids, asks }: OutcomeDepth): boolean => bids.length > 0 || asks.length > 0;

type Place = Pick<ReportedBook, 'key' | 'scope' | 'alternate'>;

/** The ladders of one market with their times, without those that are too old. */
function freshLadders(
  depth: BookDepth | undefined,
  place: Place,
  { at, namedAt }: Pick<Moment, 'at' | 'namedAt'>,
): readonly OutcomeDepth[] {
  const named = ownValue(namedAt, marketName(place));
  return outcomesOf(depth, place).flatMap((one) => {
    const since = one.at ?? (named === undefined ? undefined : formatTime(named));
    return since !== undefined && timeOf(at) - timeOf(since) <= MAX_PRICE_AGE ? [{ ...one, at: since }] : [];
  });
}

/**
 * The ladder of one contract of a past moment. Which line was the main one then is not known: that of a spread or a
 * total is put beside it.
 */
function lateBooks(book: ReportedBook): ReportedBook[] {
  const outcomes = book.outcomes.filter(hasOrders);
  if (outcomes.length === 0) return [];
  return [{ ...book, alternate: outcomes[0]!.point !== undefined, outcomes, complete: false }];
}

/**
 * The ladder of one contract among the others of its market. Beside a main line another one is an alternate. A ladder
 * without orders is gone; nothing is said where it did not stand.
 */
function booksBeside(
  depth: BookDepth | undefined,
  { key, scope, outcomes: [own], fee }: ReportedBook,
  moment: Moment,
): ReportedBook[] {
  if (!own) return [];
  const places = [false, true].map((alternate): Place => ({ key, scope, alternate }));
  const [main, alternates] = places.map((place) =>
    freshLadders(depth, place, moment).filter((one) => !isSameOutcome(one, own)),
  );
  const isAlternate = own.point !== undefined && main!.some((one) => lineOf(one) !== lineOf(own));
  return places.flatMap((place) => {
    const isOwn = hasOrders(own) && place.alternate === isAlternate;
    const standing = outcomesOf(depth, place);
    if (!isOwn && !standing.some((one) => isSameOutcome(one, own))) return [];
    const others = place.alternate ? alternates! : main!;
    const outcomes = isOwn ? [...others, { ...own, at: moment.at }] : others;
    // In the order in which they stand, so that the same prices are the same again.
    const order = (one: OutcomeDepth) => standing.findIndex((before) => isSameOutcome(before, one)) >>> 0;
    return [{ ...place, outcomes: outcomes.toSorted((a, b) => order(a) - order(b)), ...(isOwn && fee ? { fee } : {}) }];
  });
}

/**
 * Complete books with the ladders of these bets beside them. On another line than the main one of a message they become
 * alternates, and a market without any outcome is closed.
 */
function withBets(
  depth: BookDepth | undefined,
  books: readonly ReportedBook[],
  { bets, ...moment }: Moment & { readonly bets: Exclude<OtherLadders, 'all'> },
): readonly ReportedBook[] {
  if (bets.length === 0) return books;
  const isNamed = (key: string, one: Bet) =>
    books.some(
      (book) => book.key === key && book.scope === 'match' && book.outcomes.some((own) => isSameOutcome(own, one)),
    );
  const moved: (OutcomeDepth & { readonly key: string })[] = [];
  const reported = books.map((book): ReportedBook => {
    const { key, scope, alternate, outcomes } = book;
    if (scope !== 'match' || outcomes.length === 0) return book;
    const alone = outcomesOf(depth, book).filter(({ at }) => at !== undefined);
    const kept = freshLadders({ [marketName(book)]: { outcomes: alone, fees: [] } }, book, moment).filter(
      (one) => bets.some((bet) => bet.market === key && isSameOutcome(bet, one)) && !isNamed(key, one),
    );
    const isBeside = (one: OutcomeDepth) => alternate || lineOf(one) === lineOf(outcomes[0]!);
    moved.push(...kept.filter((one) => !isBeside(one)).map((one) => ({ ...one, key })));
    return { ...book, outcomes: [...outcomes, ...kept.filter(isBeside)] };
  });
  return moved.reduce((all, { key, ...one }) => withAlternate(all, one, { key, depth, moment }), reported);
}

function withAlternate(
  books: ReportedBook[],
  one: OutcomeDepth,
  { key, depth, moment }: { readonly key: string; readonly depth: BookDepth | undefined; readonly moment: Moment },
): ReportedBook[] {
  const place = { key, scope: 'match', alternate: true } as const;
  const isPlace = (book: ReportedBook) => book.key === key && book.scope === 'match' && book.alternate;
  const all = books.some(isPlace) ? books : [...books, { ...place, outcomes: freshLadders(depth, place, moment) }];
  return all.map((book) =>
    isPlace(book) ? { ...book, outcomes: [...book.outcomes.filter((other) => !isSameOutcome(other, one)), one] } : book,
  );
}
