import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createCaptureSchedule } from '../../../src/server/backup/capture-schedule.ts';
import { cases } from '../../support/cases.ts';

/** What may be lost. */
const LOST_MS = 5000;

describe('the schedule of backups', () => {
  it('given quick ones, then each begins three seconds after the one before', () => {
    const schedule = createCaptureSchedule();
    schedule.done(10);
    expect(schedule.interval()).toBe(3000);
  });

  it('given slow ones, then what is committed is safe within five seconds, if none takes twice as long as those before', () => {
    fc.assert(
      fc.property(
        fc.array(fc.integer({ min: 0, max: 1100 }), { minLength: 1, maxLength: 20 }),
        fc.double({ min: 0, max: 2, noNaN: true }),
        (before, slower) => {
          const schedule = createCaptureSchedule();
          for (const took of before) schedule.done(took);
          const longest = Math.max(...before.slice(-5));
          // It cannot begin before the last one has ended.
          const interval = Math.max(schedule.interval(), before.at(-1)!);
          expect(interval + slower * longest).toBeLessThan(LOST_MS);
        },
      ),
      { numRuns: cases(500) },
    );
  });

  it('given slow ones that are over, then it is as before', () => {
    const schedule = createCaptureSchedule();
    schedule.done(4000);
    expect(schedule.interval()).toBe(0);
    for (let n = 0; n < 5; n++) schedule.done(10);
    expect(schedule.interval()).toBe(3000);
  });

  it('given tries that fail, then it waits longer after each, and begins with a second after one that went well', () => {
    const schedule = createCaptureSchedule();
    const waits = () => Array.from({ length: 5 }, () => schedule.failed());
    expect(waits()).toEqual([1000, 2000, 4000, 5000, 5000]);
    schedule.done(10);
    expect(schedule.failed()).toBe(1000);
  });
});
