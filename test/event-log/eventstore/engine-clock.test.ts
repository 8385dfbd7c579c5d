import { describe, expect, it } from 'vitest';
import { createEngineClock } from '../../../src/event-log/eventstore/engine-clock.ts';

const NOW = Date.parse('2026-01-02T03:04:05.000Z');

/** How far the engine's clock is off this process's clock. */
function given(off: number) {
  let passed = 0;
  const clock = createEngineClock(
    () => NOW + passed,
    () => passed,
  );
  return {
    clock,
    record: () => clock.noteTime(NOW + passed + off, NOW + passed + off),
    pass: (milliseconds: number) => {
      passed += milliseconds;
    },
  };
}

describe('how long to wait until a time is final', () => {
  it('not at all if the time is further back than clocks may differ', () => {
    expect(given(0).clock.millisecondsUntilPast(NOW - 2001)).toBe(0);
  });

  it('at most as long as clocks may differ if no record of the engine was seen', () => {
    expect(given(0).clock.millisecondsUntilPast(NOW)).toBe(2001);
    expect(given(0).clock.millisecondsUntilPast(NOW + 3_600_000)).toBe(2001);
  });

  it("until the engine's clock is past it, by any record, however old", () => {
    const { clock, record, pass } = given(-400);
    record();
    expect(clock.millisecondsUntilPast(NOW)).toBe(1401);
    pass(10_000);
    expect(clock.millisecondsUntilPast(NOW + 9000)).toBe(401);
    expect(clock.millisecondsUntilPast(NOW + 8000)).toBe(0);
  });

  it('by the record that arrived soonest after it was recorded: a late one shows an earlier time', () => {
    const { clock, record, pass } = given(0);
    record();
    const wait = clock.millisecondsUntilPast(NOW);
    pass(5000);
    clock.noteTime(NOW + 1, NOW + 1);
    pass(-5000);
    expect(clock.millisecondsUntilPast(NOW)).toBe(wait);
  });
});

it('knows the latest time of a record, not that of an engine whose clock has gone back', () => {
  const { clock } = given(0);
  clock.noteTime(NOW, NOW);
  clock.noteTime(NOW, NOW - 5000);
  clock.noteTime(NOW - 1, NOW - 1);
  expect(clock.latest).toBe(NOW);
});
