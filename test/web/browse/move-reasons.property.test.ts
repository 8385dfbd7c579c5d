import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { reasonsOf, type ToldMove } from '../../../src/web/browse/events/move-reasons.ts';
import { cases } from '../../support/cases.ts';

const START = Date.parse('2026-03-01T12:00:00Z');
const MINUTE = 60_000;
const move = (bookmaker: string, minute: number, more: Partial<ToldMove> = {}): ToldMove => ({
  ...{ market: 'h2h', bookmaker, direction: 1, at: START + minute * MINUTE, isSuspect: false },
  ...more,
});
const report = (minute: number, status = 'out') => ({
  ...{ at: new Date(START + minute * MINUTE).toISOString(), player: 'P. Passer', team: 'Hosts', status },
});
const reasons = (moves: readonly ToldMove[], injuries: readonly ReturnType<typeof report>[] = []) =>
  reasonsOf(moves, { injuries, nameOf: (book) => book.toUpperCase() });

describe('why prices moved', () => {
  it('given no news and too few books, then nothing is said', () => {
    expect(reasons([move('a', 0), move('b', 1), move('a', 2)])).toEqual([[], [], []]);
  });

  it('given news, then the first move of each book within half an hour tells of it', () => {
    const told = reasons(
      [move('a', -1), move('a', 0.5), move('b', 4, { direction: -1 }), move('a', 5), move('c', 31)],
      [report(0, 'ir')],
    );
    expect(told).toEqual([
      [],
      ['Within a minute after P. Passer (Hosts) was reported injured reserve.'],
      ['4 minutes after P. Passer (Hosts) was reported injured reserve.'],
      [],
      [],
    ]);
  });

  it('given three books that move alike within five minutes, then each of the three tells of it, and no follower', () => {
    const steam = 'Steam: A, B, C moved the same way within five minutes.';
    expect(reasons([move('a', 0), move('b', 2), move('c', 4), move('d', 4.5)])).toEqual([
      [steam],
      [steam],
      [steam],
      [],
    ]);
    expect(reasons([move('a', 0), move('b', 4), move('c', 4.5), move('a', 5.5)])).toEqual([
      ...[[steam], [steam], [steam]],
      ['Steam: B, C, A moved the same way within five minutes.'],
    ]);
    expect(reasons([move('a', 0), move('b', 2), move('c', 6)])).toEqual([[], [], []]);
    expect(reasons([move('a', 0), move('b', 2, { direction: -1 }), move('c', 4)])).toEqual([[], [], []]);
    expect(reasons([move('a', 0), move('b', 2, { market: 'totals' }), move('c', 4)])).toEqual([[], [], []]);
  });

  it('given a suspect price, then that alone is said, and it makes no steam', () => {
    const told = reasons([move('a', 0), move('b', 1), move('c', 2, { isSuspect: true })], [report(1.5)]);
    expect(told).toEqual([[], [], [expect.stringContaining('Far from the price of every other book')]]);
  });

  it('given a suspect price between the moves of a steam, then the move before it is part of the steam', () => {
    const told = reasons([move('a', 0), move('a', 1, { isSuspect: true }), move('b', 2), move('c', 3)]);
    const steam = 'Steam: A, B, C moved the same way within five minutes.';
    expect(told).toEqual([[steam], [expect.stringContaining('Far from')], [steam], [steam]]);
  });

  it('names no news that came later, and says of each move at most once that it was steam', () => {
    const moves = fc
      .array(
        fc.record({
          bookmaker: fc.constantFrom('a', 'b', 'c', 'd'),
          minute: fc.integer({ min: 0, max: 60 }),
          direction: fc.constantFrom(-1 as const, 0 as const, 1 as const),
          isSuspect: fc.boolean(),
        }),
        { maxLength: 30 },
      )
      .map((all) =>
        all.sort((a, b) => a.minute - b.minute).map(({ bookmaker, minute, ...more }) => move(bookmaker, minute, more)),
      );
    fc.assert(
      fc.property(moves, fc.integer({ min: 0, max: 60 }), (all, minute) => {
        const told = reasons(all, [report(minute)]);
        expect(told).toHaveLength(all.length);
        for (const [index, { at, isSuspect, direction }] of all.entries()) {
          const news = told[index]!.filter((text) => text.includes('was reported'));
          const steams = told[index]!.filter((text) => text.startsWith('Steam'));
          if (at < START + minute * MINUTE) expect(news).toEqual([]);
          if (isSuspect) expect(told[index]).toHaveLength(1);
          if (direction === 0) expect(steams).toEqual([]);
          expect(steams.length).toBeLessThanOrEqual(1);
        }
        const reacted = all.filter((_, index) => told[index]!.some((text) => text.includes('was reported')));
        expect(new Set(reacted.map(({ bookmaker }) => bookmaker)).size).toBe(reacted.length);
      }),
      { numRuns: cases(200) },
    );
  });
});
