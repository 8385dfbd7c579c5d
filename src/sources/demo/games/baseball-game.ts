import { lazy, type Pair } from '../simulation/chances.ts';
import type { Moment, ScoreFacts } from '../simulation/game-moment.ts';
import { poissonChances } from '../simulation/poisson-model.ts';
import type { Random } from '../simulation/random.ts';
import { type SimulateGame, strengthGap } from './game-simulator.ts';
import { createRunningScore, winnerOfScore } from './running-score.ts';

const RUNS_EACH = 4.4;
const HOME_ADVANTAGE = 0.3;
/** Change of the logarithm of the expected runs per unit of strength. */
const STRENGTH = 0.08;
const INNINGS = 9;
/** Length of a half-inning, and of the change of sides after it. */
const HALF_SECONDS = 440;
const CHANGE_SECONDS = 130;
/** In extra innings a runner begins on second base. */
const EXTRA_FACTOR = 1.9;

const expectedRuns = (gap: number): Pair => [
  RUNS_EACH * Math.exp(STRENGTH * gap),
  RUNS_EACH * Math.exp(-STRENGTH * gap),
];

/** @param left half-innings of the nine that each side has yet to bat */
const chancesOf = ([home, away]: Pair, left: Pair, score: Pair) =>
  poissonChances(
    { expected: [(home * left[0]) / INNINGS, (away * left[1]) / INNINGS], draws: false, leastSpread: 1.5 },
    score,
  );

/** Baseball: the away side bats first, and the home side only as long as necessary. */
export const playMlb: SimulateGame = (matchup, random) => {
  const gap = strengthGap(matchup, HOME_ADVANTAGE);
  const expected = expectedRuns(gap);
  const board = createRunningScore();
  const moments: Moment[] = [];
  let second = 0;

  function addMoment(period: string, left: Pair, isKeyEvent = false): void {
    const score = board.score();
    moments.push({
      second,
      score: { status: 'inprogress', period, sides: board.sides() },
      chances: lazy(() => chancesOf(expected, left, score)),
      ...(isKeyEvent ? { isKeyEvent } : {}),
    });
  }

  const hasWon = (inning: number) => inning >= INNINGS && board.score()[0] > board.score()[1];

  /** @param side the batting side @param left half-innings of each side after this one */
  function bat(half: 'Top' | 'Bot', inning: number, side: 0 | 1, left: Pair): void {
    const period = `${half} ${inning}`;
    const start = second;
    const factor = inning > INNINGS ? EXTRA_FACTOR : 1;
    const share = (part: number): Pair => (side === 0 ? [left[0] + part, left[1]] : [left[0], left[1] + part]);
    addMoment(period, share(factor));
    const length = HALF_SECONDS * random.between(0.6, 1.3);
    let scoring = runsOf((expected[side] * factor) / INNINGS, random);
    for (const [index, runs] of scoring.entries()) {
      second = start + (length * (index + random.between(0.3, 0.9))) / (scoring.length + 0.5);
      board.add(side, runs);
      addMoment(period, share(0.4 * factor), true);
      // The winning run ends the game.
      if (side === 0 && hasWon(inning)) scoring = [];
      if (scoring.length === 0) return;
    }
    second = start + length;
  }

  let inning = 0;
  let last = '';
  for (;;) {
    inning++;
    board.begin(String(inning));
    const behind = Math.max(0, INNINGS - inning);
    bat('Top', inning, 1, [behind + 1, behind]);
    last = `Mid ${inning}`;
    if (hasWon(inning)) break;
    addMoment(last, [behind + 1, behind]);
    second += CHANGE_SECONDS;
    bat('Bot', inning, 0, [behind, behind]);
    last = `Bot ${inning}`;
    if (hasWon(inning)) break;
    last = `End ${inning}`;
    if (inning >= INNINGS && winnerOfScore(board.score()) !== 'draw') break;
    addMoment(last, [behind, behind]);
    second += CHANGE_SECONDS;
  }
  const facts: ScoreFacts = { status: 'final', period: last, result_type: 'regulation' };
  moments.push({
    second: second + 30,
    score: { ...facts, sides: board.sides(winnerOfScore(board.score())) },
    chances: null,
  });
  return { before: (shift) => chancesOf(expectedRuns(gap + shift), [INNINGS, INNINGS], [0, 0]), moments };
};

/** The runs of a half-inning in order: mostly none, sometimes several. */
function runsOf(expected: number, random: Random): number[] {
  // A rally has this many runs on average; its probability gives the expected number of runs.
  const rally = 1.8;
  if (!random.chance(Math.min(0.8, expected / rally))) return [];
  const runs: number[] = [random.chance(0.3) ? 2 : 1];
  while (random.chance(0.28) && runs.length < 6) runs.push(1);
  return runs;
}
