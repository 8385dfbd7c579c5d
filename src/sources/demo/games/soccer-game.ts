import { lazy, type Pair } from '../simulation/chances.ts';
import type { Moment, ScoreFacts, SideScore } from '../simulation/game-moment.ts';
import { poissonChances } from '../simulation/poisson-model.ts';
import type { Random } from '../simulation/random.ts';
import { type SimulateGame, strengthGap } from './game-simulator.ts';
import { createRunningScore, winnerOfScore } from './running-score.ts';

const GOALS_EACH = 1.4;
const HOME_ADVANTAGE = 0.5;
/** Change of the logarithm of the expected goals per unit of strength. */
const STRENGTH = 0.21;
const HALF_TIME_SECONDS = 15 * 60;
const BREAK_SECONDS = 3 * 60;
/** Minutes between two messages while nothing happens. */
const MINUTES_PER_MESSAGE = 6;

interface Half {
  readonly period: string;
  /** Minutes played before this half, its own minutes without added time, and its added minutes. */
  readonly from: number;
  readonly minutes: number;
  readonly added: number;
}

const expectedGoals = (gap: number): Pair => [
  GOALS_EACH * Math.exp(STRENGTH * gap),
  GOALS_EACH * Math.exp(-STRENGTH * gap),
];
const chancesOf = ([first, second]: Pair, share: number, score: Pair) =>
  poissonChances({ expected: [first * share, second * share], draws: true, leastSpread: 0.5 }, score);

/** `67'`, and `45'+2'` in added time. @param minute the current minute, from 1 */
const minuteClock = (minute: number, { from, minutes }: Half): string =>
  minute <= from + minutes ? `${minute}'` : `${from + minutes}'+${minute - from - minutes}'`;

/** Soccer. Bets are on regular time: nothing is offered in extra time and on penalties. */
export const playSoccer: SimulateGame = (matchup, random) => {
  const gap = strengthGap(matchup, HOME_ADVANTAGE);
  const expected = expectedGoals(gap);
  const firstHalf: Half = { period: '1H', from: 0, minutes: 45, added: 1 + random.index(3) };
  const secondHalf: Half = { period: '2H', from: 45, minutes: 45, added: 2 + random.index(5) };
  const extra: readonly Half[] = [
    { period: 'ET1', from: 90, minutes: 15, added: 1 },
    { period: 'ET2', from: 105, minutes: 15, added: 1 + random.index(2) },
  ];
  const regular = 90 + firstHalf.added + secondHalf.added;
  const board = createRunningScore();
  const moments: Moment[] = [];

  /** @param left minutes of regular time still to be played; 0 in extra time */
  function addMoment(second: number, facts: Omit<ScoreFacts, 'sides'>, left: number, isKeyEvent = false): void {
    const score = board.score();
    const chances = left > 0 ? lazy(() => chancesOf(expected, left / regular, score)) : null;
    moments.push({
      second,
      score: { ...facts, sides: board.sides() },
      chances,
      ...(isKeyEvent ? { isKeyEvent } : {}),
    });
  }

  /** @param after minutes of regular time after this half @returns the second at which the half has ended */
  function playHalf(half: Half, start: number, after: number): number {
    const { period, from } = half;
    const length = half.minutes + half.added;
    const leftAt = (minute: number) => (from >= 90 ? 0 : Math.max(0.3, length - minute + after));
    board.begin(period);
    addMoment(start, { status: 'inprogress', period, clock: `${from + 1}'` }, leftAt(0));
    for (let minute = 1; minute <= length; minute++) {
      const goals = ([0, 1] as const).filter((side) => random.chance(expected[side] / regular));
      for (const side of goals) board.add(side, 1);
      const second = start + minute * 60 - random.between(1, 50);
      if (goals.length === 0 && minute % MINUTES_PER_MESSAGE !== 0) continue;
      const clock = minuteClock(from + minute, half);
      addMoment(second, { status: 'inprogress', period, clock }, leftAt(minute), goals.length > 0);
    }
    return start + length * 60;
  }

  let second = playHalf(firstHalf, 0, 45 + secondHalf.added);
  const halfTime: ScoreFacts = { status: 'inprogress', period: 'HT', clock: `45'+${firstHalf.added}'` };
  addMoment(second, halfTime, 45 + secondHalf.added);
  second = playHalf(secondHalf, second + HALF_TIME_SECONDS, 0);
  let last = secondHalf;
  if (winnerOfScore(board.score()) === 'draw' && matchup.knockout) {
    for (const half of extra) second = playHalf(half, second + BREAK_SECONDS, 0);
    last = extra[1]!;
  }
  const winner = winnerOfScore(board.score());
  const clock = minuteClock(last.from + last.minutes + last.added, last);
  let final: ScoreFacts = { status: 'final', period: last.period, clock, sides: board.sides(winner) };
  if (winner === 'draw' && matchup.knockout) {
    const shootout = playPenalties(second + 2 * BREAK_SECONDS, clock, board.sides(), random);
    moments.push(...shootout.moments);
    second = shootout.second;
    final = { ...final, period: 'PKs', sides: shootout.sides };
  }
  const result_type = final.period === 'PKs' ? 'shootout' : last === secondHalf ? 'regulation' : 'overtime';
  moments.push({ second: second + 60, score: { ...final, result_type }, chances: null });
  return { before: (shift) => chancesOf(expectedGoals(gap + shift), 1, [0, 0]), moments };
};

const KICK_SECONDS = 45;
const KICKS = 5;
const SCORED = 0.75;

type Sides = readonly [SideScore, SideScore];

/** The sides of a score message, with the goals of a penalty shootout. */
const withPenalties = ([first, second]: Sides, [a, b]: Pair): Sides => [withGoals(first, a), withGoals(second, b)];
const withGoals = (side: SideScore, score: number): SideScore => ({
  ...side,
  period_scores: [...(side.period_scores ?? []), { period: 'PKs', score }],
});

/** @returns the winner, or null while it is open @param taken kicks of each side so far */
function shootoutWinner([a, b]: Pair, [takenA, takenB]: Pair): 0 | 1 | null {
  const leftA = Math.max(0, KICKS - takenA);
  const leftB = Math.max(0, KICKS - takenB);
  if (takenA >= KICKS && takenB >= KICKS) return takenA === takenB && a !== b ? (a > b ? 0 : 1) : null;
  if (a > b + leftB) return 0;
  return b > a + leftA ? 1 : null;
}

/**
 * Kicks in turn, with one message for each. They decide the winner and leave the score unchanged.
 * @param sides after extra time
 */
function playPenalties(start: number, clock: string, sides: Sides, random: Random) {
  const scored: [number, number] = [0, 0];
  const moments: Moment[] = [];
  for (let kick = 1; ; kick++) {
    const side = ((kick - 1) % 2) as 0 | 1;
    const second = start + kick * KICK_SECONDS;
    if (random.chance(SCORED)) scored[side]++;
    const told = withPenalties(sides, [...scored]);
    moments.push({ second, score: { status: 'inprogress', period: 'PKs', clock, sides: told }, chances: null });
    const winner = shootoutWinner(scored, [Math.ceil(kick / 2), Math.floor(kick / 2)]);
    if (winner === null) continue;
    const [first, other] = told;
    const final: Sides = [
      { ...first, is_winner: winner === 0 },
      { ...other, is_winner: winner === 1 },
    ];
    return { moments, second, sides: final };
  }
}
