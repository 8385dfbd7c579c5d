import type { MainQuotesDocument } from '../../../projections/odds/main-quotes.ts';
import { isSoccer } from '../../domain/catalogue/sport-rules.ts';
import { ownValue } from '../../domain/primitives/own-properties.ts';
import { type EventSides, profileOfSide } from '../../domain/side-profiles.ts';
import type { BetToken } from '../../intelligence/prices/bet-tokens.ts';
import { type Quote, type QuotedMarket, quoteOf } from '../../intelligence/prices/quotes.ts';

/** The quotes of one market, one for each bookmaker. */
export function quotesOf({ sport, books }: Pick<MainQuotesDocument, 'sport' | 'books'>, market: QuotedMarket): Quote[] {
  return Object.entries(books).flatMap(([book, { markets, namedAt, depth: books }]) => {
    const outcomes = ownValue(markets, market);
    const depth = books && ownValue(books, market);
    return (outcomes && quoteOf(market, isSoccer(sport), book, { outcomes, at: namedAt[market] ?? 0, depth })) || [];
  });
}

/** Name of a bet's side; null for a bet on the match. */
export const teamOf = (event: EventSides, { index }: BetToken): string | null =>
  index === null ? null : (profileOfSide(event, index)?.name ?? null);
