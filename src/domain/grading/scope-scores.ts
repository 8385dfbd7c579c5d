import type { EventStatus } from '../catalogue/catalogue.ts';
import { type GameRules, gameRulesOf, hasQuarters, type PlayedIn } from '../catalogue/game-rules.ts';
import { periodOrder } from '../catalogue/period-order.ts';
import type { EventWithSport } from '../sports-events/event-results.ts';
import { isOver, type SportsEvent } from '../sports-events/sports-event.ts';
import { gamesBySet, isSetWon } from '../sports-events/tennis-sets.ts';
import { hasReachedInnings, inningsPlayed } from './innings.ts';
import { gradeSpread, gradeTotal, type SpreadResult, type TotalResult } from './line-results.ts';
import { pointsInPeriod, pointsOf, sumIfComplete } from './side-points.ts';

/** Parts of an event with lines of their own: the first half, the first five innings, the first set. */
export type Scope = '1H' | 'F5' | 'S1';

interface ScopeRules {
  readonly scope: Scope;
  /** Number of the last period of the scope. */
  readonly last: number;
  /**
   * The periods of the scope, each with its possible names. The next list is used if a period of this one is missing.
   */
  readonly parts: readonly (readonly (readonly string[])[])[];
}

const HALF_OF_QUARTERS: ScopeRules = { scope: '1H', last: 2, parts: [[['1H']], [['1'], ['2']]] };
const HALF: ScopeRules = { scope: '1H', last: 1, parts: [[['1H', '1']]] };
const FIVE_INNINGS: ScopeRules = { scope: 'F5', last: 5, parts: [['1', '2', '3', '4', '5'].map((inning) => [inning])] };
const FIRST_SET: ScopeRules = { scope: 'S1', last: 1, parts: [[['S1']]] };

function scopeRulesOf(rules: GameRules): ScopeRules | undefined {
  if (rules.unit === 'set') return FIRST_SET;
  if (rules.unit === 'inning') return FIVE_INNINGS;
  if (hasQuarters(rules)) return HALF_OF_QUARTERS;
  return rules.periods.length === 2 ? HALF : undefined;
}

/** The scope of a sport or league; undefined if it has none. */
export const scopeOf = (game: PlayedIn): Scope | undefined => scopeRulesOf(gameRulesOf(game))?.scope;

/** The score within the scope only. */
export interface ScopeState {
  /** Home (or player_1), then the other side; null if unknown. */
  readonly scores: readonly [number | null, number | null];
  /** Whether the scope is over, so that lines can be graded. */
  readonly isComplete: boolean;
}

const NOTHING: ScopeState = { scores: [null, null], isComplete: false };

/** The state of the scope for the event's sport. */
export function scopeState(played: EventWithSport): ScopeState {
  const rules = scopeRulesOf(gameRulesOf(played));
  if (!rules) return NOTHING;
  const both = (score: (index: 0 | 1) => number | null): ScopeState['scores'] => [score(0), score(1)];
  const after = both((index) => scoreAfter(played, rules, index));
  const within = both((index) => scoreWithin(played, rules, index));
  switch (played.event.status) {
    case 'scheduled':
    case 'delayed':
    case 'walkover':
      return NOTHING;
    case 'final':
      return isScopeComplete(played, rules, after)
        ? { scores: after, isComplete: true }
        : { scores: within, isComplete: false };
    default:
      break;
  }
  // A scope stays complete if the match is abandoned later.
  const stage = stageOf(played, rules);
  if (stage === 'after') return { scores: after, isComplete: true };
  if (stage === 'break') return { scores: both((index) => within[index] ?? after[index]), isComplete: true };
  return stage === 'within' ? { scores: within, isComplete: false } : NOTHING;
}

/** Whether a finished event completed the scope. */
function isScopeComplete(played: EventWithSport, rules: ScopeRules, [one, other]: ScopeState['scores']): boolean {
  if (rules.scope === 'F5') return hasReachedInnings(played, rules.last);
  if (rules.scope === '1H' || played.event.result_type !== 'retired') return true;
  return stageOf(played, rules) === 'after' || (one !== null && other !== null && isSetWon(one, other));
}

/** The score of a side in the scope, from its periods. */
function scoreAfter(played: EventWithSport, { scope, last, parts }: ScopeRules, index: 0 | 1): number | null {
  const side = played.event.sides[index];
  for (const names of parts) {
    const sum = sumIfComplete(names.map((name) => pointsInPeriod(side, ...name)));
    if (sum !== null) return sum;
  }
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
