import { timeOf } from '../observations/observation.ts';
import { formatTime } from '../primitives/time.ts';
import { type BookDepth, type OutcomeDepth, outcomesOf, type ReportedBook } from './book-depth.ts';
import { MAX_PRICE_AGE } from './far-outside.ts';

/**
 * Ladders of one market come together or one by one. A message of books says how those stand that it does not name:
 * - `all`: it has the ladder of one contract alone, and all others of its market stay;
 * - bets: their ladders come one by one, and stay beside the others, which are complete.
 */
export type OtherLadders = 'all' | readonly (Bet & { readonly market: string })[];

type Bet = Pick<OutcomeDepth, 'outcome' | 'point'>;

interface Moment {
  readonly at: string;
  /** When the venue was last heard of, in milliseconds; undefined: never. */
  readonly newestAt: number | undefined;
}

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

const isSame = (one: Bet, other: Bet): boolean => one.outcome === other.outcome && one.point === other.point;

/** The line of a spread or a total; the two sides of one have the same. */
const lineOf = ({ outcome, point }: Bet): number | undefined =>
  point !== undefined && (outcome === 'away' || outcome === 'player_2') ? -point : point;

const hasOrders = ({ bids, asks }: OutcomeDepth): boolean => bids.length > 0 || asks.length > 0;

function isFresh({ at: own }: OutcomeDepth, { at, newestAt }: Moment): boolean {
  const since = own === undefined ? newestAt : timeOf(own);
  return since !== undefined && timeOf(at) - since <= MAX_PRICE_AGE;
}

/** One that came with its market was there until the venue's message before the first that leaves it out. */
const withTime = (one: OutcomeDepth, { newestAt }: Moment): OutcomeDepth =>
  one.at === undefined && newestAt !== undefined ? { ...one, at: formatTime(newestAt) } : one;

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
  const standing = [false, true].map((alternate) => outcomesOf(depth, { key, scope, alternate }));
  const isKept = (one: OutcomeDepth) => !isSame(one, own) && isFresh(one, moment);
  const isAlternate = own.point !== undefined && standing[0]!.some((one) => isKept(one) && lineOf(one) !== lineOf(own));
  return standing.flatMap((before, index) => {
    const alternate = index === 1;
    const isOwn = hasOrders(own) && alternate === isAlternate;
    const hadOwn = before.some((one) => isSame(one, own));
    if (!isOwn && !hadOwn) return [];
    const ladder = isOwn ? [{ ...own, at: moment.at }] : [];
    const others = before.flatMap((one) => {
      if (isSame(one, own)) return ladder;
      return isKept(one) ? [withTime(one, moment)] : [];
    });
    const outcomes = hadOwn ? others : [...others, ...ladder];
    return [{ key, scope, alternate, outcomes, ...(isOwn && fee ? { fee } : {}) }];
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
    books.some((book) => book.key === key && book.scope === 'match' && book.outcomes.some((own) => isSame(own, one)));
  const moved: (OutcomeDepth & { readonly key: string })[] = [];
  const reported = books.map((book): ReportedBook => {
    const { key, scope, alternate, outcomes } = book;
    if (scope !== 'match' || outcomes.length === 0) return book;
    const kept = outcomesOf(depth, book).filter(
      (one) =>
        one.at !== undefined &&
        isFresh(one, moment) &&
        bets.some((bet) => bet.market === key && isSame(bet, one)) &&
        !isNamed(key, one),
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
  const standing = outcomesOf(depth, place).filter((other) => isFresh(other, moment));
  const all = books.some(isPlace)
    ? books
    : [...books, { ...place, outcomes: standing.map((other) => withTime(other, moment)) }];
  return all.map((book) =>
    isPlace(book) ? { ...book, outcomes: [...book.outcomes.filter((other) => !isSame(other, one)), one] } : book,
  );
}
