import { describe, expect, it } from 'vitest';
import { createMemoryProgress } from '../../../../src/read-models/projector/progress/memory-progress.ts';
import { progressContract } from '../../progress.contract.ts';
import { memoryWorld, runnerWorld } from '../../progress-worlds.ts';

progressContract('by the runner', runnerWorld);
progressContract('memory', memoryWorld);

describe('progress in memory', () => {
  const places = new Map([['one', 5n]]);

  it('waits for every projection, and for none that has stopped', async () => {
    const progress = createMemoryProgress(['tallies', 'others']);
    progress.projected('tallies', 'one', 5n);
    let over = false;
    const waiting = progress.waitFor(places).then(() => {
      over = true;
    });
    progress.projected('others', 'two', 9n);
    progress.projected('others', 'one', 4n);
    await Promise.resolve();
    expect(over).toBe(false);
    progress.stopped('others');
    await waiting;
  });

  it('tells those who wait that nothing more comes', async () => {
    const progress = createMemoryProgress(['tallies']);
    const waiting = progress.waitFor(places);
    progress.end(new Error('the projections have stopped'));
    await expect(waiting).rejects.toThrow('the projections have stopped');
    await expect(progress.waitFor(places)).rejects.toThrow('the projections have stopped');
  });
});
