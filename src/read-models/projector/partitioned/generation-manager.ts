import { ONE_PARTITION } from '../../../domain/event-sourcing/partition-of.ts';
import { isBefore } from '../../../domain/event-sourcing/position.ts';
import type { Projection } from '../../../domain/event-sourcing/projection.ts';
import type { RecordFeed } from '../../../event-log/subscription/record-feed.ts';
import { CheckpointMoved, GenerationNotFound, type ReadStore } from '../../store/read-store.ts';
import { type GenerationPlan, planGenerations, successorOf } from '../folding/generations.ts';

/** Plans by name of the projection. */
export type GenerationPlans = ReadonlyMap<string, GenerationPlan>;

interface GenerationManagerOptions {
  readonly store: ReadStore;
  readonly feed: Pick<RecordFeed, 'endPositions'>;
  readonly projections: readonly Projection[];
  /** Retries store errors. */
  readonly retrying: <T>(work: () => Promise<T>) => Promise<T>;
  /** Milliseconds. */
  readonly now: () => number;
  /** How long to keep a replaced generation, in milliseconds. */
  readonly replacedRetention: number;
  readonly onActivated: (projection: Projection, generation: string) => void;
}

/** Knows the generations of all projections, and activates a generation that has caught up, whichever instance created
 *  it. */
export interface GenerationManager {
  /** The plans of the last refresh. */
  readonly plans: GenerationPlans;
  /** Reads the store; concurrent callers share the result. */
  refresh(): Promise<GenerationPlans>;
  /** A prepared generation may be gone, and another one may have its name now. */
  forgetPrepared(): void;
  /** Activates the generations that have caught up with the active one in all partitions. @returns whether there were
   *  any */
  activateReady(): Promise<boolean>;
  /** Drops generations that were replaced long enough ago. */
  dropReplaced(): Promise<void>;
}

export function createGenerationManager(options: GenerationManagerOptions): GenerationManager {
  const { store, feed, projections, retrying, now, replacedRetention: keepReplaced, onActivated } = options;
  const prepared = new Set<string>();
  /** When this instance first saw that a generation was replaced. */
  const replacedSince = new Map<string, number>();
  let plans: GenerationPlans = new Map();
  let refreshing: Promise<GenerationPlans> | undefined;

  async function planOf(projection: Projection): Promise<GenerationPlan> {
    const plan = await planGenerations(store, projection);
    for (const generation of plan.fed) {
      const name = `${projection.name} ${generation}`;
      if (prepared.has(name)) continue;
      // Prepare also an existing generation: the store learns the projection's fields from this call.
      await store.prepare(projection, generation);
      prepared.add(name);
    }
    return plan;
  }

  function refresh(): Promise<GenerationPlans> {
    refreshing ??= retrying(async () => {
      plans = new Map(await Promise.all(projections.map(async (one) => [one.name, await planOf(one)] as const)));
      return plans;
    }).finally(() => {
      refreshing = undefined;
    });
    return refreshing;
  }

  /** False if the generation is behind, or if no instance is known to feed it yet. */
  async function activate({ name, needsWholeLog }: Projection, active: string, generation: string): Promise<boolean> {
    const ends = needsWholeLog ? new Map([[ONE_PARTITION, null]]) : await feed.endPositions();
    const checkpointsOf = (one: string) =>
      Promise.all([...ends.keys()].map((partition) => store.checkpoint(name, one, partition)));
    // In this order: the active generation may move on after its successor's checkpoints were read, but a successor
    // behind it is never taken for caught up.
    const own = await checkpointsOf(generation);
    const read = await checkpointsOf(active);
    // Both may be at the very start. The instance that feeds the active generation may not have seen the new one yet.
    const isUnfed = [...ends.values()].some((end, place) => end !== null && own[place] === null);
    if (isUnfed || own.some((one, place) => isBefore(one, read[place]!))) return false;
    // A partitioned projection has no checkpoint in this partition. Then the store only checks that the active
    // generation is still the same.
    const checkpoint = needsWholeLog ? read[0]! : null;
    await store.activate(name, generation, { generation: active, partition: ONE_PARTITION, checkpoint });
    return true;
  }

  return {
    get plans() {
      return plans;
    },
    refresh,
    forgetPrepared: () => prepared.clear(),
    async activateReady() {
      let hasActivated = false;
      for (const projection of projections) {
        const plan = plans.get(projection.name);
        const successor = plan && successorOf(plan);
        if (successor === undefined) continue;
        try {
          if (!(await retrying(() => activate(projection, plan!.active, successor)))) continue;
          onActivated(projection, successor);
          hasActivated = true;
          await refresh();
        } catch (error) {
          // Another instance was faster, or the active generation has moved on. The next refresh shows which.
          if (!(error instanceof GenerationNotFound || error instanceof CheckpointMoved)) throw error;
        }
      }
      return hasActivated;
    },
    async dropReplaced() {
      for (const [name, { replaced }] of plans) {
        for (const generation of replaced) {
          const since = replacedSince.get(`${name} ${generation}`) ?? now();
          replacedSince.set(`${name} ${generation}`, since);
          if (now() - since < keepReplaced) continue;
          await retrying(() => store.drop(name, generation));
          replacedSince.delete(`${name} ${generation}`);
        }
      }
    },
  };
}
