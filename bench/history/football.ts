import { join } from 'node:path';
import { closeOf, decimalOf } from './close.ts';
import { lineOf, onDay, PLAIN, type PricedGame, pairOf, periodsOf, winnerOf } from './past-game.ts';
import { csvRows, jsonRows, numberOf, type Row } from './rows.ts';

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

/** As the archive of quarters has them, where it has no nickname of its own. */
const ARCHIVED: Readonly<Record<string, string>> = {
  Fortyniners: '49ers',
  Commanders: 'Washington',
  Oakland: 'Raiders',
  SanDiego: 'Chargers',
  'St.Louis': 'Rams',
  LosAngeles: 'Rams',
  KCChiefs: 'Chiefs',
  Kansas: 'Chiefs',
  Tampa: 'Buccaneers',
};

const QUARTERS = ['1st', '2nd', '3rd', '4th'] as const;

/** Quarters of 2011 to 2021, by day and home side. */
function nflQuarters(folder: string): (game: PricedGame) => PricedGame {
  const quarters = new Map(
    jsonRows(join(folder, 'nfl/sbr_nfl_archive_2011_2021.json.gz')).map((row) => {
      const of = (side: string) => QUARTERS.map((quarter) => Number(row[`${side}_${quarter}Qtr`]));
      const date = Number(row.date);
      const day = onDay(Math.floor(date / 10_000), Math.floor(date / 100) % 100, date % 100);
      const final = `${Number(row.home_final)}-${Number(row.away_final)}`;
      const home = ARCHIVED[row.home_team] ?? row.home_team;
      return [`${day.startsAt} ${home} ${final}`, { home: of('home'), away: of('away') }] as const;
    }),
  );
  return (game) => {
    const { startsAt, home, score } = game;
    const known = quarters.get(`${startsAt} ${home} ${score.home}-${score.away}`);
    const half = (of: readonly number[]) => of[0]! + of[1]!;
    const scope = known ? { home: half(known.home), away: half(known.away) } : null;
    return { ...game, scope, ...(known && periodsOf(known.home, known.away)) };
  };
}

const pairClose = (row: Row, one: string, other: string): number[] | null =>
  closeOf([decimalOf(row[one]!), decimalOf(row[other]!)]);

/** The file has by how much home is expected to win. */
const negative = (points: number | null): number | null => points && -points;

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
        close: pairClose(row, 'home_moneyline', 'away_moneyline'),
        lines: {
          spreads: lineOf(
            negative(numberOf(row['spread_line'])),
            pairClose(row, 'home_spread_odds', 'away_spread_odds'),
          ),
          totals: lineOf(numberOf(row['total_line']), pairClose(row, 'over_odds', 'under_odds')),
        },
      },
    ];
  });
  return [...early, ...late].map(nflQuarters(folder));
}

/** With prices, then first halves of 2023, and of 2025 with lines of them. */
export const ncaafGames = (folder: string): PricedGame[] => [
  ...ncaafPriced(folder),
  ...ncaafQuarters(folder),
  ...ncaafHalves(folder),
];

const isCollege = (classification: unknown): boolean => classification === 'fbs' || classification === 'fcs';

function ncaafQuarters(folder: string): PricedGame[] {
  return jsonRows(join(folder, 'ncaaf/cfbd_games_2023.json.gz')).flatMap((row): PricedGame[] => {
    const { homePoints: home, awayPoints: away } = row;
    if (typeof home !== 'number' || typeof away !== 'number') return [];
    if (!isCollege(row.homeClassification) || !isCollege(row.awayClassification)) return [];
    const startsAt = Date.parse(row.startDate.replace(' ', 'T'));
    const quarters = (scores: number[] | null) => (scores && scores.length >= 4 ? scores.slice(0, 4) : [null]);
    const half = (scores: number[] | null) => (scores && scores.length >= 4 ? scores[0]! + scores[1]! : null);
    return [
      {
        ...PLAIN,
        startsAt,
        knownAt: startsAt + 4 * HOUR,
        league: 'ncaaf',
        season: 2023,
        home: row.homeTeam,
        away: row.awayTeam,
        isNeutral: row.neutralSite === true,
        score: { home, away },
        scope: pairOf(half(row.homeLineScores), half(row.awayLineScores)),
        ...periodsOf(quarters(row.homeLineScores), quarters(row.awayLineScores)),
        winner: winnerOf(home, away),
        close: null,
      },
    ];
  });
}

function ncaafHalves(folder: string): PricedGame[] {
  return csvRows(join(folder, 'ncaaf/games_with_1h.csv.gz')).flatMap((row): PricedGame[] => {
    const [home, away] = [numberOf(row['full_home_points']), numberOf(row['full_away_points'])];
    const [spread, total] = [numberOf(row['1h_spread']), numberOf(row['1h_total'])];
    if (home === null || away === null || spread === null || total === null) return [];
    // The file tells weeks alone; the first was that of August 30.
    const startsAt = Date.UTC(2025, 7, 30 + 7 * (Number(row['week']) - 1));
    return [
      {
        ...PLAIN,
        startsAt,
        knownAt: startsAt + 4 * HOUR,
        league: 'ncaaf',
        season: 2025,
        home: row['home_team']!,
        away: row['away_team']!,
        score: { home, away },
        scope: pairOf(numberOf(row['1h_home_points']), numberOf(row['1h_away_points'])),
        scopeLines: { spread, total },
        winner: winnerOf(home, away),
        close: null,
      },
    ];
  });
}

const HOUR = 3_600_000;

/** 2013 to 2022, the games that had lines; few have a moneyline before 2021. */
function ncaafPriced(folder: string): PricedGame[] {
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
          knownAt: startsAt + 4 * HOUR,
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
