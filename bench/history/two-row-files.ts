import { join } from 'node:path';
import { closeOf, decimalOf } from './close.ts';
import { type ClosingLines, lineOf, onDay, PLAIN, type PricedGame, pairOf, periodsOf, winnerOf } from './past-game.ts';
import { csvRows, numberOf, type Row } from './rows.ts';

// Sports Book Review's files: two rows a game, the visitor first, dates as MMDD.

function gamesOf(
  rows: readonly Row[],
  league: string,
  yearOf: (row: Row, month: number) => number,
  more: (away: Row, home: Row) => Partial<PricedGame> & { readonly prices: readonly (string | undefined)[] },
): PricedGame[] {
  const games: PricedGame[] = [];
  for (let i = 0; i + 1 < rows.length; i++) {
    const [away, home] = [rows[i]!, rows[i + 1]!];
    const isPair = (away['VH'] === 'V' && home['VH'] === 'H') || (away['VH'] === 'N' && home['VH'] === 'N');
    if (!isPair || away['Date'] !== home['Date']) continue;
    i += 1;
    const [homeScore, awayScore] = [numberOf(home['Final']), numberOf(away['Final'])];
    if (homeScore === null || awayScore === null || homeScore + awayScore === 0) continue;
    const date = Number(away['Date']);
    const [month, day] = [Math.floor(date / 100), date % 100];
    const year = yearOf(away, month);
    const { prices, ...rest } = more(away, home);
    games.push({
      ...PLAIN,
      ...onDay(year, month, day),
      league,
      season: year,
      home: home['Team']!.replaceAll(' ', ''),
      away: away['Team']!.replaceAll(' ', ''),
      isNeutral: home['VH'] === 'N',
      score: { home: homeScore, away: awayScore },
      winner: winnerOf(homeScore, awayScore),
      close: closeOf(prices.map((price) => decimalOf(price ?? null))),
      ...rest,
    });
  }
  return games;
}

/** The last column, without a name, has the price of the closing total: of over in the visitor's row. */
function totalOf(away: Row, home: Row): ClosingLines['totals'] {
  const [line, other] = [numberOf(away['Close OU']), numberOf(home['Close OU'])];
  return line === other ? lineOf(line, closeOf([decimalOf(away[''] ?? null), decimalOf(home[''] ?? null)])) : null;
}

/** "-1.5(+235)" in the row of each side. */
function puckLineOf(away: Row, home: Row): ClosingLines['spreads'] {
  const [ours, theirs] = [home, away].map((row) => /^([+-]?[\d.]+)\(([+-]?\d+)\)$/.exec(row['PL'] ?? ''));
  if (!ours || !theirs || Number(ours[1]) !== -Number(theirs[1])) return null;
  return lineOf(Number(ours[1]), closeOf([decimalOf(ours[2]!), decimalOf(theirs[2]!)]));
}

const INNINGS = ['1st', '2nd', '3rd', '4th', '5th'] as const;
const ALL_INNINGS = [...INNINGS, '6th', '7th', '8th', '9th'] as const;

export function mlbGames(folder: string): PricedGame[] {
  const early = (row: Row): number | null => {
    const innings = INNINGS.map((inning) => numberOf(row[inning]));
    return innings.some((runs) => runs === null) ? null : innings.reduce<number>((sum, runs) => sum + runs!, 0);
  };
  // The home side that leads does not bat in the ninth: "x".
  const innings = (row: Row) => ALL_INNINGS.map((inning) => (row[inning] === 'x' ? 0 : numberOf(row[inning])));
  // "CKERSHAW-L", throwing left.
  const pitcher = (row: Row): string | null => row['Pitcher']?.replace(/-[LR]$/, '') || null;
  return [2010, 2011, 2012, 2013, 2014, 2015, 2016, 2017, 2018].flatMap((year) =>
    gamesOf(
      csvRows(join(folder, `mlb/sbr_mlb_odds_${year}.csv.gz`)),
      'mlb',
      () => year,
      (away, home) => {
        const detail = pairOf(early(home), early(away));
        return {
          season: year,
          starters: { home: pitcher(home), away: pitcher(away) },
          detail,
          scope: detail,
          ...periodsOf(innings(home), innings(away)),
          // The prices of run lines stand in a column without a name.
          lines: { spreads: null, totals: totalOf(away, home) },
          prices: [home['Close'], away['Close']],
        };
      },
    ),
  );
}

export function nhlGames(folder: string): PricedGame[] {
  const thirds = (row: Row) => ['1st', '2nd', '3rd'].map((period) => numberOf(row[period]));
  const rows = csvRows(join(folder, 'nhl/sbr_nhl_odds_2012_2018.csv.gz'));
  const firstYear = (row: Row) => Number(row['Season']!.slice(0, 4));
  return gamesOf(
    rows,
    'nhl',
    (row, month) => firstYear(row) + (month < 8 ? 1 : 0),
    (away, home) => ({
      season: firstYear(home),
      ...periodsOf(thirds(home), thirds(away)),
      lines: { spreads: puckLineOf(away, home), totals: totalOf(away, home) },
      prices: [home['Close'], away['Close']],
    }),
  );
}

export function ncaabGames(folder: string): PricedGame[] {
  const halves = (row: Row) => [numberOf(row['1st']), numberOf(row['2nd'])];
  return [2015, 2016, 2017].flatMap((year) =>
    gamesOf(
      csvRows(join(folder, `ncaab/sbr_ncaab_two_row_${year}_${year - 1999}.csv.gz`)),
      'ncaab',
      (_, month) => year + (month < 8 ? 1 : 0),
      (away, home) => ({
        season: year,
        scope: pairOf(numberOf(home['1st']), numberOf(away['1st'])),
        ...periodsOf(halves(home), halves(away)),
        prices: [home['ML'], away['ML']],
      }),
    ),
  );
}
