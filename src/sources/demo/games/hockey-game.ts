import { lazy, type Pair } from '../simulation/chances.ts';
import type { Moment, ScoreFacts } from '../simulation/game-moment.ts';
import { poissonChances } from '../simulation/poisson-model.ts';
import { type SimulateGame, strengthGap } from './game-simulator.ts';
import { createRunningScore, winnerOfScore } from './running-score.ts';

const GOALS_EACH = 3.05;
const HOME_ADVANTAGE = 0.35;
/** Change of the logarithm of the expected goals per unit of strength. */
const STRENGTH = 0.11;
const PERIODS = ['1', '2', '3'];
const PERIOD = 1200;
const OVERTIME = 300;
/** Simulated seconds per second of play, and seconds of an intermission. */
const PACE = 1.9;
const INTERMISSION = 17 * 60;
/** Seconds of play in one step of the simulation. */
const STEP = 20;
/** Number of steps after which the bookmakers update prices for the passed time. The score shows no clock. */
const UPDATE_EVERY = 12;
/** With three players a side, goals come faster. */
const OVERTIME_FACTOR = 1.8;

const expectedGoals = (gap: number): Pair => [
  GOALS_EACH * Math.exp(STRENGTH * gap),
  GOALS_EACH * Math.exp(-STRENGTH * gap),
];
const chancesOf = ([first, second]: Pair, share: number, score: Pair) =>
  poissonChances({ expected: [first * share, second * share], draws: false, leastSpread: 1.5 }, score);

/** Ice hockey: three periods, five minutes of sudden death, and a shootout that counts as one goal. */
export const playNhl: SimulateGame = (matchup, random) => {
  const gap = strengthGap(matchup, HOME_ADVANTAGE);
  const expected = expectedGoals(gap);
  const regulation = PERIODS.length * PERIOD;
  const board = createRunningScore();
  const moments: Moment[] = [];

  function addMoment(second: number, left: number, facts?: Omit<ScoreFacts, 'sides'>, isKeyEvent = false): void {
    const score = board.score();
    moments.push({
      second,
      ...(facts ? { score: { ...facts, sides: board.sides() } } : {}),
      chances: lazy(() => chancesOf(expected, left / regulation, score)),
      ...(isKeyEvent ? { isKeyEvent } : {}),
    });
  }

  /** @param after seconds of regulation after this period @returns the second at which the period has ended */
  function playPeriod(period: string, start: number, length: number, after: number, factor: number): number {
    const facts: ScoreFacts = { status: 'inprogress', period };
    board.begin(period);
    addMoment(start, after + length, facts);
    for (let step = 1; step <= length / STEP; step++) {
      const second = start + (step * STEP - random.between(1, STEP - 1)) * PACE;
      const left = after + Math.max(5, length - step * STEP);
      const side = random.index(2) as 0 | 1;
      const scored = random.chance((2 * factor * expected[side] * STEP) / regulation);
      if (scored) board.add(side, 1);
      if (scored) addMoment(second, left, facts, true);
      else if (step % UPDATE_EVERY === 0) addMoment(second, left);
      if (scored && period === 'OT') return second;
    }
    return start + length * PACE;
  }

  let second = 0;
  for (const [index, period] of PERIODS.entries()) {
    const after = (PERIODS.length - 1 - index) * PERIOD;
    second = playPeriod(period, second, PERIOD, after, 1);
    if (after > 0) second += INTERMISSION;
  }
  let last = '3';
  if (winnerOfScore(board.score()) === 'draw') {
    last = 'OT';
    second = playPeriod(last, second + 90, OVERTIME, 0, OVERTIME_FACTOR);
  }
  if (winnerOfScore(board.score()) === 'draw') {
    last = 'SO';
    board.begin(last);
    addMoment(second + 120, 5, { status: 'inprogress', period: last });
    second += 120 + random.between(240, 480);
    board.add(random.index(2), 1);
  }
  const winner = winnerOfScore(board.score());
  const result_type = last === 'SO' ? 'shootout' : last === 'OT' ? 'overtime' : 'regulation';
  const score: ScoreFacts = { status: 'final', period: last, result_type, sides: board.sides(winner) };
  moments.push({ second: second + 20, score, chances: null });
  return { before: (shift) => chancesOf(expectedGoals(gap + shift), 1, [0, 0]), moments };
};
