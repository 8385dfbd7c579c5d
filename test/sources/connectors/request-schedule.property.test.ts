import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createRequestSchedule } from '../../../src/sources/connectors/request-schedule.ts';
import { cases } from '../../support/cases.ts';
import { question } from './toys.ts';

const at = (random: number, pace = 1) => createRequestSchedule({ pace, random: () => random });
const END = ['success', 'retry', 'failed'] as const;

describe('when a question is due', () => {
  it('given it was never asked, at once; under way, not; then after its interval, times the factor', () => {
    const askings = at(1);
    const one = question('a', { intervalSeconds: 60 });
    expect(askings.dueAt(one)).toBe(Number.NEGATIVE_INFINITY);
    askings.begin(one, 1000);
    expect(askings.dueAt(one)).toBe(Number.POSITIVE_INFINITY);
    askings.end(one, 2000, 'success');
    expect(askings.dueAt(one)).toBeCloseTo(1000 + 66_000, 6);
    // The league has begun to play: the shorter interval counts from the last asking too.
    expect(askings.dueAt({ ...one, intervalSeconds: 15 })).toBeCloseTo(1000 + 16_500, 6);
  });

  it('given failures that may be repeated, after 1, 2 and 4 seconds by the pace, and then at the next interval', () => {
    const askings = at(0.5, 2);
    const one = question('a', { intervalSeconds: 60 });
    let now = 0;
    const waits: number[] = [];
    for (let asked = 0; asked < 5; asked++) {
      askings.begin(one, now);
      askings.end(one, now, 'retry');
      waits.push(askings.dueAt(one) - now);
      now = askings.dueAt(one);
    }
    expect(waits).toEqual([500, 1000, 2000, 30_000, 500]);
  });

  it('given a failure that may not, at the next interval; what is asked once is asked again until it succeeds', () => {
    const askings = at(0.5);
    const [one, once] = [question('a', { intervalSeconds: 60 }), question('b', { intervalSeconds: 'once' })];
    for (const asked of [one, once]) {
      askings.begin(asked, 0);
      askings.end(asked, 100, 'failed');
    }
    expect([askings.dueAt(one), askings.dueAt(once)]).toEqual([60_000, 600_000]);
    askings.begin(once, 600_000);
    askings.end(once, 600_100, 'success');
    expect(askings.dueAt(once)).toBe(Number.POSITIVE_INFINITY);
  });

  it('given an answer that took longer than the interval, the rounds that it overtook are left out', () => {
    const askings = at(0.5);
    const one = question('a', { intervalSeconds: 15 });
    askings.begin(one, 0);
    askings.end(one, 40_000, 'success');
    expect(askings.dueAt(one)).toBe(45_000);
  });

  it('given a line, its questions wait for each other', () => {
    const askings = at(0.5);
    const sequence = { name: 'rosters', apart: 30 };
    const [one, two] = [
      question('a', { sequence, intervalSeconds: 86_400 }),
      question('b', { sequence, intervalSeconds: 86_400 }),
    ];
    askings.begin(one, 1000);
    askings.end(one, 1500, 'success');
    expect(askings.dueAt(two)).toBe(31_000);
    askings.begin(two, 31_000);
    askings.undoBegin(two);
    expect(askings.dueAt(two)).toBe(31_000);
  });
});

it('in any order of ends, a question is never asked before 0.9 of its interval, but to repeat what failed', () => {
  fc.assert(
    fc.property(
      fc.array(
        fc.record({
          end: fc.constantFrom(...END),
          took: fc.nat(60_000),
          random: fc.double({ min: 0, max: 0.999, noNaN: true }),
        }),
        { maxLength: 40 },
      ),
      fc.constantFrom(0.1, 1, 60),
      fc.integer({ min: 15, max: 3600 }),
      (rounds, pace, intervalSeconds) => {
        let random = 0;
        const askings = createRequestSchedule({ pace, random: () => random });
        const one = question('a', { intervalSeconds });
        let last: number | undefined;
        let failures = 0;
        let now = 0;
        for (const round of rounds) {
          random = round.random;
          now = Math.max(now, askings.dueAt(one));
          if (last !== undefined) {
            const repeated =
              failures > 0 && failures <= 3 ? (2 ** (failures - 1) * 1000) / pace : (900 * intervalSeconds) / pace;
            expect(now - last).toBeGreaterThanOrEqual(repeated - 0.001);
          }
          askings.begin(one, now);
          last = now;
          now += round.took;
          askings.end(one, now, round.end);
          failures = round.end === 'retry' ? (failures > 3 ? 1 : failures + 1) : 0;
          if (failures > 3) failures = 0;
        }
      },
    ),
    { numRuns: cases(300) },
  );
});
