import type { EvaluatedBet } from '../../../api/operations/bets/evaluate-bets.ts';
import type { Grouping } from '../../../api/operations/bets/summarize-bets.ts';
import { findSport } from '../../../domain/catalogue/catalogue.ts';
import { capitalized } from '../../live/page/view-model/capitalized.ts';
import { formatPoint } from '../../live/page/view-model/odds-format.ts';
import { MARKET_NAMES, type Market } from '../../live/page/view-model/story-model.ts';

/** Words for bets, as all pages have them. */

type Bet = Pick<EvaluatedBet, 'market_key' | 'side' | 'line' | 'scope' | 'home_team' | 'away_team'>;

const marketWords = (key: string): string => MARKET_NAMES[key as Market] ?? capitalized(key.replaceAll('_', ' '));

/** What was bet on: `Arsenal −1`, `Arsenal, moneyline`, `Over 2.5, 1H`, `Passing yards, over 275.5`. */
export function betWords({ market_key: market, side, line, scope, home_team: home, away_team: away }: Bet): string {
  const team = side === 'home' ? home : side === 'away' ? away : null;
  const name = team ?? capitalized(side);
  const end = scope === undefined ? '' : `, ${scope}`;
  if (market === 'h2h') return `${name}, moneyline${end}`;
  if (market === 'spreads') return `${name} ${line === null ? '' : formatPoint(line, market)}${end}`;
  if (market === 'totals') return `${name} ${line ?? ''}${end}`;
  return `${marketWords(market)}, ${[team ?? side, line].filter((part) => part !== null).join(' ')}${end}`;
}

/** The name of a group of the summary. @param nameOf of bookmakers */
export function groupName(by: Grouping, key: string, nameOf: (bookmaker: string) => string): string {
  if (by === 'book') return nameOf(key);
  if (by === 'market') return marketWords(key);
  return by === 'sport' ? (findSport(key)?.name ?? key) : key;
}
