import { createFold } from '../../../domain/event-sourcing/document-fold.ts';
import { isBefore, type Position } from '../../../domain/event-sourcing/position.ts';
import type { Projection } from '../../../domain/event-sourcing/projection.ts';
import type { EventLog } from '../../../event-log/port/event-log.ts';
import type { Delay } from '../../../platform/async/retry.ts';
import type { ReadStore } from '../../store/read-store.ts';
import { compareGenerations, nextGeneration } from '../folding/generations.ts';
import type { ProjectionWorker } from '../folding/projection-worker.ts';
import type { WaitOptions } from '../progress/waiters.ts';
import type { RebuildResult } from '../runner-rebuild.ts';
import type { GenerationManager } from './generation-manager.ts';

interface ClusterRebuildOptions {
  readonly store: Pick<ReadStore, 'generations' | 'prepare' | 'drop'>;
  readonly projections: readonly Projection[];
  readonly generations: Pick<GenerationManager, 'plans'>;
  readonly retrying: <T>(work: () => Promise<T>) => Promise<T>;
  readonly now: () => number;
  /** All workers of this instance. */
  readonly workers: () => readonly ProjectionWorker[];
  /** Reads the store again and follows its generations. */
  readonly refresh: () => Promise<void>;
  readonly wait: (what: string, isReached: () => boolean, options?: WaitOptions) => Promise<void>;
}

interface NewGeneration {
  readonly projection: Projection;
  readonly generation: string;
}

/** A rebuild only creates a new generation. Each instance fills it for its own partitions, and continues to feed it. */
export function createClusterRebuild(options: ClusterRebuildOptions) {
  const { store, projections, generations, retrying, now, workers, refresh, wait } = options;

  const workersOf = ({ projection, generation }: NewGeneration): ProjectionWorker[] =>
    workers().filter((worker) => worker.projection === projection && worker.generation === generation);
  const failureOf = (one: NewGeneration): string | undefined =>
    workersOf(one).find(({ stopReason, isLost }) => stopReason !== null && !isLost)?.stopReason ?? undefined;
  const hasTakenOver = ({ projection, generation }: NewGeneration): boolean =>
    generations.plans.get(projection.name)?.active === generation;

  async function begin(projection: Projection): Promise<NewGeneration> {
    const generation = await retrying(() => nextGeneration(store, projection));
    await retrying(() => store.prepare(projection, generation));
    return { projection, generation };
  }

  return async function rebuild(
    names: readonly string[] = projections.map(({ name }) => name),
  ): Promise<readonly RebuildResult[]> {
    const chosen = [...new Set(names)].map((name) => {
      const found = projections.find((one) => one.name === name);
      if (!found) throw new Error(`no such projection: ${name}`);
      return found;
    });
    const began = now();
    const begun: NewGeneration[] = [];
    for (const projection of chosen) begun.push(await begin(projection));
    await refresh();
    await wait('the rebuild', () => begun.every((one) => hasTakenOver(one) || failureOf(one) !== undefined));
    const failures = begun.flatMap((one) => {
      const reason = failureOf(one);
      return reason === undefined ? [] : [{ one, text: `rebuild of ${one.projection.name}: ${reason}` }];
    });
    for (const { one } of failures) await retrying(() => store.drop(one.projection.name, one.generation));
    if (failures.length > 0) throw new Error(failures.map(({ text }) => text).join('; '));
    const seconds = (now() - began) / 1000;
    return begun.map((one) => ({
      name: one.projection.name,
      records: workersOf(one).reduce((sum, { foldedRecords }) => sum + foldedRecords, 0),
      seconds,
    }));
  };
}

interface RequestedRebuildParts {
  readonly log: Pick<EventLog, 'head' | 'readAllFrom'>;
  readonly store: Pick<ReadStore, 'activeGeneration' | 'generations' | 'prepare'>;
  readonly projections: readonly Projection[];
  /** A monotonic clock, in milliseconds. */
  readonly steadyNow: () => number;
  readonly delay: Delay;
  /** Called with the number of records read so far. */
  readonly onProgress: (records: number) => void;
  readonly signal: AbortSignal;
}

const POLL_EVERY_MS = 100;

/**
 * Creates a generation of each projection and waits until it is active. The projecting processes fill it up to where
 * the present generation is. The caller does nothing for that: if it leaves, the generation is finished all the same.
 */
export async function requestRebuild(parts: RequestedRebuildParts): Promise<readonly RebuildResult[]> {
  const { log, store, projections, steadyNow, delay, onProgress, signal } = parts;
  const began = steadyNow();
  const head = await log.head();
  const requested: { readonly projection: Projection; readonly build: string }[] = [];
  for (const projection of projections) {
    const generation = await nextGeneration(store, projection);
    await store.prepare(projection, generation);
    requested.push({ projection, build: generation });
  }
  const counting = countRelevantRecords(log, projections, head, onProgress, signal);
  // Awaited below. Another failure may come first, and this rejection must not be unhandled.
  counting.catch(() => {});
  const seconds = new Map<string, number>();
  for (const { projection, build: generation } of requested) {
    // A generation that was requested later replaces both.
    while (!(await hasTakenOver(store, projection.name, generation))) await delay(POLL_EVERY_MS, signal);
    seconds.set(projection.name, (steadyNow() - began) / 1000);
  }
  const counts = await counting;
  return projections.map(({ name }) => ({ name, records: counts.get(name)!, seconds: seconds.get(name)! }));
}

async function hasTakenOver(
  store: Pick<ReadStore, 'activeGeneration'>,
  name: string,
  generation: string,
): Promise<boolean> {
  const active = await store.activeGeneration(name);
  return active !== null && compareGenerations(active, generation) >= 0;
}

/** Counts the records that concern a document of each projection, up to the end of the log at the call. The processes
 *  that fold them report no numbers. */
async function countRelevantRecords(
  log: Pick<EventLog, 'readAllFrom'>,
  projections: readonly Projection[],
  head: Position | null,
  onProgress: (records: number) => void,
  signal: AbortSignal,
): Promise<ReadonlyMap<string, number>> {
  const counts = new Map(projections.map(({ name }) => [name, 0]));
  const folds = projections.map((projection) => ({ name: projection.name, fold: createFold(projection) }));
  let read = 0;
  if (head === null) return counts;
  for await (const page of log.readAllFrom(null, { signal })) {
    for (const record of page) {
      if (isBefore(head, record.position)) return counts;
      for (const { name, fold } of folds) if (fold.keyOf(record) !== undefined) counts.set(name, counts.get(name)! + 1);
    }
    read += page.length;
    onProgress(read);
  }
  return counts;
}
