import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { DAY, HOUR, MINUTE } from '../../../src/domain/primitives/time.ts';
import {
  type ClockEvidence,
  type ClockReading,
  checkClockAtStart,
  checkRunningClock,
  describeDoubt,
} from '../../../src/platform/clock/check-clock.ts';
import { cases } from '../../support/cases.ts';

const NOW = Date.parse('2026-11-22T12:00:00Z');

/** Lengths of time about the bounds of the rule, and any others. */
const lengths = fc.oneof(
  fc
    .tuple(fc.constantFrom(0, 5 * MINUTE, HOUR, DAY, 31 * DAY, 1000 * DAY), fc.integer({ min: -2, max: 2 }))
    .map(([bound, more]) => bound + more),
  fc.integer({ min: -100 * DAY, max: 4000 * DAY }),
);
const times = lengths.map((length) => NOW - length);
const boots = fc.constantFrom('one', 'other', null);
const clocks: fc.Arbitrary<ClockReading> = fc.record({
  time: times,
  uptime: lengths.map(Math.abs),
  bootId: boots,
});
const evidence: fc.Arbitrary<ClockEvidence> = fc.record({
  marker: fc.option(clocks),
  lastRecordedAt: fc.option(times),
  acceptClock: fc.option(times, { nil: undefined }),
});

/** The rule once more, sentence by sentence. */
function isDoubted(now: ClockReading, { marker, lastRecordedAt, acceptClock }: ClockEvidence): boolean {
  if (acceptClock !== undefined && Math.abs(now.time - acceptClock) <= HOUR) return false;
  if (lastRecordedAt === null) return false;
  if (!(now.time > lastRecordedAt + DAY)) return false;
  const sameBoot =
    marker !== null && marker.bootId !== null && marker.bootId === now.bootId && now.uptime >= marker.uptime;
  if (sameBoot) return now.time > marker.time + (now.uptime - marker.uptime) + 5 * MINUTE;
  return now.time > (marker === null ? lastRecordedAt : marker.time) + 31 * DAY;
}

describe('the clock at a start', () => {
  it('is doubted exactly where the rule says so', () => {
    fc.assert(
      fc.property(clocks, evidence, (now, known) => {
        expect(checkClockAtStart(now, known).doubt !== undefined).toBe(isDoubted(now, known));
      }),
      { numRuns: cases(5000) },
    );
  });

  it('is never doubted for being behind, and a clock that is believed is believed when it is set back', () => {
    fc.assert(
      fc.property(clocks, evidence, fc.nat(1000 * DAY), (now, known, back) => {
        const withoutHelp = { ...known, acceptClock: undefined };
        if (checkClockAtStart(now, withoutHelp).doubt) return;
        expect(checkClockAtStart({ ...now, time: now.time - back }, withoutHelp).doubt).toBeUndefined();
      }),
      { numRuns: cases(2000) },
    );
  });

  const known = (lastRecord: number, marker: ClockReading | null, acceptClock?: number) => ({
    marker,
    lastRecordedAt: NOW - lastRecord,
    acceptClock,
  });
  const now = { time: NOW, uptime: 10 * DAY, bootId: 'one' };
  const markOf = (ago: number, more: Partial<ClockReading> = {}) => ({
    time: NOW - ago,
    uptime: 10 * DAY - ago,
    bootId: 'one',
    ...more,
  });

  it.each([
    ['a day after the last record', known(DAY, null), undefined],
    ['more than that, and nothing tells', known(DAY + 1, null), 'long rest'],
    ['31 days after the last record', known(31 * DAY, null), 'long rest'],
    ['more than that', known(31 * DAY + 1, null), 'doubted'],
    [
      'years after the last record, minutes after a mark of another boot',
      known(900 * DAY, markOf(MINUTE, { bootId: 'two' })),
      'long rest',
    ],
    [
      '31 days and more after a mark of another boot',
      known(2 * DAY, markOf(31 * DAY + 1, { bootId: 'two' })),
      'doubted',
    ],
    ['on the same boot as long after the mark as it ran', known(9 * DAY, markOf(9 * DAY)), undefined],
    [
      'on the same boot 5 minutes more',
      known(9 * DAY, markOf(9 * DAY, { time: NOW - 9 * DAY - 5 * MINUTE })),
      undefined,
    ],
    [
      'on the same boot more than that',
      known(9 * DAY, markOf(9 * DAY, { time: NOW - 9 * DAY - 5 * MINUTE - 1 })),
      'doubted',
    ],
    [
      'on the same boot more than that, but within a day of the log',
      known(DAY, markOf(9 * DAY, { time: 0 })),
      undefined,
    ],
    [
      'a steady clock that began anew with its container',
      known(2 * DAY, markOf(DAY, { uptime: 11 * DAY })),
      'long rest',
    ],
    ['a boot without a name', known(32 * DAY, markOf(32 * DAY, { bootId: null })), 'doubted'],
    ['accepted, an hour off', known(900 * DAY, null, NOW + HOUR), 'accepted'],
    ['accepted another time', known(900 * DAY, null, NOW - HOUR - 1), 'doubted'],
  ])('%s', (_, evidenceOf, expected) => {
    const clock = evidenceOf.marker?.bootId === null ? { ...now, bootId: null } : now;
    const verdict = checkClockAtStart(clock, evidenceOf);
    expect(verdict.doubt ? 'doubted' : verdict.because).toBe(expected);
  });

  it('is always trusted if the log is empty', () => {
    expect(checkClockAtStart(now, { marker: markOf(0, { time: 0 }), lastRecordedAt: null })).toEqual({});
  });
});

describe('the clock of a running server', () => {
  it('may be ahead of the time since the start by 5 minutes, and behind by any time', () => {
    const start = { time: NOW, uptime: 1000.4, bootId: 'one' };
    const doubtOf = (elapsed: number, lead: number) =>
      checkRunningClock({ time: NOW + elapsed + lead, uptime: 1000.4 + elapsed, bootId: 'one' }, start).doubt;
    fc.assert(
      fc.property(fc.nat(1000 * DAY), lengths, (elapsed, lead) => {
        expect(doubtOf(elapsed, lead) !== undefined).toBe(lead > 5 * MINUTE);
      }),
      { numRuns: cases(2000) },
    );
    expect(doubtOf(HOUR, DAY)).toEqual({ time: NOW + HOUR + DAY, expected: NOW + HOUR, by: 'the steady clock' });
  });
});

it('a doubt is described in one line with both times and the remedy', () => {
  const text = describeDoubt({ time: NOW + 1000 * DAY, expected: NOW, by: 'the steady clock' });
  expect(text).toContain('2026-11-22T12:00:00Z');
  expect(text).toContain('ACCEPT_CLOCK=2029-08-18T12:00:00Z');
  expect(text).not.toContain('\n');
});
