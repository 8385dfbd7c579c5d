import { join } from 'node:path';
import { closeOf, decimalOf } from './close.ts';
import { onDay, PLAIN, type PricedGame, winnerOf } from './past-game.ts';
import { csvRows, numberOf } from './rows.ts';

const RENAMED: Readonly<Record<string, string>> = {
  'LA Clippers': 'Los Angeles Clippers',
  'New Jersey Nets': 'Brooklyn Nets',
  'Seattle SuperSonics': 'Oklahoma City Thunder',
  'Charlotte Bobcats': 'Charlotte Hornets',
  'New Orleans Hornets': 'New Orleans Pelicans',
};

/** 2007-08 to 2023-24. */
export function nbaGames(folder: string): PricedGame[] {
  return csvRows(join(folder, 'nba/kyleskom_odds_2007_2023.csv.gz')).flatMap((row): PricedGame[] => {
    // "2007-08-1030" or "2022-10-18".
    const date = /^(\d{4})-(?:\d{2}-)?(\d{2})-?(\d{2})$/.exec(row['Date']!);
    const [points, margin] = [numberOf(row['Points']), numberOf(row['Win_Margin'])];
    if (date === null || points === null || margin === null || points < 100 || margin === 0) return [];
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
        close: closeOf([decimalOf(row['ML_Home']!), decimalOf(row['ML_Away']!)]),
      },
    ];
  });
}
