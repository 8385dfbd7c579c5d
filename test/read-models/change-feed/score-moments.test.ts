import { describe, expect, it } from 'vitest';
import { leaderChance, shareOfTimeLeft } from '../../../src/intelligence/play/leader-chance.ts';
import { type GameState, momentsBetween } from '../../../src/read-models/change-feed/score-moments.ts';

const state = (given: Partial<GameState> = {}): GameState => ({
  isOver: false,
  hasResult: false,
  period: '1',
  lead: 0,
  isCloseLate: false,
  ...given,
});
const between = (before: Partial<GameState>, after: Partial<GameState>) =>
  momentsBetween(state(before), state(after)).filter((moment) => moment !== 'any');

describe('moments of a game', () => {
  it.each([
    ['a tie to a lead', 0, 3, true],
    ['a lead to a tie', 3, 0, false],
    ['a lead to the other side', 3, -1, true],
    ['a lead to a greater lead', 3, 10, false],
  ])('from %s is a change of the lead: %i, %i, %s', (_, before, after, isChange) => {
    expect(between({ lead: before }, { lead: after }).includes('lead_change')).toBe(isChange);
  });

  it.each([
    ['1', '2', true],
    ['1H', 'HT', true],
    ['HT', '2H', false],
    ['Top 5', 'Mid 5', true],
    ['Mid 5', 'Bot 5', false],
    ['2', '2', false],
    [undefined, '1', false],
  ])('from period %s to %s one has ended: %s', (before, after, hasEnded) => {
    expect(between({ period: before }, { period: after }).includes('period_end')).toBe(hasEnded);
  });

  it('the end is the end of a period too, and comes once', () => {
    const over = { isOver: true, hasResult: true };
    expect(between({}, over)).toEqual(['period_end', 'final']);
    expect(between(over, over)).toEqual([]);
    expect(between({}, { isOver: true })).toEqual(['period_end']);
  });
});

describe('the share of the time that is left', () => {
  it.each([
    ['nfl', '4', '6:00', 0.1],
    ['nfl', '1', '15:00', 1],
    ['nba', '4', '4:48', 0.1],
    ['nba', '4', ':30.0', 0.5 / 48],
    ['ncaab', '2H', '4:00', 0.1],
    ['soccer', '2H', "81'", 0.1],
    ['soccer', '2H', "90'+3'", 0],
    ['soccer', 'HT', undefined, 0.5],
    ['nfl', 'OT', '3:00', 0.05],
    ['mlb', 'Top 9', undefined, 2 / 18],
    ['mlb', 'Bot 9', undefined, 1 / 18],
    ['mlb', 'Top 11', undefined, 0.05],
    ['tennis', '3', undefined, null],
    ['nhl', '3', undefined, null],
    ['nfl', '4', 'halftime', null],
    ['nfl', undefined, '1:00', null],
  ])('%s %s %s: %s', (sport, period, clock, share) => {
    const told = shareOfTimeLeft({ sport }, period, clock);
    if (share === null) expect(told).toBeNull();
    else expect(told).toBeCloseTo(share, 10);
  });
});

describe('the chance of the leader', () => {
  it('grows with the lead, and as time runs out', () => {
    expect(leaderChance({ sport: 'nfl' }, 0, 0.1)).toBe(0.5);
    // The normal distribution at 1 and at 2: 0.8413 and 0.9772.
    expect(leaderChance({ sport: 'nfl' }, 13.5, 1)).toBeCloseTo(0.8413, 4);
    expect(leaderChance({ sport: 'nfl' }, -13.5, 0.25)).toBeCloseTo(0.9772, 4);
    expect(leaderChance({ sport: 'nba' }, 2, 0.05)!).toBeLessThan(0.8);
    expect(leaderChance({ sport: 'nba' }, 12, 0.05)!).toBeGreaterThan(0.99);
    expect(leaderChance({ sport: 'nba' }, 1, 0)).toBe(1);
    expect(leaderChance({ sport: 'tennis' }, 1, 0.1)).toBeNull();
  });
});
