/** Number of regulation periods, for leagues that number their periods through and continue with overtimes. */
const REGULATION: Readonly<Record<string, number>> = { nfl: 4, ncaaf: 4, nba: 4, ncaab: 2, nhl: 3 };
const SOCCER = ['1H', '2H', 'ET1', 'ET2', 'PKs'];

/** Number of regulation periods of a sport; undefined for tennis, whose matches have no fixed length. */
export const regulationPeriods = (sport: string): number | undefined =>
  sport === 'mlb' ? 9 : sport === 'soccer' ? 2 : REGULATION[sport];

/** The name of a period that a source numbers from 1: quarters and innings by number, halves `1H` and `2H`, then `OT`,
 *  `OT2`. The fifth period of an NHL game is the shootout, except in the playoffs, which have none. */
export function periodName(sport: string, number: number, playoffs: boolean): string | undefined {
  if (!Number.isInteger(number) || number < 1) return undefined;
  if (sport === 'mlb') return String(number);
  if (sport === 'soccer') return SOCCER[number - 1];
  const regulation = REGULATION[sport];
  if (regulation === undefined) return undefined;
  if (number <= regulation) return sport === 'ncaab' ? `${number}H` : String(number);
  const overtime = number - regulation;
  if (sport === 'nhl' && overtime === 2 && !playoffs) return 'SO';
  return overtime === 1 ? 'OT' : `OT${overtime}`;
}
