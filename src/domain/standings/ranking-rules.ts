import { playsLike } from '../catalogue/added-leagues.ts';
import type { SportSlug } from '../catalogue/catalogue.ts';
import { gameRulesOf } from '../catalogue/game-rules.ts';
import { ownValue } from '../primitives/own-properties.ts';

/**
 * What separates teams that are level. `mutual_...` counts the games that the level teams played against each other,
 * `common_pct` those against opponents that all of them met.
 */
export type Criterion =
  | 'points'
  | 'pct'
  | 'fewest_played'
  | 'wins'
  | 'away_wins'
  | 'regulation_wins'
  | 'wins_without_shootouts'
  | 'difference'
  | 'for'
  | 'away_for'
  | 'mutual_points'
  | 'mutual_pct'
  | 'mutual_difference'
  | 'mutual_for'
  | 'mutual_away_for'
  | 'common_pct'
  | 'division_leader'
  | 'division_pct'
  | 'conference_pct'
  | 'strength_of_victory'
  | 'strength_of_schedule';

/** How the teams of a league are ranked; `docs/standings.md` names the public source of each. */
export interface RankingRules {
  /** The first one ranks; the others separate teams that are level, in this order. */
  readonly criteria: readonly Criterion[];
  /** The others for exactly two teams that are level, where they differ. */
  readonly ofTwo?: readonly Criterion[];
  /**
   * What happens to teams that a criterion leaves level: they go on to the next one (absent), begin again with the
   * first (`level`), or begin again together with all that stand below them (`below`).
   */
  readonly beginsAgain?: 'level' | 'below';
  /** Mutual games count only once each two of the level teams have met so often. */
  readonly meetings?: number;
}

/** Rules by the first season in which they hold (its starting year), newest first. */
type DatedRules = readonly (readonly [since: number, rules: RankingRules])[];

const ALWAYS = 0;
const always = (...criteria: Criterion[]): DatedRules => [[ALWAYS, { criteria }]];

const BY_SPORT: Readonly<Record<SportSlug, DatedRules>> = {
  nfl: always('pct'),
  nba: always('pct'),
  mlb: always('pct'),
  nhl: always('points', 'fewest_played', 'wins', 'difference', 'for'),
  ncaaf: always('pct'),
  ncaab: always('pct'),
  tennis: always('pct'),
  soccer: always('points', 'difference', 'for'),
};

const BY_LEAGUE: Readonly<Record<string, DatedRules>> = {
  epl: [
    [2018, { criteria: ['points', 'difference', 'for', 'mutual_points', 'mutual_away_for'] }],
    [ALWAYS, { criteria: ['points', 'difference', 'for'] }],
  ],
  la_liga: [[ALWAYS, { criteria: ['points', 'mutual_points', 'mutual_difference', 'difference', 'for'], meetings: 2 }]],
  serie_a: [[ALWAYS, { criteria: ['points', 'mutual_points', 'mutual_difference', 'difference', 'for'], meetings: 2 }]],
  bundesliga: always('points', 'difference', 'for', 'mutual_difference', 'mutual_away_for', 'away_for'),
  ligue_1: [
    [
      2025,
      {
        criteria: [
          ...(['points', 'difference', 'mutual_points', 'mutual_difference', 'mutual_for'] as const),
          ...(['for', 'wins', 'away_wins'] as const),
        ],
      },
    ],
    [
      2017,
      {
        criteria: [
          ...(['points', 'difference', 'mutual_points', 'mutual_difference', 'mutual_for'] as const),
          ...(['mutual_away_for', 'for', 'away_for'] as const),
        ],
      },
    ],
    [ALWAYS, { criteria: ['points', 'difference', 'for'] }],
  ],
  mls: always('points', 'wins', 'difference', 'for'),
  ucl: [
    [2024, { criteria: ['points', 'difference', 'for', 'away_for', 'wins', 'away_wins'] }],
    [ALWAYS, { criteria: ['points'] }],
  ],
  nfl: [
    [
      ALWAYS,
      {
        criteria: [
          ...(['pct', 'mutual_pct', 'division_pct', 'common_pct', 'conference_pct'] as const),
          ...(['strength_of_victory', 'strength_of_schedule'] as const),
        ],
        beginsAgain: 'below',
      },
    ],
  ],
  nba: [
    [
      ALWAYS,
      {
        criteria: ['pct', 'division_leader', 'mutual_pct', 'division_pct', 'conference_pct'],
        ofTwo: ['mutual_pct', 'division_leader', 'division_pct', 'conference_pct'],
        beginsAgain: 'level',
      },
    ],
  ],
  mlb: [
    [2022, { criteria: ['pct', 'mutual_pct', 'division_pct', 'conference_pct'], beginsAgain: 'level' }],
    // Until then teams that were level for a place played one more game.
    [ALWAYS, { criteria: ['pct'] }],
  ],
  nhl: [
    [
      2019,
      {
        criteria: [
          ...(['points', 'fewest_played', 'regulation_wins', 'wins_without_shootouts', 'wins'] as const),
          ...(['mutual_pct', 'difference', 'for'] as const),
        ],
      },
    ],
    [
      2010,
      {
        criteria: ['points', 'fewest_played', 'wins_without_shootouts', 'mutual_pct', 'difference', 'for'],
      },
    ],
    [ALWAYS, { criteria: ['points', 'fewest_played', 'wins', 'mutual_pct', 'difference', 'for'] }],
  ],
};

/** Of a league that gives points in a sport that counts wins. */
const BY_OWN_POINTS = always('points', 'difference', 'for');

/** The rules of a season of a league; a league without rules of its own has those of its sport. */
export function rankingRulesOf({ slug, sport }: { readonly slug: string; readonly sport: SportSlug }, year: number) {
  const ofSport = BY_SPORT[playsLike(sport)];
  const hasOwnPoints = gameRulesOf({ sport, league: slug }).points !== null;
  const usual = hasOwnPoints && ofSport[0]![1].criteria[0] === 'pct' ? BY_OWN_POINTS : ofSport;
  const dated = ownValue(BY_LEAGUE, slug) ?? usual;
  return dated.find(([since]) => year >= since)![1];
}

/** How a league splits its table, and since which season its teams are split as they are now. */
export interface TableSplit {
  readonly by: 'conference' | 'division';
  readonly since: number;
}

const SPLITS: Readonly<Record<string, TableSplit>> = {
  nfl: { by: 'division', since: 2002 },
  nba: { by: 'conference', since: 2004 },
  mlb: { by: 'division', since: 2013 },
  nhl: { by: 'division', since: 2021 },
  mls: { by: 'conference', since: 2023 },
};

/** Undefined: the league had one table in that season, or its teams were split otherwise. */
export function tableSplitOf(league: string, year: number): TableSplit | undefined {
  const split = ownValue(SPLITS, league);
  return split && year >= split.since ? split : undefined;
}
