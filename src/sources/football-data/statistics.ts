import { type CsvRow, cellInteger } from '../importing/csv.ts';
import { resultAt } from '../importing/file-times.ts';
import type { Match } from './match.ts';

/** What ends the name of a statistic's column; `H` or `A` before it is the side. */
const COLUMNS: Readonly<Record<string, string>> = {
  S: 'shots',
  ST: 'shots_on_target',
  F: 'fouls',
  C: 'corners',
  Y: 'yellow_cards',
  R: 'red_cards',
};

/** The statistics of both sides as a `box` message at the time of the result; undefined where the row has none. */
export function statisticsOfMatch(match: Match, row: CsvRow): Record<string, unknown> | undefined {
  const sides = [
    ['home', statisticsOf(row, 'H')],
    ['away', statisticsOf(row, 'A')],
  ] as const;
  const told = sides.filter(([, stats]) => Object.keys(stats).length > 0);
  if (told.length === 0) return undefined;
  const teams = Object.fromEntries(told);
  return { kind: 'box', source: 'football-data', at: resultAt(match.startsAt), ref: match.ref, final: true, teams };
}

function statisticsOf(row: CsvRow, side: 'H' | 'A'): Record<string, number> {
  const stats: Record<string, number> = {};
  for (const [column, name] of Object.entries(COLUMNS)) {
    const value = cellInteger(row.get(side + column));
    if (value !== undefined && value >= 0) stats[name] = value;
  }
  return stats;
}
