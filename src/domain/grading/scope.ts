import { periodPlace } from '../period-order.ts';
import type { Played } from '../results.ts';
import type { SportsEvent } from '../sports-event.ts';
import { inningsPlayed, wentInnings } from './innings.ts';
import { pointsIn, pointsOf, sumOfAll } from './points.ts';
import { gamesIn, isSetWon } from './tennis-games.ts';

/** Parts of an event that have lines of their own: the first half, five innings, the first set. */
export type Scope = '1H' | 'F5' | 'S1';

interface ScopeRules {
  readonly scope: Scope;
  /** Number of its last period. */
  readonly last: number;
  /** The periods that make it up, each with the names that it may have; another list where those are not stated. */
  readonly parts: readonly (readonly (readonly string[])[])[];
}

const HALF_OF_QUARTERS: ScopeRules = { scope: '1H', last: 2, parts: [[['1H']], [['1'], ['2']]] };
const HALF: ScopeRules = { scope: '1H', last: 1, parts: [[['1H', '1']]] };
const FIVE_INNINGS: ScopeRules = { scope: 'F5', last: 5, parts: [['1', '2', '3', '4', '5'].map((inning) => [inning])] };
const FIRST_SET: ScopeRules = { scope: 'S1', last: 1, parts: [[['S1']]] };

/** A map, for a sport may have a name that every object has. */
const SCOPES: ReadonlyMap<string, ScopeRules> = new Map([
  ['nfl', HALF_OF_QUARTERS],
  ['ncaaf', HALF_OF_QUARTERS],
  ['nba', HALF_OF_QUARTERS],
  ['ncaab', HALF],
  ['soccer', HALF],
  ['mlb', FIVE_INNINGS],
  ['tennis', FIRST_SET],
]);

/** The scope of a sport; undefined for a sport without one. */
export const scopeOf = (sport: string): Scope | undefined => SCOPES.get(sport)?.scope;

/** What stands in the scope alone. */
export interface ScopeState {
  /** Of home or player_1, and of the other; null where it is not known. */
  readonly scores: readonly [number | null, number | null];
  /** Whether the scope is over, so that its lines can be graded. */
  readonly isComplete: boolean;
}

const NOTHING: ScopeState = { scores: [null, null], isComplete: false };

/** How the scope of the event's sport stands. */
export function scopeState(played: Played): ScopeState {
  const rules = SCOPES.get(played.sport);
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
      return isWhole(played, rules, after)
        ? { scores: after, isComplete: true }
        : { scores: within, isComplete: false };
    default:
      break;
  }
  // A scope that was complete before the match was abandoned stays so.
  const stage = stageOf(played, rules);
  if (stage === 'after') return { scores: after, isComplete: true };
  if (stage === 'break') return { scores: both((index) => within[index] ?? after[index]), isComplete: true };
  return stage === 'within' ? { scores: within, isComplete: false } : NOTHING;
}

/** Whether an event that has ended has gone through the scope. */
function isWhole(played: Played, rules: ScopeRules, [one, other]: ScopeState['scores']): boolean {
  if (rules.scope === 'F5') return wentInnings(played, rules.last);
  if (rules.scope === '1H' || played.event.result_type !== 'retired') return true;
  return stageOf(played, rules) === 'after' || (one !== null && other !== null && isSetWon(one, other));
}

/** What a side has made in the scope, as stated of its periods. */
function scoreAfter(played: Played, { scope, last, parts }: ScopeRules, index: 0 | 1): number | null {
  const side = played.event.sides[index];
  for (const names of parts) {
    const sum = sumOfAll(names.map((name) => pointsIn(side, ...name)));
    if (sum !== null) return sum;
  }
  if (scope === 'S1') return gamesIn(side)[0] ?? null;
  // A game that ends in the fifth has nothing but the scope; the home side may not have batted in it.
  const innings = scope === 'F5' && played.event.status === 'final' ? inningsPlayed(played) : null;
  return innings !== null && innings <= last ? pointsOf(played, index) : null;
}

/** What a side has made so far, while nothing but the scope was played. */
function scoreWithin(played: Played, rules: ScopeRules, index: 0 | 1): number | null {
  if (rules.scope !== 'S1') return pointsOf(played, index);
  if (played.event.status === 'postponed') return null;
  const side = played.event.sides[index];
  return gamesIn(side)[0] ?? pointsIn(side, 'S1');
}

const STAGES = ['within', 'break', 'after'] as const;
type Stage = (typeof STAGES)[number];

/** How far the event has come, as the present period and those with scores tell; null where they do not. */
function stageOf({ event }: Played, rules: ScopeRules): Stage | null {
  const stages = periodsOf(event, rules).map((period) => stageOfPeriod(period, rules));
  return STAGES.findLast((stage) => stages.includes(stage)) ?? null;
}

function periodsOf({ period, sides }: SportsEvent, { scope }: ScopeRules): string[] {
  const begun = sides.flatMap(({ period_scores = [] }) => period_scores.map((one) => one.period));
  const sets = scope === 'S1' ? sides.map((side) => `S${gamesIn(side).length}`) : [];
  return [...(period === undefined ? [] : [period]), ...begun, ...sets];
}

function stageOfPeriod(period: string, { last }: ScopeRules): Stage | null {
  if (period === '1H') return 'within';
  if (period === 'HT') return 'break';
  const numbered = /^(S|Set |Top |Mid |Bot |End )?(\d{1,3})$/.exec(period);
  if (!numbered) return periodPlace(period) === null ? null : 'after';
  const number = Number(numbered[2]);
  if (number === 0) return null;
  if (number > last) return 'after';
  return number === last && numbered[1] === 'End ' ? 'break' : 'within';
}
