import { DAY } from '../../../domain/primitives/time.ts';
import type { CountedGame } from '../../../domain/statistics/counted-game.ts';
import type { SeasonRecords } from './season-games.ts';
import type { SideGame } from './standings.ts';
import { recordOf, type StandingRules, type TeamRecord } from './standings.ts';
import { type RatedGame, ratesOf } from './stat-rates.ts';
import { average, share, sum, WINDOWS } from './statistics-numbers.ts';

/** The games behind an event's statistics: only games that count and that ended before the event's start. */
export interface KnownGames {
  readonly sport: string;
  /** Start of the event in milliseconds. */
  readonly startsAt: number;
  /** Records over the whole season of the league. */
  readonly season: SeasonRecords;
  /** The season's games of each side, newest first. */
  readonly sides: readonly [readonly RatedGame[], readonly RatedGame[]];
  /** Start of each side's newest game in any league; null without one. */
  readonly newest: readonly [number | null, number | null];
  /** Games of the two sides against each other, in any league and season, newest first. */
  readonly meetings: readonly CountedGame[];
}

/** Whole days between two starts, rounded to the nearest, halves up; null without an earlier game. */
export const restDays = (startsAt: number, newest: number | null): number | null =>
  newest === null ? null : Math.floor((startsAt - newest) / DAY + 0.5);

/** The results of the newest games, newest first. */
export function recentForm(standing: StandingRules, games: readonly SideGame[]) {
  const recent = games.slice(0, WINDOWS.recent_form);
  return {
    window: WINDOWS.recent_form,
    results: recent.map(standing.outcome),
    scored: recent.map(({ scored }) => scored),
    conceded: recent.map(({ conceded }) => conceded),
  };
}

/** The strength of the opponents in the newest games. An opponent counts once for each game. */
export function opponentsStrength(games: readonly SideGame[], records: ReadonlyMap<number, TeamRecord>) {
  const recent = games.slice(0, WINDOWS.sos);
  const strengths = recent.map(({ opponent }) => records.get(opponent)!.strength!);
  return { games: recent.length, strengths: sum(strengths) };
}

/** The records at home and away. Games at a neutral site are in neither. */
export function splitByVenue(standing: StandingRules, games: readonly SideGame[]) {
  const own = games.filter(({ game }) => !game.neutral);
  return {
    home: recordOf(
      standing,
      own.filter(({ side }) => side === 0),
    ),
    away: recordOf(
      standing,
      own.filter(({ side }) => side === 1),
    ),
  };
}

export const renderRates = (sport: string, games: readonly RatedGame[]) => ({
  rates_l5: ratesOf(sport, 'l5', games),
  rates_season: ratesOf(sport, 'season', games),
});

/** A strength as displayed: points a game with two decimals, shares with three. */
export const shownStrength = ({ maxPoints }: StandingRules, of: number, games: number): number | null =>
  maxPoints === null ? average(of, games) : share(of, games * maxPoints);
