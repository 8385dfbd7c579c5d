import { expect, it } from 'vitest';
import { createConcurrencySlots } from '../../../src/platform/async/concurrency.ts';

it('runs at most the given number of pieces of work at once, in the order of the calls, even after failures', async () => {
  const atOnce = createConcurrencySlots(2);
  const begun: number[] = [];
  const ends: (() => void)[] = [];
  const results = Promise.allSettled(
    [0, 1, 2, 3, 4].map((n) =>
      atOnce(async () => {
        begun.push(n);
        await new Promise<void>((resolve) => ends.push(resolve));
        if (n === 0) throw new Error('failed');
        return n;
      }),
    ),
  );
  for (let n = 0; n < 5; n++) {
    await Promise.resolve();
    expect(begun).toEqual(Array.from({ length: Math.min(5, n + 2) }, (_, i) => i));
    ends[n]!();
    await new Promise((resolve) => setImmediate(resolve));
  }
  expect((await results).map((end) => (end.status === 'fulfilled' ? end.value : 'failed'))).toEqual([
    'failed',
    1,
    2,
    3,
    4,
  ]);
});
