import { foldOf } from '../../../domain/fold.ts';
import { isBefore, type Position } from '../../../domain/position.ts';
import type { Projection } from '../../../domain/projection.ts';
import type { EventLog } from '../../../event-log/event-log.ts';
import type { Delay } from '../../../platform/time/retry.ts';
import type { ReadStore } from '../../store/read-store.ts';
import { nextBuild } from '../builds.ts';
import type { RebuildResult } from '../rebuild.ts';
import { compareBuilds } from './build-plan.ts';

export interface OrderedRebuildParts {
  readonly log: Pick<EventLog, 'head' | 'readAllFrom'>;
  readonly store: Pick<ReadStore, 'activeBuild' | 'builds' | 'prepare'>;
  readonly projections: readonly Projection[];
  /** A clock that never goes back, in milliseconds. */
  readonly steadyNow: () => number;
  readonly delay: Delay;
  /** Told how many records were read so far. */
  readonly onProgress: (records: number) => void;
  readonly signal: AbortSignal;
}

const LOOK_EVERY_MS = 100;

/**
 * Makes a build of each, and waits until the processes that project have brought it to where the present one is, and it
 * has taken over. Whoever waits does nothing for it: when that one leaves, the build is finished all the same.
 */
export async function orderRebuild(parts: OrderedRebuildParts): Promise<readonly RebuildResult[]> {
  const { log, store, projections, steadyNow, delay, onProgress, signal } = parts;
  const began = steadyNow();
  const head = await log.head();
  const ordered: { readonly projection: Projection; readonly build: string }[] = [];
  for (const projection of projections) {
    const build = await nextBuild(store, projection);
    await store.prepare(projection, build);
    ordered.push({ projection, build });
  }
  const counting = countFolded(log, projections, head, onProgress, signal);
  // It is waited for below, and another failure may come first.
  counting.catch(() => {});
  const seconds = new Map<string, number>();
  for (const { projection, build } of ordered) {
    // One that was ordered later takes over from both.
    while (!(await hasTakenOver(store, projection.name, build))) await delay(LOOK_EVERY_MS, signal);
    seconds.set(projection.name, (steadyNow() - began) / 1000);
  }
  const counts = await counting;
  return projections.map(({ name }) => ({ name, records: counts.get(name)!, seconds: seconds.get(name)! }));
}

async function hasTakenOver(store: Pick<ReadStore, 'activeBuild'>, name: string, build: string): Promise<boolean> {
  const active = await store.activeBuild(name);
  return active !== null && compareBuilds(active, build) >= 0;
}

/** The records that concern a document of each, up to where the log ended: those who fold them tell nobody. */
async function countFolded(
  log: Pick<EventLog, 'readAllFrom'>,
  projections: readonly Projection[],
  head: Position | null,
  onProgress: (records: number) => void,
  signal: AbortSignal,
): Promise<ReadonlyMap<string, number>> {
  const counts = new Map(projections.map(({ name }) => [name, 0]));
  const folds = projections.map((projection) => ({ name: projection.name, fold: foldOf(projection) }));
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
