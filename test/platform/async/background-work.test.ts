import { setImmediate } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { createBackgroundWork } from '../../../src/platform/async/background-work.ts';
import { createTimers } from '../../api/streams/timers.ts';

/** Background work in pieces of one millisecond, on a clock that they alone move. */
function world() {
  const timers = createTimers();
  let time = 0;
  const background = createBackgroundWork(timers.setTimer, () => time);
  let pieces = 0;
  const work = async (count: number) => {
    for (; count > 0; count--) {
      await background.yieldToRequests();
      pieces++;
      time += 1;
    }
  };
  const turns = async (count: number) => {
    for (; count > 0; count--) await setImmediate();
  };
  return {
    timers,
    background,
    work,
    turns,
    get pieces() {
      return pieces;
    },
  };
}

describe('background work', () => {
  it('stops while a request is in progress, and continues when none is', async () => {
    const given = world();
    given.background.requestStarted();
    given.background.requestStarted();
    const working = given.work(10);
    await given.turns(20);
    expect(given.pieces).toBe(0);
    given.background.requestEnded();
    await given.turns(20);
    expect(given.pieces).toBe(0);
    given.background.requestEnded();
    await working;
    expect(given.pieces).toBe(10);
  });

  it('yields to the event loop between its pieces', async () => {
    const given = world();
    const working = given.work(10);
    await given.turns(5);
    const done = given.pieces;
    expect(done).toBeGreaterThan(0);
    expect(done).toBeLessThan(10);
    given.background.requestStarted();
    await given.turns(20);
    expect(given.pieces).toBeLessThanOrEqual(done + 1);
    given.background.requestEnded();
    await working;
  });

  it('progresses slowly while there are always requests', async () => {
    const given = world();
    given.background.requestStarted();
    const working = given.work(3);
    for (let piece = 1; piece <= 3; piece++) {
      await given.turns(3);
      expect(given.pieces).toBe(piece - 1);
      given.timers.advance(20);
      await given.turns(1);
      expect(given.pieces).toBe(piece);
    }
    await working;
  });
});
