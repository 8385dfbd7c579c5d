import { isSoccer } from '../../domain/catalogue/sport-rules.ts';
import { impliedByAmerican } from '../../domain/odds/american-odds.ts';
import { hasThreeWay, THREE_WAY } from '../../domain/odds/three-way.ts';
import type { ImportNotes } from '../importing/import-notes.ts';

export interface PricedSide {
  readonly outcome: string;
  /** American odds. */
  readonly price: number;
}

/**
 * Whether the prices of a moneyline of soccer name no draw and leave no room for one: what two sides imply is 1 or more
 * together. Then it is another market, in which a draw gives the stake back or somebody goes on to the next round; read
 * as the moneyline, its prices would be compared with those of others that lose on a draw.
 */
export function isWithoutDraw(sport: string | undefined, outcomes: readonly PricedSide[]): boolean {
  if (sport === undefined || !isSoccer(sport) || outcomes.length < 2) return false;
  if (outcomes.some(({ outcome }) => outcome === 'draw')) return false;
  return outcomes.reduce((sum, { price }) => sum + impliedByAmerican(price), 0) >= 1;
}

/**
 * The market of a provider's moneyline of the whole game; undefined: there is none. Outside soccer one with a draw is
 * that of regular time. One of soccer that lacks the price of its draw, and leaves room for it, stays as it is: a market
 * without one of its outcomes has no fair price. One without room for it is withdrawn, without outcomes: what stood
 * before is no longer what the bookmaker offers.
 * @param sport undefined: the answer does not say
 */
export function moneylineMarket<Side extends PricedSide>(
  sport: string | undefined,
  outcomes: readonly Side[],
  notes: ImportNotes,
): { readonly key: string; readonly outcomes: readonly Side[] } | undefined {
  if (outcomes.length === 0) return undefined;
  if (isWithoutDraw(sport, outcomes)) {
    noteWithoutDraw(notes);
    return { key: 'h2h', outcomes: [] };
  }
  const isThreeWay = sport !== undefined && hasThreeWay(sport) && outcomes.some(({ outcome }) => outcome === 'draw');
  return { key: isThreeWay ? THREE_WAY : 'h2h', outcomes };
}

export const noteWithoutDraw = (notes: ImportNotes): void =>
  notes.add('moneyline_without_draw', 'A moneyline of soccer was taken for none: its prices leave no room for a draw.');
