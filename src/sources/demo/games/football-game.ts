import { brownianChances } from '../simulation/brownian-model.ts';
import { lazy } from '../simulation/chances.ts';
import type { Moment, ScoreFacts } from '../simulation/game-moment.ts';
import type { Random } from '../simulation/random.ts';
import { type SimulateGame, strengthGap } from './game-simulator.ts';
import { createRunningScore, gameClock, overtimeName, winnerOfScore } from './running-score.ts';

interface Rules {
  readonly pointsEach: number;
  readonly drivesEach: number;
  /** Points per unit of strength over a game, and the home advantage in units of strength. */
  readonly pointsOfStrength: number;
  readonly homeAdvantage: number;
  readonly marginDeviation: number;
  readonly totalDeviation: number;
  /** Simulated seconds per second of the clock. */
  readonly pace: number;
  /** Whether overtime has a clock, or rounds without a clock. */
  readonly overtimeClock: boolean;
}

const NFL: Rules = {
  pointsEach: 22.5,
  drivesEach: 11.5,
  pointsOfStrength: 3.6,
  homeAdvantage: 0.45,
  marginDeviation: 13.2,
  totalDeviation: 13.5,
  pace: 2.5,
  overtimeClock: true,
};
const NCAAF: Rules = {
  pointsEach: 27.5,
  drivesEach: 13,
  pointsOfStrength: 6,
  homeAdvantage: 0.4,
  marginDeviation: 15.5,
  totalDeviation: 16,
  pace: 2.6,
  overtimeClock: false,
};

const QUARTERS = ['1', '2', '3', '4'];
const QUARTER = 900;
const OVERTIME = 600;
const BREAK_SECONDS = 150;
const HALF_TIME_SECONDS = 15 * 60;

/** American football: alternating drives with their results. */
const play =
  (rules: Rules): SimulateGame =>
  (matchup, random) => {
    const gap = strengthGap(matchup, rules.homeAdvantage) * rules.pointsOfStrength;
    const regulation = QUARTERS.length * QUARTER;
    const brownian = (margin: number) => ({ ...rules, margin, total: 2 * rules.pointsEach });
    const perDrive = [rules.pointsEach + gap / 2, rules.pointsEach - gap / 2].map(
      (points) => points / rules.drivesEach,
    );
    const board = createRunningScore();
    const moments: Moment[] = [];
    let onBall = random.index(2);
    let driveLeft = 0;

    function addMoment(
      second: number,
      facts: Omit<ScoreFacts, 'sides'>,
      toPlay: number,
      more: { turning?: true; winner?: 0 | 1 } = {},
    ): void {
      const score = board.score();
      const { winner, turning: isKeyEvent } = more;
      const chances = lazy(() => brownianChances(brownian(gap), score, toPlay / regulation));
      moments.push({
        second,
        score: { ...facts, sides: board.sides(winner) },
        chances: winner === undefined ? chances : null,
        ...(isKeyEvent ? { isKeyEvent } : {}),
      });
    }

    const newDrive = () => (regulation / (2 * rules.drivesEach)) * random.between(0.4, 1.6);

    /** @param after seconds of regulation after this quarter @returns the second at which the quarter has ended */
    function playQuarter(period: string, start: number, length: number, after: number, suddenDeath: boolean): number {
      board.begin(period);
      addMoment(start, { status: 'inprogress', period, clock: gameClock(length) }, after + length);
      let clock = length;
      const secondAt = () => start + (length - clock) * rules.pace;
      for (;;) {
        if (driveLeft <= 0) driveLeft = newDrive();
        // The chains move a few times in a drive, and each time the clock is reported.
        const step = Math.min(driveLeft, random.between(35, 85));
        if (step >= clock) {
          driveLeft -= clock;
          break;
        }
        clock -= step;
        driveLeft -= step;
        let scored = 0;
        if (driveLeft <= 0) {
          scored = pointsOf(perDrive[onBall]!, random);
          board.add(onBall, scored);
          onBall = 1 - onBall;
        }
        const facts: ScoreFacts = { status: 'inprogress', period, clock: gameClock(clock) };
        addMoment(secondAt(), facts, after + clock, scored > 0 ? { turning: true } : {});
        if (suddenDeath && scored > 0) return secondAt();
      }
      clock = 0;
      addMoment(secondAt(), { status: 'inprogress', period, clock: '0:00' }, after);
      return secondAt();
    }

    /** One round of college overtime: one drive for each side, without a clock. */
    function playRound(period: string, start: number): number {
      board.begin(period);
      addMoment(start, { status: 'inprogress', period, clock: '0:00' }, 0);
      for (const [index, side] of [onBall, 1 - onBall].entries()) {
        board.add(side, random.pick([0, 3, 3, 7, 7, 7]));
        addMoment(start + 300 * (index + 1), { status: 'inprogress', period, clock: '0:00' }, 0, { turning: true });
      }
      return start + 600;
    }

    let second = 0;
    for (const [index, period] of QUARTERS.entries()) {
      const after = (QUARTERS.length - 1 - index) * QUARTER;
      second = playQuarter(period, second, QUARTER, after, false);
      if (after > 0) second += index === 1 ? HALF_TIME_SECONDS : BREAK_SECONDS;
      if (index === 1) driveLeft = 0;
    }
    let last = QUARTERS.at(-1)!;
    for (let number = 1; winnerOfScore(board.score()) === 'draw'; number++) {
      last = overtimeName(number);
      const start = second + BREAK_SECONDS;
      second = rules.overtimeClock ? playQuarter(last, start, OVERTIME, 0, true) : playRound(last, start);
    }
    const { clock = '0:00' } = moments.at(-1)!.score!;
    addMoment(second + 30, { status: 'final', period: last, clock }, 0, {
      winner: winnerOfScore(board.score()) as 0 | 1,
    });
    return {
      before: (shift) => brownianChances(brownian(gap + shift * rules.pointsOfStrength), [0, 0], 1),
      moments,
    };
  };

/** Points of one drive: a touchdown with its conversion, a field goal, or nothing. */
function pointsOf(expected: number, random: Random): number {
  const share = Math.max(0.2, expected) / 2.05;
  const draw = random.next() / share;
  if (draw < 0.22) return random.pick([7, 7, 7, 7, 7, 7, 7, 6, 7, 7]);
  return draw < 0.39 ? 3 : 0;
}

export const playNfl: SimulateGame = play(NFL);
export const playNcaaf: SimulateGame = play(NCAAF);
