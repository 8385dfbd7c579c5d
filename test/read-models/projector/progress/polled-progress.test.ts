import { describe, expect, it } from 'vitest';
import type { PartitionPositions } from '../../../../src/domain/event-sourcing/position.ts';
import { checkpointsIn, createPolledProgress } from '../../../../src/read-models/projector/progress/polled-progress.ts';
import { createMemoryStore } from '../../../../src/read-models/store/memory-store.ts';
import { progressContract } from '../../progress.contract.ts';
import { gate } from '../../runner-kit.ts';
import { polledWorld } from './polled-progress-harness.ts';

progressContract('by the checkpoints in a store', () => polledWorld(createMemoryStore(), checkpointsIn));

/** A store that is asked by hand, and timers that nobody waits for. */
function world(stopped: ReadonlySet<string> = new Set()) {
  const standing = new Map<string, Map<string, bigint>>([
    ['tallies', new Map()],
    ['others', new Map()],
  ]);
  const due: (() => void)[] = [];
  const asked: (readonly string[])[] = [];
  let fault: Error | undefined;
  const progress = createPolledProgress({
    projections: ['tallies', 'others'],
    checkpointsOf: async (_, partitions) => {
      asked.push(partitions);
      if (fault) throw fault;
      return new Map([...standing].map(([name, places]) => [name, new Map(places)]));
    },
    readEnds: async () => new Map(),
    stoppedProjections: () => stopped,
    setTimer: (callback) => {
      due.push(callback);
      return () => void due.splice(due.indexOf(callback) >>> 0, 1);
    },
  });
  return {
    progress,
    asked,
    due,
    standing,
    fail: (error?: Error) => {
      fault = error;
    },
    turn: () => new Promise((resolve) => setImmediate(resolve)),
  };
}
const places = (position: bigint): PartitionPositions => new Map([['one', position]]);

describe('progress by the checkpoints in a store', () => {
  it('looks at once, then at every poll while somebody waits, and no longer', async () => {
    const { progress, asked, due, standing, turn } = world();
    const waiting = Promise.all([progress.waitFor(places(5n)), progress.waitFor(places(7n))]);
    await turn();
    const first = asked.length;
    expect(first).toBeGreaterThan(0);
    due.shift()!();
    await turn();
    expect(asked.length).toBe(first + 1);
    for (const one of standing.values()) one.set('one', 7n);
    due.shift()!();
    await waiting;
    await turn();
    expect(due).toEqual([]);
  });

  it('looks when it is woken, and asks for nothing where nobody waits', async () => {
    const { progress, asked, standing, turn } = world();
    progress.wake();
    await turn();
    expect(asked).toEqual([]);
    const waiting = progress.waitFor(places(5n));
    await turn();
    for (const one of standing.values()) one.set('one', 5n);
    progress.wake();
    await waiting;
  });

  it('goes on where the store fails', async () => {
    const { progress, due, standing, fail, turn } = world();
    fail(new Error('the read store is away'));
    const waiting = progress.waitFor(places(5n));
    await turn();
    for (const one of standing.values()) one.set('one', 5n);
    fail();
    due.shift()!();
    await waiting;
  });

  it('waits for every projection, and for none that has stopped', async () => {
    const stopped = new Set<string>();
    const { progress, standing, turn } = world(stopped);
    standing.get('tallies')!.set('one', 5n);
    const passed = gate();
    const waiting = progress.waitFor(places(5n)).then(passed.open);
    await turn();
    let isOver = false;
    void passed.passed().then(() => {
      isOver = true;
    });
    progress.wake();
    await turn();
    expect(isOver).toBe(false);
    stopped.add('others');
    progress.wake();
    await waiting;
  });

  it('tells those who wait that nothing more comes', async () => {
    const { progress } = world();
    const waiting = progress.waitFor(places(5n));
    progress.end(new Error('the process ends'));
    await expect(waiting).rejects.toThrow('the process ends');
    await expect(progress.waitFor(places(5n))).rejects.toThrow('the process ends');
  });
});
