import { expect, it } from 'vitest';
import { UnavailableError } from '../../../src/domain/primitives/domain-errors.ts';
import { createClusterClock } from '../../../src/platform/clock/cluster-clock.ts';

const NOW = Date.parse('2026-03-01T12:00:00Z');

it.each([
  [0, false, true],
  [-1900, false, true],
  [2500, true, true],
  [-29_000, true, true],
  [31_000, true, false],
  [-31_000, true, false],
])('a clock that is %s ms ahead of the registry: off %s, open %s', (ahead, isOff, isOpen) => {
  const clock = createClusterClock({ now: () => NOW });

  clock.setOffset(ahead);

  expect([clock.isOff, clock.isOpen, clock.ahead]).toEqual([isOff, isOpen, ahead]);
  if (isOpen) {
    expect(clock.stamp()).toBe(NOW);
    clock.assertOpen();
  } else {
    expect(clock.refusal).toBeInstanceOf(UnavailableError);
    expect(() => clock.stamp()).toThrow(UnavailableError);
    expect(() => clock.assertOpen()).toThrow(UnavailableError);
  }
});

it('is trusted before it was compared', async () => {
  const clock = createClusterClock({ now: () => NOW });
  const done: string[] = [];

  await clock.whenTrusted(async () => void done.push('at once'));

  expect([clock.isOpen, clock.ahead, done]).toEqual([true, undefined, ['at once']]);
});

it('keeps writes waiting while it is wrong, and runs them when it is right', async () => {
  const clock = createClusterClock({ now: () => NOW });
  const done: string[] = [];
  clock.setOffset(60_000);
  await clock.whenTrusted(async () => void done.push('first'));
  await clock.runWaiting();
  expect(done).toEqual([]);

  clock.setOffset(10);
  expect(() => clock.assertOpen()).toThrow('getting ready');
  await clock.runWaiting();

  expect([done, clock.isOpen]).toEqual([['first'], true]);
});
