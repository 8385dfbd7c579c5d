import { join } from 'node:path';
import { closeOf, decimalOf } from './close.ts';
import { onDay, PLAIN, type PricedGame, winnerOf } from './past-game.ts';
import { csvRows, jsonRows, numberOf } from './rows.ts';

const NICKNAMES: Readonly<Record<string, string>> = {
  ARI: 'Cardinals',
  ATL: 'Falcons',
  BAL: 'Ravens',
  BUF: 'Bills',
  CAR: 'Panthers',
  CHI: 'Bears',
  CIN: 'Bengals',
  CLE: 'Browns',
  DAL: 'Cowboys',
  DEN: 'Broncos',
  DET: 'Lions',
  GB: 'Packers',
  HOU: 'Texans',
  IND: 'Colts',
  JAX: 'Jaguars',
  KC: 'Chiefs',
  LAC: 'Chargers',
  LAR: 'Rams',
  LV: 'Raiders',
  MIA: 'Dolphins',
  MIN: 'Vikings',
  NE: 'Patriots',
  NO: 'Saints',
  NYG: 'Giants',
  NYJ: 'Jets',
  PHI: 'Eagles',
  PIT: 'Steelers',
  SEA: 'Seahawks',
  SF: '49ers',
  TB: 'Buccaneers',
  TEN: 'Titans',
  WAS: 'Washington',
};

/** From 1990 on: results until 2015 (spreadspoke), then results and prices (nflverse). */
export function nflGames(folder: string): PricedGame[] {
  const early = csvRows(join(folder, 'nfl/spreadspoke_scores_1966_2025.csv.gz')).flatMap((row): PricedGame[] => {
    const season = Number(row['schedule_season']);
    const [home, away] = [numberOf(row['score_home']), numberOf(row['score_away'])];
    if (season < 1990 || season > 2015 || home === null || away === null) return [];
    const [month, day, year] = row['schedule_date']!.split('/').map(Number);
    const nickname = (name: string) => (name.startsWith('Washington') ? 'Washington' : name.split(' ').at(-1)!);
    return [
      {
        ...PLAIN,
        ...onDay(year!, month!, day!),
        league: 'nfl',
        season,
        home: nickname(row['team_home']!),
        away: nickname(row['team_away']!),
        isNeutral: row['stadium_neutral'] === 'TRUE',
        score: { home, away },
        winner: winnerOf(home, away),
        close: null,
      },
    ];
  });
  const late = csvRows(join(folder, 'nfl/nflverse_schedules_2016_2025.csv.gz')).flatMap((row): PricedGame[] => {
    const [home, away] = [numberOf(row['home_score']), numberOf(row['away_score'])];
    if (home === null || away === null) return [];
    const [year, month, day] = row['gameday']!.split('-').map(Number);
    return [
      {
        ...PLAIN,
        ...onDay(year!, month!, day!),
        league: 'nfl',
        season: Number(row['season']),
        home: NICKNAMES[row['home_team']!]!,
        away: NICKNAMES[row['away_team']!]!,
        isNeutral: row['location'] === 'Neutral',
        starters: { home: row['home_qb_name'] || null, away: row['away_qb_name'] || null },
        score: { home, away },
        winner: winnerOf(home, away),
        close: closeOf([decimalOf(row['home_moneyline']!), decimalOf(row['away_moneyline']!)]),
      },
    ];
  });
  return [...early, ...late];
}

/** 2013 to 2022, the games that had lines; few have a moneyline before 2021. */
export function ncaafGames(folder: string): PricedGame[] {
  const years = Array.from({ length: 10 }, (_, i) => 2013 + i);
  return years.flatMap((season) =>
    jsonRows(join(folder, `ncaaf/cfbd_lines_${season}.json.gz`)).flatMap((row): PricedGame[] => {
      const { homeScore: home, awayScore: away } = row;
      if (typeof home !== 'number' || typeof away !== 'number') return [];
      const startsAt = Date.parse(row.startDate.replace(' ', 'T'));
      const priced = row.lines.find((line: any) => line.homeMoneyline !== null && line.awayMoneyline !== null);
      return [
        {
          ...PLAIN,
          startsAt,
          knownAt: startsAt + 4 * 3_600_000,
          league: 'ncaaf',
          season,
          home: row.homeTeam,
          away: row.awayTeam,
          // The file does not say; bowls are played on neutral ground.
          isNeutral: row.seasonType === 'postseason',
          score: { home, away },
          winner: winnerOf(home, away),
          close: priced === undefined ? null : closeOf([priced.homeMoneyline, priced.awayMoneyline].map(decimalOf)),
        },
      ];
    }),
  );
}
