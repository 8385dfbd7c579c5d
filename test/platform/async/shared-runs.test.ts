import { setTimeout as delay } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { createSharedRuns } from '../../../src/platform/async/shared-runs.ts';

it('runs once at a time, and shares one further run among all who ask meanwhile', async () => {
  const { run } = createSharedRuns<string, number>();
  let [runs, atOnce, most] = [0, 0, 0];
  const work = async () => {
    most = Math.max(most, ++atOnce);
    await delay(2);
    atOnce--;
    return ++runs;
  };
  const first = run('a', work);
  const others = [run('a', work), run('a', work), run('a', work)];
  expect(await first).toBe(1);
  expect(await Promise.all(others)).toEqual([2, 2, 2]);
  expect(await run('a', work)).toBe(3);
  expect(most).toBe(1);
});

it('does not let different questions wait for each other', async () => {
  const { run } = createSharedRuns<string, string>();
  const stuck = run('a', () => delay(50, 'a'));
  expect(await Promise.race([stuck, run('b', async () => 'b')])).toBe('b');
  expect(await stuck).toBe('a');
});

it('runs again after a failure, which only those get who asked for that run', async () => {
  const { run } = createSharedRuns<string, string>();
  const failing = run('a', async () => {
    throw new Error('no');
  });
  const next = run('a', async () => 'yes');
  await expect(failing).rejects.toThrow('no');
  expect(await next).toBe('yes');
});
