import { createMemoryLog } from '../../src/event-log/storage/memory-log.ts';
import { createMemoryProgress } from '../../src/read-models/projector/progress/memory-progress.ts';
import { progressOfRunner } from '../../src/read-models/projector/runner-progress.ts';
import { createMemoryStore } from '../../src/read-models/store/memory-store.ts';
import type { ReadStore } from '../../src/read-models/store/read-store.ts';
import type { ProgressWorld } from './progress.contract.ts';
import { gate, runnerOf } from './runner-kit.ts';
import { tallies } from './toys.ts';

/** A runner whose store takes no commits until it is let on. */
export async function runnerWorld(): Promise<ProgressWorld> {
  const log = createMemoryLog();
  const inner = createMemoryStore();
  let closed = gate();
  const store: ReadStore = {
    ...inner,
    commit: async (commits) => {
      await closed.passed();
      await inner.commit(commits);
    },
  };
  const runner = runnerOf(log, store, [tallies(), tallies('others')]);
  await runner.start();
  await runner.caughtUp();
  const progress = progressOfRunner(runner, log);
  return {
    progress,
    async append(partition) {
      const event = { type: 'Counted', version: 1, data: { key: partition, amount: 1 }, meta: { partition } };
      return (await log.append(`toys-${partition}`, [event], 'any')).position!;
    },
    async project() {
      const head = await log.head();
      const before = closed;
      before.open();
      if (head !== null) await runner.waitFor(head);
      closed = gate();
    },
    async close() {
      closed.open();
      await runner.stop();
      await inner.close();
    },
  };
}

export async function memoryWorld(): Promise<ProgressWorld> {
  const names = ['tallies', 'others'];
  const progress = createMemoryProgress(names);
  const ends = new Map<string, bigint>();
  let position = 0n;
  return {
    progress,
    async append(partition) {
      // With gaps, as between the records of other partitions.
      position += 3n;
      ends.set(partition, position);
      progress.appended(partition, position);
      return position;
    },
    async project() {
      for (const name of names) for (const [partition, end] of ends) progress.projected(name, partition, end);
    },
    async close() {
      progress.end(new Error('it is over'));
    },
  };
}
