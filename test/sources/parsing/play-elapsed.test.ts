import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { playElapsed } from '../../../src/sources/parsing/play-elapsed.ts';

const clocked = fc.record({
  sport: fc.constantFrom('nfl', 'ncaaf', 'nba', 'ncaab', 'nhl'),
  playoffs: fc.boolean(),
  period: fc.integer({ min: 1, max: 7 }),
  left: fc.integer({ min: 0, max: 299 }),
});
const displayed = (seconds: number): string => `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, '0')}`;

describe('play elapsed', () => {
  it('grows as the clock runs down, from period to period, and to the end', () => {
    fc.assert(
      fc.property(clocked, ({ sport, playoffs, period, left }) => {
        const at = (number: number, seconds: number, over = false) =>
          playElapsed({ sport, playoffs, over, period: number, clock: displayed(seconds) });
        expect(at(period, left)).toBeGreaterThan(at(period, left + 1));
        expect(at(period + 1, 299)).toBeGreaterThan(at(period, 0));
        expect(at(period, 0, true)).toBe(at(period, 0));
      }),
    );
  });

  it('of baseball keeps the halves of an inning and the innings in order', () => {
    const at = (name: string, period: number, over = false) =>
      playElapsed({ sport: 'mlb', playoffs: false, over, period, name });
    const order = [at('Top 1', 1), at('Mid 1', 1), at('Bot 1', 1), at('End 1', 1), at('Top 2', 2)];
    expect([...order].sort((a, b) => a - b)).toEqual(order);
    expect(new Set(order).size).toBe(order.length);
    expect(at('', 9, true)).toBeGreaterThan(at('Bot 9', 9));
  });

  it('of soccer never lets stoppage time pass what follows it', () => {
    const at = (name: string, clock: string, over = false) =>
      playElapsed({ sport: 'soccer', playoffs: true, over, name, clock });
    const order = [
      at('1H', "1'"),
      at('1H', "45'+12'"),
      at('HT', "45'+12'"),
      at('2H', "46'"),
      at('2H', "90'+8'"),
      at('ET1', "105'+3'"),
      at('ET2', "106'"),
      at('ET2', "120'+2'"),
      at('PKs', "120'"),
      at('PKs', "120'", true),
    ];
    expect([...order].sort((a, b) => a - b)).toEqual(order);
    expect(new Set(order).size).toBe(order.length);
  });
});
