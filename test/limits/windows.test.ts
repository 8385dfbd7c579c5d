import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { restoreWindows } from '../../src/accounts/restore-windows.ts';
import { upcast } from '../../src/domain/upcasters.ts';
import { WINDOW } from '../../src/limits/limits.ts';
import { createMemoryLimits } from '../../src/limits/memory-limits.ts';
import { createMemoryLog } from '../../src/log/memory-log.ts';

const START = Date.parse('2026-03-01T12:00:00Z');

describe('a sliding window', () => {
  it('admits so many calls in any 60 seconds, and the next one exactly when the oldest has left', () => {
    const limits = createMemoryLimits();
    const ask = (at: number) => limits.count('requests', 1, 3, START + at) as { admitted: boolean; resetAt: number };
    expect([0, 10, 59_999].map((at) => ask(at).admitted)).toEqual([true, true, true]);
    expect(ask(59_999)).toEqual({ admitted: false, counted: 3, resetAt: START + WINDOW });
    expect(ask(60_000)).toEqual({ admitted: true, counted: 3, resetAt: START + 10 + WINDOW });
    expect(ask(60_009).admitted).toBe(false);
    expect(ask(60_010).admitted).toBe(true);
  });

  it('is each key’s own, and each kind’s', () => {
    const limits = createMemoryLimits();
    expect(limits.count('requests', 1, 1, START)).toMatchObject({ admitted: true });
    expect(limits.count('requests', 2, 1, START)).toMatchObject({ admitted: true });
    expect(limits.count('score_poll', 1, 1, START)).toMatchObject({ admitted: true });
    expect(limits.count('requests', 1, 1, START)).toMatchObject({ admitted: false });
  });

  it('gives back what is taken back', () => {
    const limits = createMemoryLimits();
    limits.count('requests', 1, 2, START);
    limits.count('requests', 1, 2, START + 5);
    expect(limits.uncount('requests', 1, START + 5)).toMatchObject({ counted: 1, resetAt: START + WINDOW });
    expect(limits.count('requests', 1, 2, START + 6)).toMatchObject({ admitted: true, counted: 2 });
  });

  it('agrees with counting by hand, whatever the times', () => {
    const step = fc.record({ after: fc.integer({ min: 0, max: 20_000 }), back: fc.boolean() });
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 8 }), fc.array(step, { maxLength: 200 }), (most, steps) => {
        const limits = createMemoryLimits();
        let counted: number[] = [];
        let time = START;
        for (const { after, back } of steps) {
          time += after;
          counted = counted.filter((at) => at > time - WINDOW);
          const expected = counted.length < most;
          const result = limits.count('requests', 1, most, time) as { admitted: boolean; counted: number };
          expect(result.admitted).toBe(expected);
          if (expected) counted.push(time);
          expect(result.counted).toBe(counted.length);
          if (expected && back) {
            limits.uncount('requests', 1, time);
            counted.pop();
          }
        }
      }),
    );
  });
});

describe('places', () => {
  it('are free again once, however often they are given back', () => {
    const limits = createMemoryLimits();
    const take = () => limits.enter('streams', 1, 2) as (() => void) | undefined;
    const first = take()!;
    take();
    expect(take()).toBeUndefined();
    first();
    first();
    expect(take()).toBeTypeOf('function');
    expect(take()).toBeUndefined();
  });
});

describe('after a restart', () => {
  it('windows hold the calls of the last minute that the log tells of, without those refused with 429', async () => {
    let time = START - 120_000;
    const log = createMemoryLog({ now: () => time, upcast });
    const call = (at: number, status: number, budget?: string) => ({
      ...{ at: new Date(at).toISOString(), keyId: 7, operation: 'x', requestId: `r${at}`, status, milliseconds: 1 },
      ...(budget === undefined ? {} : { budget }),
    });
    // Of version 1: an object for each call.
    const append = async (type: string, data: object) => {
      const meta = { partition: 'account-1' };
      await log.append('account-1', [{ type, version: 1, data, meta }], 'any');
    };
    await append('CallsAnswered', { accountId: 1, calls: [call(START - 110_000, 200)] });
    time = START - 1000;
    await append('CallsAnswered', {
      accountId: 1,
      calls: [call(START - 60_000, 200), call(START - 59_999, 404), call(START - 5000, 429)],
    });
    await append('CreditsCharged', {
      accountId: 1,
      charges: [{ ...call(START - 2000, 200, 'score_poll'), credits: 1 }],
    });
    const limits = createMemoryLimits();
    await restoreWindows(log, limits, START);
    expect(limits.count('requests', 7, 3, START)).toEqual({ admitted: true, counted: 3, resetAt: START + 1 });
    expect(limits.count('requests', 7, 3, START)).toMatchObject({ admitted: false });
    expect(limits.count('score_poll', 7, 2, START)).toMatchObject({ admitted: true, counted: 2 });
  });
});
