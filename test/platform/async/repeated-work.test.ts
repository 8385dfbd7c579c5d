import { describe, expect, it } from 'vitest';
import { createChangeSignal } from '../../../src/platform/async/change-signal.ts';
import { createRepeatedWork } from '../../../src/platform/async/repeated-work.ts';
import { createTimers } from '../../api/streams/timers.ts';

const turn = () => new Promise((resolve) => setImmediate(resolve));

function repeated({ isTold, run = async () => true }: { isTold: boolean; run?: (runs: number) => Promise<boolean> }) {
  const timers = createTimers();
  const signal = createChangeSignal();
  const world = { runs: 0 };
  const work = createRepeatedWork({
    run: () => run(++world.runs),
    pauseMs: 1000,
    later: timers.setTimer,
    ...(isTold && { onChange: signal.onChange }),
  });
  return { world, work, timers, tell: signal.tell };
}

describe('work that is repeated', () => {
  it('given that nobody tells of changes, then it runs after each pause', async () => {
    const { world, work, timers } = repeated({ isTold: false });
    work.start();
    for (let second = 0; second < 3; second++) {
      await turn();
      timers.advance(1000);
    }
    expect(world.runs).toBe(4);
    await work.stop();
    timers.advance(1000);
    expect(world.runs).toBe(4);
  });

  it('given that somebody tells, then it runs at each change, and has no timer meanwhile', async () => {
    const { world, work, timers, tell } = repeated({ isTold: true });
    work.start();
    await turn();
    expect([world.runs, timers.size]).toEqual([1, 0]);
    tell();
    await turn();
    expect([world.runs, timers.size]).toEqual([2, 0]);
    await work.stop();
    tell();
    expect(world.runs).toBe(2);
  });

  it('given changes during a run, then it runs once more', async () => {
    const { world, work, tell } = repeated({ isTold: true });
    work.start();
    tell();
    tell();
    expect(world.runs).toBe(1);
    await turn();
    expect(world.runs).toBe(2);
    await work.stop();
  });

  it('given that a run has failed, then it runs again after one pause, however often changes are told', async () => {
    const { world, work, timers, tell } = repeated({ isTold: true, run: async (runs) => runs >= 4 });
    work.start();
    await turn();
    tell();
    await turn();
    tell();
    await turn();
    expect([world.runs, timers.size]).toEqual([3, 1]);
    timers.advance(1000);
    await turn();
    expect([world.runs, timers.size]).toEqual([4, 0]);
    await work.stop();
  });
});
