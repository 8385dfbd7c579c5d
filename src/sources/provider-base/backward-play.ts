import { playsLike } from '../../domain/catalogue/added-leagues.ts';
import type { EventStatus } from '../../domain/catalogue/catalogue.ts';

/** A game as an answer shows it. */
export interface PlayState {
  readonly status: EventStatus;
  /** `1`, `2H`, `OT`, `Top 7`, `Set 2`. */
  readonly period: string | undefined;
  /** `4:15`, `38.2`, `90'+8'`, `2 out`. */
  readonly clock: string | undefined;
  /** Points of both sides; in tennis the games won. */
  readonly scores: readonly [number | undefined, number | undefined];
}

/** The last state that was believed. */
export interface BelievedState extends PlayState {
  /** What was shown at its very clock, each as `stateKey` writes it. */
  readonly atThisClock: readonly string[];
  /** No copy from its very clock has lower scores than these: those before it. Undefined: not known. */
  readonly floor: PlayState['scores'] | undefined;
  /** An end that was none, as `stateKey` writes it: a copy may show it again. */
  readonly noEnd: string | undefined;
}

/** More states at one clock than any game has. */
const MAX_AT_ONE_CLOCK = 20;

/** After points were taken back, copies from between may have any score. */
const floorAfter = (last: PlayState, state: PlayState): PlayState['scores'] =>
  pointsLost(last, state) > 0 ? [0, 0] : last.scores;

/** A state that is believed from now on. @param last what was believed until now */
export function believedState(state: PlayState, last: BelievedState | undefined): BelievedState {
  const isSame = last !== undefined && isAtSameClock(last, state);
  const earlier = isSame ? last.atThisClock : [];
  const key = stateKey(state);
  return {
    ...state,
    atThisClock: earlier.includes(key) ? earlier : [...earlier, key].slice(-MAX_AT_ONE_CLOCK),
    floor: isSame ? last.floor : last && floorAfter(last, state),
    noEnd: ENDED.includes(state.status)
      ? undefined
      : last && ENDED.includes(last.status)
        ? stateKey(last)
        : last?.noEnd,
  };
}

const STARTED: readonly EventStatus[] = ['inprogress', 'suspended', 'final'];
const NOT_STARTED: readonly EventStatus[] = ['scheduled', 'delayed'];
const ENDED: readonly EventStatus[] = ['final', 'walkover'];
/** With these an answer says itself why a game is not what it was. */
const EXPLAINED: readonly EventStatus[] = ['postponed', 'cancelled', 'walkover'];

/** The most points that one play brings. A greater loss is never believed at once. In sports not named here: 1. */
const STEPS: Readonly<Record<string, number>> = { nba: 3, ncaab: 3, nfl: 8, ncaaf: 8 };

export const isStarted = (status: EventStatus | undefined): boolean => status !== undefined && STARTED.includes(status);

const stateKey = ({ status, scores }: PlayState): string => `${status} ${scores.join(':')}`;
const isAtSameClock = (a: PlayState, b: PlayState): boolean => a.period === b.period && a.clock === b.clock;

/** Whether both say the same of a game, whatever their clocks. */
export const saysTheSame = (a: PlayState, b: PlayState): boolean =>
  a.period === b.period && stateKey(a) === stateKey(b);

/**
 * Whether time seems to run backwards from one state to the next: what a cache shows that answers with a copy of a
 * minute ago. A goal that is taken back is believed if the clock stands where it stood or later, unless the state may be
 * a copy from this very clock; where the clocks show no order, it is not.
 * @param sport whose score goes in steps
 */
export function runsBackwards(last: BelievedState, next: PlayState, sport: string | undefined): boolean {
  if (EXPLAINED.includes(next.status)) return false;
  if (EXPLAINED.includes(last.status)) return true;
  if (wasLeft(last, next) || stateKey(next) === last.noEnd) return true;
  const lost = pointsLost(last, next);
  // A result may be corrected, but not to nothing.
  if (ENDED.includes(last.status)) return next.status !== last.status || (lost > 0 && isGoalless(next));
  if (isStarted(last.status) && NOT_STARTED.includes(next.status)) return true;
  const order = orderOf(last, next);
  if (order === 'earlier') return true;
  // Play goes on when the clock does.
  if (last.status === 'suspended' && next.status === 'inprogress' && order !== 'later') return true;
  if (lost === 0) return false;
  const isOneStep = lost <= (STEPS[playsLike(sport ?? '')] ?? 1);
  return !isOneStep || !isAtOrAfter(order, last, next);
}

/** Whether it was shown at the present clock before, and then something else: a clock that stands shows no order. */
const wasLeft = (last: BelievedState, next: PlayState): boolean =>
  isAtSameClock(last, next) && stateKey(last) !== stateKey(next) && last.atThisClock.includes(stateKey(next));

/** Whether a lower score is the newer one. A clock that stands shows it only if no copy of it can have that score. */
function isAtOrAfter(order: Order, { floor, status }: BelievedState, next: PlayState): boolean {
  if (order !== 'same') return order === 'later';
  const hasEnded = !ENDED.includes(status) && ENDED.includes(next.status);
  return hasEnded || floor === undefined || pointsLost({ scores: floor }, next) > 0;
}

type Order = 'earlier' | 'same' | 'later' | 'unknown';

/** The order of two states by period and clock. */
function orderOf(last: PlayState, next: PlayState): Order {
  const [before, after] = [periodRank(last.period), periodRank(next.period)];
  if (before !== undefined && after !== undefined && before !== after) return after < before ? 'earlier' : 'later';
  if (before !== after || last.period !== next.period) return 'unknown';
  const [played, nowPlayed] = [elapsedOf(last.clock), elapsedOf(next.clock)];
  if (played === undefined || nowPlayed === undefined) return 'unknown';
  if (nowPlayed !== played) return nowPlayed < played ? 'earlier' : 'later';
  // Many runs may score between two outs.
  return isCountOfOuts(next.clock) ? 'unknown' : 'same';
}

const isGoalless = ({ scores }: PlayState): boolean => scores.every((score) => score === 0);

type Scores = Pick<PlayState, 'scores'>;

/** How many points the sides have fewer, together. */
function pointsLost({ scores: before }: Scores, { scores: after }: Scores): number {
  const lost = ([index]: readonly [0 | 1]) => Math.max(0, (before[index] ?? 0) - (after[index] ?? before[index] ?? 0));
  return lost([0]) + lost([1]);
}

const HALVES: Readonly<Record<string, number>> = { Top: 1, Mid: 2, Bot: 3, End: 4 };
const NAMED: Readonly<Record<string, number>> = { HT: 15, ET1: 30, ET2: 40, PKs: 50, OT: 1010, SO: 2000 };

/** Later periods of a sport have higher numbers. Undefined for a name that is not known. */
function periodRank(period: string | undefined): number | undefined {
  if (period === undefined) return undefined;
  const [, half, inning] = /^(Top|Mid|Bot|End) (\d{1,3})$/.exec(period) ?? [];
  if (inning !== undefined) return 10 * Number(inning) + HALVES[half!]!;
  const [, number] = /^(?:Set )?(\d{1,3})H?$/.exec(period) ?? [];
  if (number !== undefined) return 10 * Number(number);
  const [, overtime] = /^OT(\d{1,2})$/.exec(period) ?? [];
  return overtime === undefined ? NAMED[period] : 1000 + 10 * Number(overtime);
}

/** A number that grows with play within a period; undefined for a clock that is not known. */
function elapsedOf(clock: string | undefined): number | undefined {
  const text = clock?.trim() ?? '';
  const [, minute, added = '0'] = /^(\d{1,3})'(?: ?\+ ?(\d{1,2})'?)?$/.exec(text) ?? [];
  if (minute !== undefined) return Number(minute) + Number(added);
  const [, outs] = /^(\d) out$/.exec(text) ?? [];
  if (outs !== undefined) return Number(outs);
  const [, minutes = '0', seconds] = /^(?:(\d{1,3}):)?(\d{1,2}(?:\.\d+)?)$/.exec(text) ?? [];
  return seconds === undefined ? undefined : -(60 * Number(minutes) + Number(seconds));
}

const isCountOfOuts = (clock: string | undefined): boolean => /^\d out$/.test(clock ?? '');
