import { brownianChances } from '../simulation/brownian-model.ts';
import { lazy } from '../simulation/chances.ts';
import type { Moment, ScoreFacts } from '../simulation/game-moment.ts';
import type { Random } from '../simulation/random.ts';
import { type SimulateGame, strengthGap } from './game-simulator.ts';
import { createRunningScore, gameClock, overtimeName, winnerOfScore } from './running-score.ts';

interface Rules {
  readonly periods: readonly string[];
  readonly periodSeconds: number;
  readonly overtimeSeconds: number;
  /** Possessions of each side in regulation. */
  readonly possessions: number;
  readonly pointsEach: number;
  /** Points per unit of strength over a game, and the home advantage in units of strength. */
  readonly pointsOfStrength: number;
  readonly homeAdvantage: number;
  readonly marginDeviation: number;
  readonly totalDeviation: number;
  /** Simulated seconds per second of the clock, and seconds of the breaks after a period and at half-time. */
  readonly pace: number;
  readonly breakSeconds: number;
  readonly halfTimeSeconds: number;
}

const NBA: Rules = {
  periods: ['1', '2', '3', '4'],
  periodSeconds: 720,
  overtimeSeconds: 300,
  possessions: 100,
  pointsEach: 113,
  pointsOfStrength: 4.2,
  homeAdvantage: 0.6,
  marginDeviation: 14.5,
  totalDeviation: 17,
  pace: 2.3,
  breakSeconds: 150,
  halfTimeSeconds: 840,
};
const NCAAB: Rules = {
  ...NBA,
  periods: ['1H', '2H'],
  periodSeconds: 1200,
  possessions: 69,
  pointsEach: 73,
  pointsOfStrength: 5,
  marginDeviation: 12,
  totalDeviation: 14,
  pace: 2.5,
};

/** Possessions of each side between two messages. */
const POSSESSIONS_PER_MESSAGE = 2;

const play =
  (rules: Rules): SimulateGame =>
  (matchup, random) => {
    const gap = strengthGap(matchup, rules.homeAdvantage) * rules.pointsOfStrength;
    const regulation = rules.periods.length * rules.periodSeconds;
    const brownian = (margin: number) => ({ ...rules, margin, total: 2 * rules.pointsEach });
    const board = createRunningScore();
    const moments: Moment[] = [];
    const perPossession = [
      (rules.pointsEach + gap / 2) / rules.possessions,
      (rules.pointsEach - gap / 2) / rules.possessions,
    ];
    const possessionSeconds = regulation / rules.possessions;

    function addMoment(second: number, facts: Omit<ScoreFacts, 'sides'>, toPlay: number, winner?: 0 | 1): void {
      const score = board.score();
      const chances = lazy(() => brownianChances(brownian(gap), score, toPlay / regulation));
      moments.push({
        second,
        score: { ...facts, sides: board.sides(winner) },
        chances: winner === undefined ? chances : null,
      });
    }

    /** @returns the second at which the period has ended */
    function playPeriod(period: string, start: number, length: number, after: number): number {
      board.begin(period);
      addMoment(start, { status: 'inprogress', period, clock: gameClock(length) }, after + length);
      const pairs = Math.round(length / possessionSeconds);
      for (let pair = 1; pair < pairs; pair++) {
        for (const side of [0, 1]) board.add(side, pointsOf(perPossession[side]!, random));
        if (pair % POSSESSIONS_PER_MESSAGE !== 0) continue;
        const onClock = length * (1 - (pair + random.between(-0.45, 0.45)) / pairs);
        const second = start + (length - onClock) * rules.pace;
        addMoment(second, { status: 'inprogress', period, clock: gameClock(onClock) }, after + onClock);
      }
      for (const side of [0, 1]) board.add(side, pointsOf(perPossession[side]!, random));
      const end = start + length * rules.pace;
      addMoment(end, { status: 'inprogress', period, clock: '0:00' }, after);
      return end;
    }

    let second = 0;
    for (const [index, period] of rules.periods.entries()) {
      const later = (rules.periods.length - 1 - index) * rules.periodSeconds;
      second = playPeriod(period, second, rules.periodSeconds, later);
      const isHalf = index === rules.periods.length / 2 - 1;
      if (later > 0) second += isHalf ? rules.halfTimeSeconds : rules.breakSeconds;
    }
    let last: string = rules.periods.at(-1)!;
    for (let number = 1; winnerOfScore(board.score()) === 'draw'; number++) {
      last = overtimeName(number);
      second = playPeriod(last, second + rules.breakSeconds, rules.overtimeSeconds, 0);
    }
    const winner = winnerOfScore(board.score()) as 0 | 1;
    addMoment(second + 30, { status: 'final', period: last, clock: '0:00' }, 0, winner);
    return {
      before: (shift) => brownianChances(brownian(gap + shift * rules.pointsOfStrength), [0, 0], 1),
      moments,
    };
  };

/** Points of one possession: mostly none or two, sometimes three or one. */
function pointsOf(expected: number, random: Random): number {
  const draw = random.next() * (1.11 / expected);
  if (draw < 0.125) return 3;
  if (draw < 0.46) return 2;
  return draw < 0.525 ? 1 : 0;
}

export const playNba: SimulateGame = play(NBA);
export const playNcaab: SimulateGame = play(NCAAB);
