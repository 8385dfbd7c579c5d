import type { OddsRow, ScreenBook } from '../../../answers/odds-screen-answers.ts';
import { impliedProbability } from '../odds-format.ts';
import { bestOffer } from '../offered-lines.ts';

/** The best price of one outcome. */
export interface BestOfOutcome {
  readonly price: number;
  readonly point: number | null;
  /** Who offers it. */
  readonly books: readonly ScreenBook[];
}

export interface BestOffers {
  /** In the order of the row's outcomes; null where nobody has a price that counts. */
  readonly best: readonly (BestOfOutcome | null)[];
  /**
   * The share of all stakes that somebody keeps who takes bets on each outcome at its best price; below 0 it is an
   * arbitrage. Null unless each outcome has a best price.
   */
  readonly hold: number | null;
}

/**
 * The best prices of some bookmakers on the main line: other lines are other bets. If none of them offers the main line,
 * theirs is the one that most of them offer.
 * @param chosen slugs; null for all bookmakers
 */
export function bestOffersOf({ outcomes, points, books }: OddsRow, chosen: ReadonlySet<string> | null): BestOffers {
  const counted = books.filter(({ slug, counts }) => counts && (chosen === null || chosen.has(slug)));
  const isAt = (line: readonly (number | null)[]) => (book: ScreenBook) =>
    book.offers.some((offer, index) => offer !== null && offer.point === line[index]);
  const line = counted.some(isAt(points)) ? points : usualPoints(counted, outcomes.length);
  const best = outcomes.map((outcome, index): BestOfOutcome | null => {
    const offers = counted.flatMap(({ slug, offers }) => {
      const offer = offers[index];
      return offer && offer.point === line[index] ? [[slug, { [outcome]: offer.price }] as const] : [];
    });
    const found = bestOffer(Object.fromEntries(offers), outcome);
    if (!found) return null;
    const own = counted.filter(({ slug }) => found.slugs.includes(slug));
    return { price: found.price, point: line[index] ?? null, books: own };
  });
  const sum = best.reduce((total, offer) => total + (offer ? impliedProbability(offer.price) : Number.NaN), 0);
  return { best, hold: Number.isNaN(sum) || best.length === 0 ? null : 1 - 1 / sum };
}

/** The points that most books offer; of equally common ones those of the first book. */
function usualPoints(books: readonly ScreenBook[], size: number): readonly (number | null)[] {
  const counts = new Map<string, number>();
  const lineOf = ({ offers }: ScreenBook) => Array.from({ length: size }, (_, index) => offers[index]?.point ?? null);
  let usual: readonly (number | null)[] = Array.from({ length: size }, () => null);
  let most = 0;
  for (const book of books) {
    const line = lineOf(book);
    const key = line.join();
    const count = (counts.get(key) ?? 0) + 1;
    counts.set(key, count);
    if (count > most) [usual, most] = [line, count];
  }
  return usual;
}
