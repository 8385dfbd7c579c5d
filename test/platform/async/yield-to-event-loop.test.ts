import { expect, it } from 'vitest';
import { yieldToEventLoop } from '../../../src/platform/async/yield-to-event-loop.ts';
import { longestBlocking, MAX_BLOCKING_MS } from '../../support/longest-blocking.ts';

/** Holds the event loop. */
function work(milliseconds: number): void {
  const end = performance.now() + milliseconds;
  while (performance.now() < end);
}

it('many callers at once hold the event loop no longer than one of them', async () => {
  const works = async () => {
    for (let piece = 0; piece < 10; piece++) {
      work(1);
      await yieldToEventLoop();
    }
  };
  const { longest } = await longestBlocking(() => Promise.all(Array.from({ length: 60 }, works)));
  expect(longest).toBeLessThan(MAX_BLOCKING_MS);
});

it('waiting callers continue in the order of their calls, and none is forgotten', async () => {
  const ended: number[] = [];
  const works = async (number: number) => {
    work(6);
    await yieldToEventLoop();
    await yieldToEventLoop();
    ended.push(number);
  };
  await Promise.all([0, 1, 2, 3].map(works));
  expect(ended).toEqual([0, 1, 2, 3]);
});
