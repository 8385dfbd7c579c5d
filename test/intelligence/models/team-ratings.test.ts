import { describe, expect, it } from 'vitest';
import type { DiscreteDistribution } from '../../../src/intelligence/models/discrete-distribution.ts';
import type { FinishedGame } from '../../../src/intelligence/models/model.ts';
import { NBA, NCAAB } from '../../../src/intelligence/models/model-constants.ts';
import { teamModel } from '../../../src/intelligence/models/team-model.ts';
import { LeagueMemory } from '../../../src/intelligence/walk-forward.ts';
import { gamesOf, numbersOf } from '../seasons.ts';

const DAY = 86_400_000;
const [plain] = gamesOf('nba', 'nba', 1, numbersOf(4));
const meanOf = ({ from, probabilities }: DiscreteDistribution) =>
  probabilities.reduce((sum, p, i) => sum + p * (from + i), 0);
const START = Date.UTC(2020, 10, 1);

const game = (day: number, home: string, away: string, margin: number): FinishedGame => ({
  ...plain!,
  isNeutral: false,
  startsAt: START + day * DAY,
  home,
  away,
  score: { home: 100 + margin, away: 100 },
  winner: margin > 0 ? 'home' : 'away',
});

describe('a side that is better at home than others are', () => {
  // Given a fortress and a plain side, equal when home and away are taken together.
  const season = (homeAdvantageSd: number) => {
    const memory = new LeagueMemory(teamModel({ ...NBA, homeAdvantageSd }));
    for (let n = 0; n < 80; n++) {
      const guest = `guest ${n % 4}`;
      for (const [side, margin] of [
        ['fortress', 13],
        ['plain', 3],
      ] as const) {
        memory.learn(game(4 * n, side, guest, margin));
        memory.learn(game(4 * n + 2, guest, side, margin));
      }
    }
    const margin = (isNeutral: boolean, home: string) =>
      meanOf(memory.forecast({ ...game(330, home, 'guest 1', 1), isNeutral }).margin);
    return { atHome: (side: string) => margin(false, side) - margin(true, side) };
  };

  it('is expected to win by more there, beyond what the league does', () => {
    const { atHome } = season(NBA.homeAdvantageSd);
    expect(atHome('fortress')).toBeGreaterThan(atHome('plain') + 0.5);
  });

  it('is like all others if sides have no advantage of their own', () => {
    const { atHome } = season(0);
    expect(atHome('fortress')).toBeCloseTo(atHome('plain'), 1);
  });
});

describe('a college after a break', () => {
  it('is drawn to the strength of its opponents', () => {
    const marginAfterBreak = (opponentMean: number) => {
      const memory = new LeagueMemory(teamModel({ ...NCAAB, margin: { ...NCAAB.margin, opponentMean } }));
      // Given two conferences, one far stronger than the other, that meet now and then.
      for (let n = 0; n < 120; n++) {
        const [a, b] = [n % 5, (n + 1 + (n % 3)) % 5];
        memory.learn(game(n, `strong ${a}`, `strong ${b}`, n % 2 ? 3 : -3));
        memory.learn(game(n, `weak ${a}`, `weak ${b}`, n % 2 ? 3 : -3));
        if (n % 3 === 0) memory.learn(game(n, `strong ${a}`, `weak ${b}`, 25));
      }
      // When a season has passed and the best sides of both meet, then
      return meanOf(memory.forecast({ ...game(320, 'strong 1', 'weak 1', 1), isNeutral: true }).margin);
    };
    expect(marginAfterBreak(NCAAB.margin.opponentMean)).toBeGreaterThan(marginAfterBreak(0) + 2);
  });
});
