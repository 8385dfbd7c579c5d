import type { EventStatus } from '../catalogue/catalogue.ts';
import { gameRulesOf, hasQuarters, type PlayedIn } from '../catalogue/game-rules.ts';
import { extraPlayOf, periodOrder } from '../catalogue/period-order.ts';
import type { EventWithSport } from '../sports-events/event-results.ts';
import { isOver, type SportsEvent } from '../sports-events/sports-event.ts';
import { gamesBySet, isSetWon } from '../sports-events/tennis-sets.ts';
import { hasReachedInnings, inningsPlayed } from './innings.ts';
import { hasLines, type LegScope, type LineScope, lastPeriodOf, periodsOfScope, scopeOf } from './leg-scope.ts';
import { gradeSpread, gradeTotal, type SpreadResult, type TotalResult } from './line-results.ts';
import { hasExtraTime, settlingPoints } from './settling-score.ts';
import { pointsInPeriod, pointsOf, sumIfComplete } from './side-points.ts';

/** The score within the scope only. */
export interface ScopeState {
  /** Home (or player_1), then the other side; null if unknown. */
  readonly scores: readonly [number | null, number | null];
  /** Whether the scope is over, so that lines can be graded. */
  readonly isComplete: boolean;
}

const NOTHING: ScopeState = { scores: [null, null], isComplete: false };
const NOTHING_IN: ReadonlySet<EventStatus> = new Set(['scheduled', 'delayed', 'walkover']);

/** A scope of the game with lines of its own, and the number of its last period. */
interface ScopeRules {
  readonly scope: LineScope;
  readonly last: number;
}

/** The state of the scope that has lines of its own in the event's sport or league. */
export function scopeState(played: EventWithSport): ScopeState {
  const scope = scopeOf(played);
  if (!scope || NOTHING_IN.has(played.event.status)) return NOTHING;
  const rules = { scope, last: lastPeriodOf(scope, played) };
  const after = bothSides((index) => scoreAfter(played, rules, index));
  const within = bothSides((index) => scoreWithin(played, rules, index));
  if (played.event.status === 'final') {
    return isScopeComplete(played, rules, after)
      ? { scores: after, isComplete: true }
      : { scores: within, isComplete: false };
  }
  // A scope stays complete if the match is abandoned later.
  const stage = stageOf(played, rules);
  if (stage === 'after') return { scores: after, isComplete: true };
  if (stage === 'break') return { scores: bothSides((index) => within[index] ?? after[index]), isComplete: true };
  return stage === 'within' ? { scores: within, isComplete: false } : NOTHING;
}

/** Whether a finished event completed the scope. */
function isScopeComplete(played: EventWithSport, rules: ScopeRules, [one, other]: ScopeState['scores']): boolean {
  if (rules.scope === 'F5') return hasReachedInnings(played, rules.last);
  if (rules.scope === '1H' || played.event.result_type !== 'retired') return true;
  return stageOf(played, rules) === 'after' || (one !== null && other !== null && isSetWon(one, other));
}

/** What a side scored in the periods of a scope; null if one is not stated. */
function sumOfPeriods(played: EventWithSport, scope: LegScope, index: 0 | 1): number | null {
  const side = played.event.sides[index];
  for (const names of periodsOfScope(scope, played)) {
    const sum = sumIfComplete(names.map((name) => pointsInPeriod(side, ...name)));
    if (sum !== null) return sum;
  }
  return null;
}

/** The score of a side in the scope, from its periods. */
function scoreAfter(played: EventWithSport, { scope, last }: ScopeRules, index: 0 | 1): number | null {
  const side = played.event.sides[index];
  const sum = sumOfPeriods(played, scope, index);
  if (sum !== null) return sum;
  if (scope === 'S1') return gamesBySet(side)[0] ?? null;
  // A game that ended in the fifth inning is the scope itself; the home side may not have batted in it.
  const innings = scope === 'F5' && played.event.status === 'final' ? inningsPlayed(played) : null;
  return innings !== null && innings <= last ? pointsOf(played, index) : null;
}

/** The score of a side while only the scope has been played. */
function scoreWithin(played: EventWithSport, rules: ScopeRules, index: 0 | 1): number | null {
  if (rules.scope !== 'S1') return pointsOf(played, index);
  if (played.event.status === 'postponed') return null;
  const side = played.event.sides[index];
  return gamesBySet(side)[0] ?? pointsInPeriod(side, 'S1');
}

const STAGES = ['within', 'break', 'after'] as const;
type Stage = (typeof STAGES)[number];

/** How far the event has come, by the current period and the periods with scores; null if unknown. */
function stageOf({ event }: EventWithSport, rules: ScopeRules): Stage | null {
  const stages = periodsOf(event, rules).map((period) => stageOfPeriod(period, rules));
  return STAGES.findLast((stage) => stages.includes(stage)) ?? null;
}

function periodsOf({ period, sides }: SportsEvent, { scope }: ScopeRules): string[] {
  const begun = sides.flatMap(({ period_scores = [] }) => period_scores.map((one) => one.period));
  const sets = scope === 'S1' ? sides.map((side) => `S${gamesBySet(side).length}`) : [];
  return [...(period === undefined ? [] : [period]), ...begun, ...sets];
}

function stageOfPeriod(period: string, { last }: ScopeRules): Stage | null {
  if (period === '1H') return 'within';
  if (period === 'HT') return 'break';
  const numbered = /^(S|Set |Top |Mid |Bot |End )?(\d{1,3})$/.exec(period);
  if (!numbered) return periodOrder(period) === null ? null : 'after';
  const number = Number(numbered[2]);
  if (number === 0) return null;
  if (number > last) return 'after';
  return number === last && numbered[1] === 'End ' ? 'break' : 'within';
}

/** The points of both sides together; null unless both are known. */
export const scopeTotal = ({ scores: [home, away] }: ScopeState): number | null =>
  home === null || away === null ? null : home + away;

/** The lead of the home side; null unless both scores are known. */
export const scopeMargin = ({ scores: [home, away] }: ScopeState): number | null =>
  home === null || away === null ? null : home - away;

/** `in_progress` until the scope is complete; null if it is not graded. */
export function gradeScopeTotal(
  state: ScopeState,
  status: EventStatus,
  line: number,
): TotalResult | 'in_progress' | null {
  if (!state.isComplete) return isOver(status) ? null : 'in_progress';
  const total = scopeTotal(state);
  return total === null ? null : gradeTotal(total, line);
}

/**
 * @param line signed for the home side @returns results of home and away; null until the scope is complete, and if it
 * is not graded
 */
export function gradeScopeSpread(state: ScopeState, line: number): readonly [SpreadResult | null, SpreadResult | null] {
  const margin = scopeMargin(state);
  if (!state.isComplete || margin === null) return [null, null];
  return [gradeSpread(margin, line), gradeSpread(-margin, -line)];
}

/**
 * The scores in the scope only, and whether it is over.
 * @param overtimeCounts whether overtime belongs to the second half; in soccer it never does
 */
export function legScopeState(played: EventWithSport, scope: LegScope, overtimeCounts: boolean): ScopeState {
  if (hasLines(scope)) return scopeState(played);
  if (NOTHING_IN.has(played.event.status)) return NOTHING;
  if (scope === '2H') return secondHalf(played, overtimeCounts && gameRulesOf(played).overtimeCounts);
  return {
    scores: bothSides((index) => sumOfPeriods(played, scope, index)),
    isComplete: hasPassed(played, lastPeriodOf(scope, played)),
  };
}

const bothSides = (score: (index: 0 | 1) => number | null): ScopeState['scores'] => [score(0), score(1)];

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
  const regular = sumOfPeriods(played, '2H', index);
  const rest = () => afterFirstHalf(played, index);
  // The settling score has the overtime too, but in soccer.
  if (!hasOvertime || hasExtraTime(played)) return regular ?? rest();
  if (!overtimeCounts) return regular;
  return isOver(played.event.status) ? rest() : regular;
}

/** What a side scored from the second half on, as far as it counts. */
function afterFirstHalf(played: EventWithSport, index: 0 | 1): number | null {
  const [total, first] = [settlingPoints(played, index), sumOfPeriods(played, '1H', index)];
  return total === null || first === null ? null : total - first;
}
