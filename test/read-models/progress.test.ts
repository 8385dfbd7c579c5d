import { describe, expect, it } from 'vitest';
import { createMemoryProgress } from '../../src/read-models/projector/memory-progress.ts';
import { progressContract } from './progress.contract.ts';
import { memoryWorld, runnerWorld } from './progress-worlds.ts';

progressContract('by the runner', runnerWorld);
progressContract('memory', memoryWorld);

describe('progress in memory', () => {
  const places = new Map([['one', 5n]]);

  it('waits for every projection, and for none that has stopped', async () => {
    const progress = createMemoryProgress(['tallies', 'others']);
    progress.reflected('tallies', 'one', 5n);
    let over = false;
    const waiting = progress.reached(places).then(() => {
      over = true;
    });
    progress.reflected('others', 'two', 9n);
    progress.reflected('others', 'one', 4n);
    await Promise.resolve();
    expect(over).toBe(false);
    progress.stopped('others');
    await waiting;
  });

  it('tells those who wait that nothing more comes', async () => {
    const progress = createMemoryProgress(['tallies']);
    const waiting = progress.reached(places);
    progress.end(new Error('the projections have stopped'));
    await expect(waiting).rejects.toThrow('the projections have stopped');
    await expect(progress.reached(places)).rejects.toThrow('the projections have stopped');
  });
});
