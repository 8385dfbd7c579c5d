import { describe, expect, it } from 'vitest';
import type { DiscreteDistribution } from '../../../src/intelligence/models/discrete-distribution.ts';
import type { FinishedGame } from '../../../src/intelligence/models/model.ts';
import { NFL } from '../../../src/intelligence/models/model-constants.ts';
import { teamModel } from '../../../src/intelligence/models/team-model.ts';
import { LeagueMemory } from '../../../src/intelligence/walk-forward.ts';
import { gamesOf, numbersOf } from '../seasons.ts';

const DAY = 86_400_000;
const WEEK = 7 * DAY;
const meanOf = ({ from, probabilities }: DiscreteDistribution) =>
  probabilities.reduce((sum, p, i) => sum + p * (from + i), 0);
const [plain] = gamesOf('nfl', 'nfl', 1, numbersOf(4));

/** Given a league of seven teams of equal strength with a regular quarterback each, every week of a season. */
function season() {
  const memory = new LeagueMemory(teamModel(NFL));
  let startsAt = Date.UTC(2020, 8, 1);
  const gameOf = (home: number, away: number): FinishedGame => ({
    ...plain!,
    isNeutral: true,
    startsAt,
    home: `team ${home}`,
    away: `team ${away}`,
    starters: { home: `regular ${home}`, away: `regular ${away}` },
    score: { home: 24, away: 20 },
    winner: 'home',
  });
  for (let week = 1; week <= 12; week++, startsAt += WEEK) {
    for (const pair of [1, 2, 3]) memory.learn(gameOf((week + pair) % 7, (week + 7 - pair) % 7));
  }
  const marginWith = (home: string | null, later = 0) =>
    meanOf(
      memory.forecast({ ...gameOf(1, 2), startsAt: startsAt + later, starters: { home, away: 'regular 2' } }).margin,
    );
  return { memory, gameOf, marginWith, wait: (time: number) => (startsAt += time) };
}

describe('a quarterback', () => {
  it('that is new costs his team some points, on either side', () => {
    const { memory, gameOf, marginWith } = season();
    const lost = marginWith('regular 1') - marginWith('somebody new');
    expect(lost).toBeGreaterThan(2);
    expect(lost).toBeLessThan(8);
    const turned = { ...gameOf(2, 1), starters: { home: 'regular 2', away: 'somebody new' } };
    expect(meanOf(memory.forecast(turned).margin)).toBeCloseTo(-marginWith('somebody new'), 9);
  });

  it('who comes back is worth what he was', () => {
    const { memory, gameOf, marginWith, wait } = season();
    const before = marginWith('regular 1', WEEK);
    const stand = { ...gameOf(3, 4), starters: { home: 'somebody new', away: 'regular 4' } };
    memory.learn(stand);
    wait(WEEK);
    expect(marginWith('regular 1')).toBeCloseTo(before, 1);
  });

  it('is expected to play again if nobody is named', () => {
    const { memory, gameOf, marginWith, wait } = season();
    expect(marginWith(null)).toBeCloseTo(marginWith('regular 1'), 1);
    memory.learn({ ...gameOf(1, 4), starters: { home: 'somebody new', away: 'regular 4' } });
    wait(WEEK);
    expect(marginWith(null)).toBeCloseTo(marginWith('somebody new'), 1);
    expect(marginWith(null)).toBeLessThan(marginWith('regular 1') - 1);
  });

  it('takes what he is worth to another team', () => {
    const { memory, gameOf, wait, marginWith } = season();
    for (let week = 0; week < 8; week++) {
      memory.learn({ ...gameOf(5, 6), score: { home: 45, away: 3 } });
      wait(WEEK);
    }
    expect(marginWith('regular 5')).toBeGreaterThan(marginWith('regular 1') + 1);
  });

  it('changes nothing of the league for a team that never names one', () => {
    const { memory, gameOf } = season();
    const nameless = { ...gameOf(1, 2), home: 'a', away: 'b', starters: { home: null, away: null } };
    expect(memory.forecast(nameless).home).toBeCloseTo(0.5, 12);
  });
});
