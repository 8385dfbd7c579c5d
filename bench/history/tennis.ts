import { join } from 'node:path';
import { closeOf } from './close.ts';
import { onDay, PLAIN, type PricedGame } from './past-game.ts';
import { csvRows, numberOf, type Row } from './rows.ts';

const YEARS = { atp: [2010, 2020], wta: [2014, 2020] } as const;

/** Completed matches; retirements and walkovers are left out. The sides stand by name, so that they tell nothing. */
export function tennisGames(folder: string, league: 'atp' | 'wta'): PricedGame[] {
  const [from, to] = YEARS[league];
  const years = Array.from({ length: to - from + 1 }, (_, i) => from + i);
  return years.flatMap((season) =>
    csvRows(join(folder, `tennis/td_${league}_${season}.csv.gz`)).flatMap((row) => matchOf(row, league, season)),
  );
}

function matchOf(row: Row, league: string, season: number): PricedGame[] {
  const date = /^(\d{4})-(\d{2})-(\d{2})/.exec(row['Date'] ?? '');
  if (date === null || row['Comment'] !== 'Completed' || !row['Winner'] || !row['Loser']) return [];
  const isFirst = row['Winner'] < row['Loser'];
  const pair = <T>(winner: T, loser: T) => (isFirst ? { home: winner, away: loser } : { home: loser, away: winner });
  const close = closeOf(priceOf(row));
  const sides = pair(row['Winner'], row['Loser']);
  return [
    {
      ...PLAIN,
      ...onDay(Number(date[1]), Number(date[2]), Number(date[3])),
      league,
      season,
      home: sides.home,
      away: sides.away,
      isNeutral: true,
      surface: row['Surface'] || null,
      // Files before 2013 name neither: whoever won three sets played for three.
      bestOf: numberOf(row['Best of']) ?? ((numberOf(row['Wsets']) ?? 2) > 2 ? 5 : 3),
      ranks: pair(numberOf(row['WRank']), numberOf(row['LRank'])),
      score: gamesWon(row, pair),
      scope: scopeOf(row, pair),
      winner: isFirst ? 'home' : 'away',
      close: close === null || isFirst ? close : [close[1]!, close[0]!],
    },
  ];
}

/** The games of the first set. */
function scopeOf(row: Row, pair: (w: number, l: number) => { home: number; away: number }) {
  const [winner, loser] = [numberOf(row['W1']), numberOf(row['L1'])];
  return winner === null || loser === null || winner === loser ? null : pair(winner, loser);
}

/** Where the file has no games, what a match of so many sets has on average. */
function gamesWon(row: Row, pair: (w: number, l: number) => { home: number; away: number }) {
  const sum = (side: 'W' | 'L') =>
    [1, 2, 3, 4, 5].reduce((total, set) => total + (numberOf(row[`${side}${set}`]) ?? 0), 0);
  const [winner, loser] = [sum('W'), sum('L')];
  if (winner > 0) return pair(winner, loser);
  const [won, lost] = [numberOf(row['Wsets']) ?? 2, numberOf(row['Lsets']) ?? 0];
  return pair(won * 6 + lost * 4, won * 4 + lost * 6);
}

/** The average of the books, else the first that has a price. */
function priceOf(row: Row): (number | null)[] {
  const books = ['Avg', 'PS', 'B365'].map((book) => [numberOf(row[`${book}W`]), numberOf(row[`${book}L`])]);
  return books.find(([w, l]) => (w ?? 0) > 1 && (l ?? 0) > 1) ?? [null, null];
}
