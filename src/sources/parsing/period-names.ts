import { playsLike } from '../../domain/catalogue/added-leagues.ts';

/** Number of regulation periods, for leagues that number their periods through and continue with overtimes. */
const REGULATION: Readonly<Record<string, number>> = { nfl: 4, ncaaf: 4, nba: 4, ncaab: 2, nhl: 3 };
const SOCCER = ['1H', '2H', 'ET1', 'ET2', 'PKs'];

/** Number of regulation periods of a sport; undefined for tennis, whose matches have no fixed length. */
export const regulationPeriods = (sport: string): number | undefined =>
  playsLike(sport) === 'mlb' ? 9 : playsLike(sport) === 'soccer' ? 2 : REGULATION[playsLike(sport)];

/** The name of a period that a source numbers from 1: quarters and innings by number, halves `1H` and `2H`, then `OT`,
 *  `OT2`. The fifth period of an NHL game is the shootout, except in the playoffs, which have none. */
export function periodName(sport: string, number: number, playoffs: boolean): string | undefined {
  if (!Number.isInteger(number) || number < 1) return undefined;
  if (playsLike(sport) === 'mlb') return String(number);
  if (playsLike(sport) === 'soccer') return SOCCER[number - 1];
  const regulation = REGULATION[playsLike(sport)];
  if (regulation === undefined) return undefined;
  if (number <= regulation) return playsLike(sport) === 'ncaab' ? `${number}H` : String(number);
  const overtime = number - regulation;
  if (playsLike(sport) === 'nhl' && overtime === 2 && !playoffs) return 'SO';
  return overtime === 1 ? 'OT' : `OT${overtime}`;
}
