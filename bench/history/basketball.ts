import { join } from 'node:path';
import { closeOf, decimalOf } from './close.ts';
import { lineOf, onDay, PLAIN, type PricedGame, winnerOf } from './past-game.ts';
import { csvRows, numberOf } from './rows.ts';

const RENAMED: Readonly<Record<string, string>> = {
  'LA Clippers': 'Los Angeles Clippers',
  'New Jersey Nets': 'Brooklyn Nets',
  'Seattle SuperSonics': 'Oklahoma City Thunder',
  'Charlotte Bobcats': 'Charlotte Hornets',
  'New Orleans Hornets': 'New Orleans Pelicans',
};

const EVEN = [0.5, 0.5] as const;

/** In some rows of 2019-20 the total and the points of the favourite stand in each other's column. */
const LEAST_TOTAL = 100;

/** The file has the points of the favourite without a sign: the moneyline tells who that is. */
function homePoint(points: number | null, close: readonly number[] | null): number | null {
  if (points === null || Math.abs(points) >= LEAST_TOTAL || close === null || close[0] === close[1]) return null;
  return close[0]! > close[1]! ? -Math.abs(points) : Math.abs(points);
}

/** 2007-08 to 2023-24. */
export function nbaGames(folder: string): PricedGame[] {
  return csvRows(join(folder, 'nba/kyleskom_odds_2007_2023.csv.gz')).flatMap((row): PricedGame[] => {
    // "2007-08-1030" or "2022-10-18".
    const date = /^(\d{4})-(?:\d{2}-)?(\d{2})-?(\d{2})$/.exec(row['Date']!);
    const [points, margin] = [numberOf(row['Points']), numberOf(row['Win_Margin'])];
    if (date === null || points === null || margin === null || points < 100 || margin === 0) return [];
    const total = numberOf(row['OU']);
    const close = closeOf([decimalOf(row['ML_Home']!), decimalOf(row['ML_Away']!)]);
    const season = Number(row['season']!.slice(0, 4));
    const [home, away] = [(points + margin) / 2, (points - margin) / 2];
    const month = Number(date[2]);
    const isMonthDay = /^\d{4}-\d{2}-\d{4}$/.test(row['Date']!);
    const year = isMonthDay ? season + (month < 8 ? 1 : 0) : Number(date[1]);
    return [
      {
        ...PLAIN,
        ...onDay(year, month, Number(date[3])),
        league: 'nba',
        season,
        home: RENAMED[row['Home']!] ?? row['Home']!,
        away: RENAMED[row['Away']!] ?? row['Away']!,
        score: { home, away },
        winner: winnerOf(home, away),
        // The file has no prices of these lines: both outcomes are equally likely.
        lines: {
          spreads: lineOf(homePoint(numberOf(row['Spread']), close), EVEN),
          totals: total === null || total < LEAST_TOTAL ? null : lineOf(total, EVEN),
        },
        close,
      },
    ];
  });
}
