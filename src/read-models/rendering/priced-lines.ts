import { marketOfferedSince, type TimedBookPrices } from '../../../projections/odds/odds.ts';
import { isPriceRepeated, type PricedOutcome } from '../../domain/odds/bookmaker-prices.ts';
import { ownValue, setOwn } from '../../domain/primitives/own-properties.ts';
import { type BookPriceAtLine, suspectBooksAtLine } from '../../intelligence/prices/suspect-prices.ts';

/** A bookmaker's prices of the two sides of a line: home and away, or over and under. */
type PricePair = readonly [number | null, number | null];

/** One bookmaker's price of one side of a line. */
export interface LinePrice {
  /** Subject of the line: a market, or a market of one side or player. */
  readonly of: string;
  readonly line: number;
  readonly bookmaker: string;
  readonly side: 0 | 1;
  readonly price: number;
  readonly isAlternate: boolean;
  /** When its market was last named: milliseconds. */
  readonly at: number;
  /** Whether its book has named it again at a later time. */
  readonly isRepeated: boolean;
}

/** A line with all bookmakers that have prices of it. */
export interface PricedLine {
  readonly of: string;
  readonly line: number;
  /** By bookmaker, ordered by slug. */
  readonly books: Readonly<Record<string, PricePair>>;
  /** The sides with a suspect price, by bookmaker; a bookmaker without one is left out. */
  readonly suspects: Readonly<Record<string, readonly (0 | 1)[]>>;
}

/**
 * Groups prices by subject and line. A line may be the main one of some bookmakers and an alternate one of others; an
 * alternate price never replaces a main price. Of several prices of the same kind, line and side, the last one counts.
 * @param isShown a price that is not shown is only compared with those that are
 */
export function groupPricesByLine<Rung extends LinePrice>(
  rungs: readonly Rung[],
  isShown: (rung: Rung) => boolean = () => true,
): PricedLine[] {
  const lines = new Map<string, GroupedLine>();
  const isMain = new Set<string>();
  for (const rung of [...rungs].sort((a, b) => (a.bookmaker < b.bookmaker ? -1 : a.bookmaker > b.bookmaker ? 1 : 0))) {
    const { of, line, bookmaker, side, price, isAlternate } = rung;
    const name = `${line} ${of}`;
    const cell = `${side} ${bookmaker} ${name}`;
    if (isAlternate && isMain.has(cell)) continue;
    if (!isAlternate) isMain.add(cell);
    const known: GroupedLine = lines.get(name) ?? {
      of,
      line,
      books: {},
      suspects: {},
      compared: [new Map(), new Map()],
    };
    lines.set(name, known);
    known.compared[side].set(bookmaker, { book: bookmaker, price, at: rung.at, isRepeated: rung.isRepeated });
    if (!isShown(rung)) continue;
    const pair = ownValue(known.books, bookmaker) ?? [null, null];
    pair[side] = price;
    setOwn(known.books, bookmaker, pair);
  }
  return [...lines.values()].flatMap(({ compared, suspects, ...line }) => {
    if (Object.keys(line.books).length === 0) return [];
    for (const side of [0, 1] as const) {
      for (const book of suspectBooksAtLine([...compared[side].values()])) {
        if (ownValue(line.books, book)?.[side] != null)
          setOwn(suspects, book, [...(ownValue(suspects, book) ?? []), side]);
      }
    }
    return [{ ...line, suspects }];
  });
}

interface GroupedLine {
  readonly of: string;
  readonly line: number;
  readonly books: Record<string, [number | null, number | null]>;
  readonly suspects: Record<string, readonly (0 | 1)[]>;
  /** The prices of each side, by bookmaker, shown or not. */
  readonly compared: readonly [Map<string, BookPriceAtLine>, Map<string, BookPriceAtLine>];
}

/** The line without its suspect prices; undefined if nothing is left of it. */
export function withoutSuspectPrices(line: PricedLine): PricedLine | undefined {
  if (Object.keys(line.suspects).length === 0) return line;
  const books: Record<string, PricePair> = {};
  for (const [book, [one, other]] of Object.entries(line.books)) {
    const suspect = ownValue(line.suspects, book) ?? [];
    const pair = [suspect.includes(0) ? null : one, suspect.includes(1) ? null : other] as const;
    if (pair[0] !== null || pair[1] !== null) setOwn(books, book, pair);
  }
  return Object.keys(books).length === 0 ? undefined : { ...line, books, suspects: {} };
}

/** 0 for home and over, 1 for away and under; undefined for outcomes that are no side of a line. */
function sideOfSpread({ outcome }: PricedOutcome): 0 | 1 | undefined {
  if (outcome === 'home' || outcome === 'player_1') return 0;
  return outcome === 'away' || outcome === 'player_2' ? 1 : undefined;
}
export const sideOfTotal = ({ outcome }: PricedOutcome): 0 | 1 | undefined =>
  outcome === 'over' ? 0 : outcome === 'under' ? 1 : undefined;

/** Adding 0 turns -0 into 0. */
const spreadLine = (point: number, side: 0 | 1): number => (side === 0 ? point : -point) + 0;

interface MarketOutcome extends Pick<LinePrice, 'isAlternate' | 'at' | 'isRepeated'> {
  readonly outcome: PricedOutcome;
}

/** The outcomes of a market, its alternate ones last. */
export function marketOutcomes(prices: TimedBookPrices, name: string): readonly MarketOutcome[] {
  const of = (key: string, isAlternate: boolean): MarketOutcome[] => {
    const outcomes = ownValue(prices.markets, key);
    if (!outcomes) return [];
    return outcomes.map((outcome) => ({
      outcome,
      isAlternate,
      at: marketOfferedSince(prices, key, outcome),
      isRepeated: isPriceRepeated(prices, key, outcome),
    }));
  };
  return [...of(name, false), ...of(`${name}+`, true)];
}

/** The prices of spreads or totals with their lines. Outcomes without a point are left out. */
export function linePricesOf(
  of: string,
  bookmaker: string,
  outcomes: ReturnType<typeof marketOutcomes>,
  kind: 'spreads' | 'totals',
): LinePrice[] {
  return outcomes.flatMap(({ outcome, ...rest }) => {
    const side = kind === 'spreads' ? sideOfSpread(outcome) : sideOfTotal(outcome);
    const { point, price } = outcome;
    if (side === undefined || point === undefined) return [];
    const line = kind === 'spreads' ? spreadLine(point, side) : point + 0;
    return [{ of, line, bookmaker, side, price, ...rest }];
  });
}

/** The prices under the names of their two sides. */
export function nameLineSides<First extends string, Second extends string>(
  books: PricedLine['books'],
  first: First,
  second: Second,
): Record<string, Record<First | Second, number | null>> {
  const named: Record<string, Record<First | Second, number | null>> = {};
  for (const [bookmaker, [one, other]] of Object.entries(books)) {
    setOwn(named, bookmaker, { [first]: one, [second]: other } as Record<First | Second, number | null>);
  }
  return named;
}

/** The member of a line that names its suspect prices; a line without one does not have it. */
export function nameSuspects<First extends string, Second extends string>(
  suspects: PricedLine['suspects'],
  first: First,
  second: Second,
): { suspect?: Record<string, (First | Second)[]> } {
  const books = Object.entries(suspects);
  if (books.length === 0) return {};
  const suspect: Record<string, (First | Second)[]> = {};
  for (const [book, sides] of books)
    setOwn(
      suspect,
      book,
      sides.map((side) => (side === 0 ? first : second)),
    );
  return { suspect };
}

interface SuspectLine<Books> {
  readonly books: Books;
  readonly suspect?: Readonly<Record<string, readonly string[]>> | undefined;
}

/** The line of an answer with null in the place of its suspect prices: nobody is shown them as the best ones. */
export function withoutSuspectOffers<Books extends object, Line extends SuspectLine<Books>>(line: Line): Line {
  const { books, suspect } = line;
  if (!suspect) return line;
  const kept = Object.fromEntries(
    Object.entries(books).map(([book, prices]) => {
      const sides = ownValue(suspect, book) ?? [];
      return [book, { ...prices, ...Object.fromEntries(sides.map((side) => [side, null])) }];
    }),
  );
  return { ...line, books: kept as Books };
}
