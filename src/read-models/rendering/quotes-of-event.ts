import type { MainQuotesDocument } from '../../../projections/odds/main-quotes.ts';
import { isSoccer } from '../../domain/catalogue/sport-rules.ts';
import { isRepeated, type WatchedMarket } from '../../domain/odds/bookmaker-prices.ts';
import { ownValue } from '../../domain/primitives/own-properties.ts';
import { type EventSides, profileOfSide } from '../../domain/side-profiles.ts';
import type { BetToken } from '../../intelligence/prices/bet-tokens.ts';
import { type Quote, quoteOf } from '../../intelligence/prices/quotes.ts';
import { withoutSuspects } from '../../intelligence/prices/suspect-prices.ts';

/** The quotes of one market, one for each bookmaker, but those with a suspect price. */
export function quotesOf(
  { sport, books }: Pick<MainQuotesDocument, 'sport' | 'books'>,
  market: WatchedMarket,
): readonly Quote[] {
  const standing = Object.entries(books).flatMap(([slug, book]) => {
    const outcomes = ownValue(book.markets, market);
    const depth = book.depth && ownValue(book.depth, market);
    const at = book.namedAt[market] ?? 0;
    return outcomes ? [{ book: slug, outcomes, at, isRepeated: isRepeated(book, market), depth }] : [];
  });
  const quotes = standing.flatMap((one) => quoteOf(market, isSoccer(sport), one.book, one) ?? []);
  return withoutSuspects(market, quotes, () => standing);
}

/** Name of a bet's side; null for a bet on the match. */
export const teamOf = (event: EventSides, { index }: BetToken): string | null =>
  index === null ? null : (profileOfSide(event, index)?.name ?? null);
