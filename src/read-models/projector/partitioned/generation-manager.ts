import { ONE_PARTITION } from '../../../domain/event-sourcing/partition-of.ts';
import { isBefore } from '../../../domain/event-sourcing/position.ts';
import type { Projection } from '../../../domain/event-sourcing/projection.ts';
import type { RecordFeed } from '../../../event-log/subscription/record-feed.ts';
import { CheckpointMoved, GenerationNotFound, type ReadStore } from '../../store/read-store.ts';
import { type GenerationPlan, planGenerations, successorOf } from '../folding/generations.ts';

/** Plans by projection. */
export type GenerationPlans = ReadonlyMap<string, GenerationPlan>;

interface GenerationManagerOptions {
  readonly store: ReadStore;
  readonly feed: Pick<RecordFeed, 'endPositions'>;
  readonly projections: readonly Projection[];
  /** Repeats what the store has failed. */
  readonly retrying: <T>(work: () => Promise<T>) => Promise<T>;
  /** Milliseconds. */
  readonly now: () => number;
  /** How long a replaced build stays, in milliseconds. */
  readonly keepReplaced: number;
  readonly onActivated: (projection: Projection, build: string) => void;
}

/** What builds there are, and when one takes over from another, whoever has made them. */
export interface GenerationManager {
  /** As they were found last. */
  readonly plans: GenerationPlans;
  /** What the store holds; several who ask at once share the answer. */
  refresh(): Promise<GenerationPlans>;
  /** A build may be gone, and another one have its name by now. */
  forgetPrepared(): void;
  /** Makes the builds active that stand in all partitions where the active ones do. @returns whether there were some */
  activateReady(): Promise<boolean>;
  /** Drops builds that were replaced long enough ago. */
  dropReplaced(): Promise<void>;
}

export function createGenerationManager(options: GenerationManagerOptions): GenerationManager {
  const { store, feed, projections, retrying, now, keepReplaced, onActivated } = options;
  const prepared = new Set<string>();
  /** When a build was first seen that another has replaced. */
  const replacedSince = new Map<string, number>();
  let plans: GenerationPlans = new Map();
  let looking: Promise<GenerationPlans> | undefined;

  async function planOf(projection: Projection): Promise<GenerationPlan> {
    const plan = await planGenerations(store, projection);
    for (const build of plan.fed) {
      const name = `${projection.name} ${build}`;
      if (prepared.has(name)) continue;
      // Also where it is there: the store learns the projection's fields by that.
      await store.prepare(projection, build);
      prepared.add(name);
    }
    return plan;
  }

  function fresh(): Promise<GenerationPlans> {
    looking ??= retrying(async () => {
      plans = new Map(await Promise.all(projections.map(async (one) => [one.name, await planOf(one)] as const)));
      return plans;
    }).finally(() => {
      looking = undefined;
    });
    return looking;
  }

  /** False where it stands behind, or nobody is known to feed it yet. */
  async function activate({ name, needsWholeLog }: Projection, active: string, build: string): Promise<boolean> {
    const ends = needsWholeLog ? new Map([[ONE_PARTITION, null]]) : await feed.endPositions();
    const placesIn = (one: string) =>
      Promise.all([...ends.keys()].map((partition) => store.checkpoint(name, one, partition)));
    // In this order: what is read may stand further by the time at which the other has come to where it stood.
    const own = await placesIn(build);
    const read = await placesIn(active);
    // Both may stand at the very start. Who feeds what is read may not have seen yet that there is another one.
    const isUnfed = [...ends.values()].some((end, place) => end !== null && own[place] === null);
    if (isUnfed || own.some((one, place) => isBefore(one, read[place]!))) return false;
    // Of what is divided nothing stands in this partition: then it is the active build alone that must not have changed.
    const checkpoint = needsWholeLog ? read[0]! : null;
    await store.activate(name, build, { generation: active, partition: ONE_PARTITION, checkpoint });
    return true;
  }

  return {
    get plans() {
      return plans;
    },
    refresh: fresh,
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
          await fresh();
        } catch (error) {
          // Another instance was faster, or what is read has moved on: the next look tells.
          if (!(error instanceof GenerationNotFound || error instanceof CheckpointMoved)) throw error;
        }
      }
      return hasActivated;
    },
    async dropReplaced() {
      for (const [name, { replaced }] of plans) {
        for (const build of replaced) {
          const since = replacedSince.get(`${name} ${build}`) ?? now();
          replacedSince.set(`${name} ${build}`, since);
          if (now() - since < keepReplaced) continue;
          await retrying(() => store.drop(name, build));
          replacedSince.delete(`${name} ${build}`);
        }
      }
    },
  };
}
