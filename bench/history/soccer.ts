import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { countChances } from '../../src/intelligence/facts/settled-result.ts';
import { closeOf } from './close.ts';
import { onDay, PLAIN, type PricedGame, pairOf, winnerOf } from './past-game.ts';
import { csvRows, numberOf, type Row } from './rows.ts';

const BIG_FIVE = ['E0', 'SP1', 'D1', 'I1', 'F1'] as const;

/** The five great leagues from 2009-10 to 2023-24. Other files name the clubs differently, and are left out. */
export function soccerGames(folder: string): PricedGame[] {
  const files = BIG_FIVE.map((division) => join(folder, `soccer/football_data_${division}_0910_2324.csv.gz`));
  return files.filter((file) => existsSync(file)).flatMap((file) => csvRows(file).flatMap(matchOf));
}

function matchOf(row: Row): PricedGame[] {
  const [home, away] = [numberOf(row['FTHG']), numberOf(row['FTAG'])];
  if (home === null || away === null || !row['HomeTeam'] || !row['AwayTeam'] || !row['Date']) return [];
  const [day, month, year] = row['Date'].split('/').map(Number);
  const [homeChances, awayChances] = [chancesIn(row, 'H'), chancesIn(row, 'A')];
  return [
    {
      ...PLAIN,
      ...onDay(year! < 100 ? 2000 + year! : year!, month!, day!),
      league: row['Div']!,
      season: 2000 + Number(row['Season']!.padStart(4, '0').slice(0, 2)),
      home: row['HomeTeam'],
      away: row['AwayTeam'],
      score: { home, away },
      winner: winnerOf(home, away),
      detail: homeChances === null || awayChances === null ? null : { home: homeChances, away: awayChances },
      scope: pairOf(numberOf(row['HTHG']), numberOf(row['HTAG'])),
      close: closeOf(priceOf(row)),
    },
  ];
}

const chancesIn = (row: Row, side: 'H' | 'A'): number | null =>
  countChances({
    shotsOnTarget: numberOf(row[`${side}ST`]),
    shots: numberOf(row[`${side}S`]),
    corners: numberOf(row[`${side}C`]),
  });

/** Pinnacle's close, else the average close, else the average or one book's price of the files without closes. */
function priceOf(row: Row): (number | null)[] {
  const books = ['PSC', 'AvgC', 'PS', 'BbAv', 'Avg', 'B365'].map((book) =>
    ['H', 'D', 'A'].map((side) => numberOf(row[`${book}${side}`])),
  );
  return books.find((prices) => prices.every((price) => (price ?? 0) > 1)) ?? [null];
}
