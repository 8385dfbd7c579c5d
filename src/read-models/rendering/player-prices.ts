import type { OddsDocument } from '../../../projections/odds.ts';
import type { NamedPlayer } from '../../domain/finding-players.ts';
import { timeOf } from '../../domain/observation.ts';
import { isPropName } from '../../domain/prices.ts';
import { hasPlaceholder } from '../../domain/side-names.ts';
import { outcomesOf, sideOfTotal } from './priced-lines.ts';

/** A price on what a player makes. */
export interface PlayerPrice {
  readonly named: NamedPlayer;
  /** The side for which the source says that he plays. */
  readonly team: 0 | 1 | null;
  /** Name of the statistic. */
  readonly market: string;
  readonly line: number;
  readonly bookmaker: string;
  /** 0 is over, 1 is under. */
  readonly side: 0 | 1;
  readonly price: number;
  readonly isAlternate: boolean;
}

/** The prices of all bookmakers on players, those that were captured last come last. */
export function playerPrices(document: OddsDocument | undefined, includeAlts: boolean): PlayerPrice[] {
  if (!document || hasPlaceholder(document)) return [];
  const books = Object.entries(document.books).map(([bookmaker, prices]) => ({
    bookmaker,
    prices,
    at: timeOf(prices.capturedAt),
  }));
  books.sort((a, b) => a.at - b.at || (a.bookmaker < b.bookmaker ? -1 : 1));
  return books.flatMap(({ bookmaker, prices }) => {
    const names = new Set(Object.keys(prices.markets).map((name) => name.replace(/\+$/, '')));
    return [...names].filter(isPropName).flatMap((market) =>
      outcomesOf(prices, market, includeAlts).flatMap(({ outcome, isAlternate }): PlayerPrice[] => {
        const { point, player, player_ref, player_source, team, price } = outcome;
        const side = sideOfTotal(outcome);
        if (side === undefined || point === undefined) return [];
        if (player === undefined && player_ref === undefined) return [];
        const named = { name: player, ref: player_ref, source: player_source };
        const teamSide = team === undefined ? null : team === 'home' ? 0 : 1;
        return [{ named, team: teamSide, market, line: point + 0, bookmaker, side, price, isAlternate }];
      }),
    );
  });
}
