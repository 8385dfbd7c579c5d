import { DAY } from '../../../domain/primitives/time.ts';
import type { CountedGame } from '../../../domain/statistics/counted-game.ts';
import type { SeasonRecords } from './season-games.ts';
import type { SideGame } from './standings.ts';
import { recordOf, type StandingRules, type TeamRecord } from './standings.ts';
import { type RatedGame, ratesOf } from './stat-rates.ts';
import { average, share, sum, WINDOWS } from './statistics-numbers.ts';

/** What the statistics of an event are made of. Of all games only those that count, and that ended before its start. */
export interface KnownGames {
  readonly sport: string;
  /** Of the event: milliseconds. */
  readonly startsAt: number;
  /** What all of its league's season came to. */
  readonly season: SeasonRecords;
  /** Of each side: those of the season, newest first. */
  readonly sides: readonly [readonly RatedGame[], readonly RatedGame[]];
  /** Of each side: when its newest game in any league started; null without one. */
  readonly newest: readonly [number | null, number | null];
  /** Of the two against each other, in any league and season; newest first. */
  readonly meetings: readonly CountedGame[];
}

/** Whole days between two starts, to the nearest, halves up; null without an earlier one. */
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

/** How strong the opponents of the newest games are. A repeated one counts as often as it was met. */
export function opponentsStrength(games: readonly SideGame[], records: ReadonlyMap<number, TeamRecord>) {
  const recent = games.slice(0, WINDOWS.sos);
  const strengths = recent.map(({ opponent }) => records.get(opponent)!.strength!);
  return { games: recent.length, strengths: sum(strengths) };
}

/** A record at home and one away; what was played at a neutral site is in neither. */
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

/** A strength as it shows: points a game with two decimals, shares with three. */
export const shownStrength = ({ maxPoints }: StandingRules, of: number, games: number): number | null =>
  maxPoints === null ? average(of, games) : share(of, games * maxPoints);
