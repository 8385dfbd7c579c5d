import { type EventStatus, SPORT_SLUGS, type SportSlug } from '../catalogue/catalogue.ts';
import { type GameRules, gameRulesOf, hasQuarters, ownRulesIn, type PlayedIn } from '../catalogue/game-rules.ts';
import { extraPlayOf, periodOrder } from '../catalogue/period-order.ts';
import type { EventWithSport } from '../sports-events/event-results.ts';
import { isOver } from '../sports-events/sports-event.ts';
import { type Scope, type ScopeState, scopeState } from './scope-scores.ts';
import { hasExtraTime, settlingPoints } from './settling-score.ts';
import { pointsInPeriod, sumIfComplete } from './side-points.ts';

/** The parts of an event on which legs of slips may be. */
export const LEG_SCOPES = ['1H', '2H', 'Q1', 'Q2', 'Q3', 'Q4', 'P1', 'P2', 'P3', 'F5', 'S1'] as const;
export type LegScope = (typeof LEG_SCOPES)[number];

const HALVES: readonly LegScope[] = ['1H', '2H'];
const QUARTERS: readonly LegScope[] = [...HALVES, 'Q1', 'Q2', 'Q3', 'Q4'];

function scopesOf(rules: GameRules): readonly LegScope[] {
  const { unit, periods } = rules;
  if (unit === 'set') return ['S1'];
  if (unit === 'inning') return ['F5'];
  if (hasQuarters(rules)) return QUARTERS;
  if (periods.length === 3) return ['P1', 'P2', 'P3'];
  return periods.length === 2 ? HALVES : [];
}

export const hasScope = (game: PlayedIn, scope: LegScope): boolean => scopesOf(gameRulesOf(game)).includes(scope);

/** The sports that have a league in which a scope is played. */
export const sportsOfScope = (scope: LegScope): readonly SportSlug[] =>
  SPORT_SLUGS.filter((sport) =>
    [gameRulesOf({ sport }), ...ownRulesIn(sport)].some((rules) => scopesOf(rules).includes(scope)),
  );

/** The scopes whose lines have an answer of their own, with a state that legs share. */
const WITH_LINES: ReadonlySet<LegScope> = new Set<Scope & LegScope>(['1H', 'F5', 'S1']);

const NOTHING_IN: ReadonlySet<EventStatus> = new Set(['scheduled', 'delayed', 'walkover']);

/**
 * The scores in the scope only, and whether it is over.
 * @param overtimeCounts whether overtime belongs to the second half; in soccer it never does
 */
export function legScopeState(played: EventWithSport, scope: LegScope, overtimeCounts: boolean): ScopeState {
  if (WITH_LINES.has(scope)) return scopeState(played);
  if (NOTHING_IN.has(played.event.status)) return { scores: [null, null], isComplete: false };
  if (scope === '2H') return secondHalf(played, overtimeCounts && gameRulesOf(played).overtimeCounts);
  const period = scope.slice(1);
  return {
    scores: bothSides((index) => scoreOf(played, index, period)),
    isComplete: hasPassed(played, Number(period)),
  };
}

const bothSides = (score: (index: 0 | 1) => number | null): ScopeState['scores'] => [score(0), score(1)];

const scoreOf = ({ event }: EventWithSport, index: 0 | 1, ...names: readonly string[]): number | null =>
  pointsInPeriod(event.sides[index], ...names);

/** Whether a period with a number is over: the event has ended, or a later part of it has begun. */
function hasPassed(played: EventWithSport, period: number): boolean {
  return played.event.status === 'final' || partsOf(played).some((part) => orderOf(part, played) > period);
}

function partsOf({ event: { period, sides } }: EventWithSport): readonly string[] {
  const scored = sides.flatMap(({ period_scores = [] }) => period_scores.map((one) => one.period));
  return period === undefined ? scored : [period, ...scored];
}

/** Where quarters are played, half-time comes after the second, and the second half is the third or fourth. */
function orderOf(part: string, game: PlayedIn): number {
  const isOfQuarters = hasQuarters(gameRulesOf(game));
  if (isOfQuarters && part === 'HT') return 2.5;
  if (isOfQuarters && part === '2H') return 3;
  return periodOrder(part) ?? 0;
}

function secondHalf(played: EventWithSport, overtimeCounts: boolean): ScopeState {
  const hasBegunOvertime = extraPlayOf(partsOf(played)) !== null;
  const hasOvertime = hasBegunOvertime || played.event.result_type === 'overtime';
  return {
    scores: bothSides((index) => pointsInSecondHalf(played, index, overtimeCounts, hasOvertime)),
    isComplete: played.event.status === 'final' || (!overtimeCounts && hasBegunOvertime),
  };
}

function pointsInSecondHalf(
  played: EventWithSport,
  index: 0 | 1,
  overtimeCounts: boolean,
  hasOvertime: boolean,
): number | null {
  const regular = scoreOf(played, index, '2H') ?? lastPeriods(played, index);
  const rest = () => afterFirstHalf(played, index);
  // The settling score has the overtime too, but in soccer.
  if (!hasOvertime || hasExtraTime(played)) return regular ?? rest();
  if (!overtimeCounts) return regular;
  return isOver(played.event.status) ? rest() : regular;
}

/** What a side scored from the second half on, as far as it counts. */
function afterFirstHalf(played: EventWithSport, index: 0 | 1): number | null {
  const [total, first] = [settlingPoints(played, index), pointsInFirstHalf(played, index)];
  return total === null || first === null ? null : total - first;
}

function pointsInFirstHalf(played: EventWithSport, index: 0 | 1): number | null {
  const half = scoreOf(played, index, '1H');
  if (half !== null) return half;
  const first = scoreOf(played, index, '1');
  return hasQuarters(gameRulesOf(played)) ? sumIfComplete([first, scoreOf(played, index, '2')]) : first;
}

const lastPeriods = (played: EventWithSport, index: 0 | 1): number | null =>
  hasQuarters(gameRulesOf(played))
    ? sumIfComplete([scoreOf(played, index, '3'), scoreOf(played, index, '4')])
    : scoreOf(played, index, '2');
