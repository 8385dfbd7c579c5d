import { gameRulesOf } from '../catalogue/game-rules.ts';
import { periodOrder } from '../catalogue/period-order.ts';
import { isTennis } from '../catalogue/sport-rules.ts';
import { type EventWithSport, isWinner, resultType } from '../sports-events/event-results.ts';
import { gamesWon } from '../sports-events/tennis-sets.ts';
import { inningsPlayed } from './innings.ts';
import { pointsInPeriod, pointsOf, sumIfComplete } from './side-points.ts';

/** Scores of home (or player_1) and of the other side; null if unknown. */
export type SettlingScores = readonly [number | null, number | null];

/**
 * The scores by which game legs of slips are settled: games in tennis, 90 minutes in soccer. In ice hockey the winner
 * of a shootout gets one more goal. In all other sports overtime counts. Null before the start, and if unknown.
 */
export function settlingScores(played: EventWithSport): SettlingScores {
  if (isTennis(played.sport)) return [gamesWon(played, 0), gamesWon(played, 1)];
  const [home, away] = [settlingPoints(played, 0), settlingPoints(played, 1)];
  if (!isLevelHockey(played)) return [home, away];
  return [home! + Number(isWinner(played, 0) === true), away! + Number(isWinner(played, 1) === true)];
}

/** Whether a shootout decided the game, but no source stated the winner. */
export const lacksShootoutWinner = (played: EventWithSport): boolean =>
  isLevelHockey(played) && resultType(played) === 'shootout' && !isWinner(played, 0) && !isWinner(played, 1);

/** Whether the score is known, but not the score after 90 minutes, which settles. */
export const lacksRegularTime = (played: EventWithSport): boolean =>
  hasExtraTime(played) && ([0, 1] as const).some((index) => settlingPoints(played, index) === null);

/** A finished game with a level score, of a league with shootouts that count: some sources state only the winner. */
function isLevelHockey(played: EventWithSport): boolean {
  const { shootout, overtimeCounts } = gameRulesOf(played);
  if (!shootout || !overtimeCounts || played.event.status !== 'final') return false;
  const home = pointsOf(played, 0);
  return home !== null && home === pointsOf(played, 1);
}

/** Periods from here on are extra time. */
const EXTRA_FROM = 101;

/** Whether a game went beyond regular time where that does not count: a soccer match to extra time or penalties. */
export function hasExtraTime(played: EventWithSport): boolean {
  const { event } = played;
  if (gameRulesOf(played).overtimeCounts) return false;
  if (event.result_type === 'overtime' || event.result_type === 'shootout') return true;
  const periods = event.sides.flatMap(({ period_scores = [] }) => period_scores.map(({ period }) => period));
  if (event.period !== undefined) periods.push(event.period);
  return periods.some((period) => (periodOrder(period) ?? 0) >= EXTRA_FROM);
}

/**
 * The points by which bets on a side are settled: regular time in soccer; in all other sports overtime and extra
 * innings count. Null if unknown or before the first score.
 */
export function settlingPoints(played: EventWithSport, index: 0 | 1): number | null {
  const points = pointsOf(played, index);
  if (points === null || !hasExtraTime(played)) return points;
  const side = played.event.sides[index];
  return sumIfComplete([pointsInPeriod(side, '1H', '1'), pointsInPeriod(side, '2H', '2')]);
}

const HALVES = ['1H', '2H'];

/** Whether a game went beyond its regular time. */
function hasOvertime(played: EventWithSport): boolean {
  const result = resultType(played);
  if (result === 'overtime' || result === 'shootout') return true;
  const { unit, periods } = gameRulesOf(played);
  return unit === 'inning' && (inningsPlayed(played) ?? 0) > periods.length;
}

/**
 * The scores by which bets on a whole event are settled where a house has a rule of its own about overtime. Null where
 * the score in regular time is not known.
 */
export function scoresByOvertime(played: EventWithSport, overtimeCounts: boolean): SettlingScores {
  const isUsual = overtimeCounts === gameRulesOf(played).overtimeCounts;
  if (isUsual || isTennis(played.sport)) return settlingScores(played);
  const score = overtimeCounts ? pointsOf : regularPoints;
  return [score(played, 0), score(played, 1)];
}

function regularPoints(played: EventWithSport, index: 0 | 1): number | null {
  const points = pointsOf(played, index);
  if (points === null || !hasOvertime(played)) return points;
  // As different sources name them.
  const numbered = gameRulesOf(played).periods.map((_, place) => String(place + 1));
  for (const periods of numbered.length === 0 ? [] : [numbered, HALVES]) {
    const sum = sumIfComplete(periods.map((name) => pointsInPeriod(played.event.sides[index], name)));
    if (sum !== null) return sum;
  }
  return null;
}
