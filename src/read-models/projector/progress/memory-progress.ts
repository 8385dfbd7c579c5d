import { areProjected, describePositions, type ProjectionProgress } from './projection-progress.ts';
import { createWaiters } from './waiters.ts';

/** Progress that its caller reports. Partitions are projected separately, as by several processes. */
interface MemoryProgress extends ProjectionProgress {
  /** A record is in the log. */
  appended(partition: string, position: bigint): void;
  /** A projection reflects the records of a partition up to this position. */
  projected(projection: string, partition: string, position: bigint): void;
  stopped(projection: string): void;
  /** Nothing more is projected: rejects all waiters. */
  end(reason: Error): void;
}

/** For tests, and for a single process. */
export function createMemoryProgress(projections: readonly string[]): MemoryProgress {
  const waiters = createWaiters();
  const ends = new Map<string, bigint>();
  /** By projection and partition, without stopped projections. */
  const positions = new Map(projections.map((name) => [name, new Map<string, bigint>()]));

  const waitFor: ProjectionProgress['waitFor'] = (wanted, options) =>
    waiters.wait(
      describePositions(wanted),
      () => [...positions.values()].every((known) => areProjected(known, wanted)),
      options,
    );

  return {
    waitFor,
    waitForEnd: (options) => waitFor(new Map(ends), options),
    appended(partition, position) {
      ends.set(partition, position);
    },
    projected(projection, partition, position) {
      positions.get(projection)?.set(partition, position);
      waiters.check();
    },
    stopped(projection) {
      positions.delete(projection);
      waiters.check();
    },
    end: (reason) => waiters.end(reason),
  };
}
