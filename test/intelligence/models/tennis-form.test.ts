import { describe, expect, it } from 'vitest';
import { modelOf } from '../../../src/intelligence/models/index.ts';
import type { FinishedGame } from '../../../src/intelligence/models/model.ts';
import { LeagueMemory } from '../../../src/intelligence/walk-forward.ts';
import { gamesOf, numbersOf } from '../seasons.ts';

const DAY = 86_400_000;
const [plain] = gamesOf('tennis', 'wta', 1, numbersOf(4));

const match = (day: number, home: string, away: string, winner: 'home' | 'away'): FinishedGame => ({
  ...plain!,
  startsAt: Date.UTC(2020, 0, 1) + day * DAY,
  home,
  away,
  ranks: { home: null, away: null },
  surface: null,
  bestOf: 3,
  score: winner === 'home' ? { home: 13, away: 8 } : { home: 8, away: 13 },
  winner,
});

/** Given two players with equally many wins and losses, against opponents of their own. */
function equals() {
  const memory = new LeagueMemory(modelOf('tennis', 'wta'));
  for (let n = 0; n < 40; n++) {
    for (const who of ['one', 'other']) memory.learn(match(n, who, `against ${who}`, n % 2 ? 'home' : 'away'));
  }
  return memory;
}

describe('a player', () => {
  it('who won against the odds lately is expected to win more than one who did so half a year ago', () => {
    const [lately, longAgo] = [equals(), equals()];
    const series = (memory: typeof lately, from: number) => {
      for (let n = 0; n < 6; n++) memory.learn(match(from + n, 'one', 'against one', 'home'));
    };
    series(longAgo, 41);
    series(lately, 135);
    const next = match(141, 'one', 'other', 'home');
    expect(lately.forecast(next).home).toBeGreaterThan(longAgo.forecast(next).home + 0.02);
  });

  it('without known matches is expected to lose to one with average results', () => {
    const memory = equals();
    const { home } = memory.forecast(match(42, 'one', 'nobody', 'home'));
    expect(home).toBeGreaterThan(0.52);
    expect(home).toBeLessThan(0.7);
  });
});
