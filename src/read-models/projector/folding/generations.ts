import type { Projection } from '../../../domain/event-sourcing/projection.ts';
import type { ReadStore } from '../../store/read-store.ts';
import { createProjectionWorker, type ProjectionWorker } from './projection-worker.ts';

/** Whether a build (`v3`, `v3.2`) is of this version of its projection; null and undefined are of none. */
export function isGenerationOf(build: string | null | undefined, version: number): boolean {
  return build?.replace(/\..*/, '') === `v${version}`;
}

/** A build name of this version that does not exist yet. */
export async function nextGeneration(
  store: Pick<ReadStore, 'generations'>,
  { name, version }: Projection,
): Promise<string> {
  const numbers = (await store.generations(name))
    .filter((build) => isGenerationOf(build, version))
    .map((build) => Number(build.split(/\./)[1] ?? 0));
  return `v${version}.${Math.max(0, ...numbers) + 1}`;
}

/**
 * The lane of a projection at start: into the active build when that is of the code's version, else into one beside
 * it, where it goes on from what an earlier start has filled. Drops all other builds: nobody fills them any more.
 */
export async function openProjectionWorker(
  store: ReadStore,
  projection: Projection,
  cacheDocuments: number,
): Promise<ProjectionWorker> {
  const { name, version } = projection;
  for (;;) {
    const active = await store.activeGeneration(name);
    const isCurrent = active !== null && isGenerationOf(active, version);
    const builds = await store.generations(name);
    const build = isCurrent ? active : (builds.find((one) => isGenerationOf(one, version)) ?? `v${version}`);
    for (const other of builds) if (other !== build && other !== active) await store.drop(name, other);
    await prepareGeneration(store, projection, build, active);
    // Another instance's build may have taken over meanwhile. What is prepared now may be a new one of the old name:
    // filled as if it were the active one, it would be read by nobody, and what is read would stand still.
    if ((await store.activeGeneration(name)) !== (active ?? build)) continue;
    const lane = createProjectionWorker(projection, build, cacheDocuments);
    lane.awaitsActivation = active !== null && !isCurrent;
    lane.position = await store.checkpoint(name, build, lane.partition);
    lane.checkpoint = lane.position;
    return lane;
  }
}

/** Drops what nobody reads or fills any more, now that another build of the projection is the active one. */
export async function dropReplacedGenerations(store: ReadStore, projection: string): Promise<void> {
  const active = await store.activeGeneration(projection);
  for (const build of await store.generations(projection)) if (build !== active) await store.drop(projection, build);
}

async function prepareGeneration(store: ReadStore, projection: Projection, build: string, active: string | null) {
  try {
    await store.prepare(projection, build);
  } catch (error) {
    if (active === null || build === active) throw error;
    // Nobody has read it yet: fields that changed while a version was being made are no reason to refuse the start.
    await store.drop(projection.name, build);
    await store.prepare(projection, build);
  }
}

/** What is to become of the builds of one projection, whoever looks at them. */
export interface GenerationPlan {
  readonly active: string;
  /** Feeds these: the active one, and one that is to take over from it. None where a newer server's is active. */
  readonly fed: readonly string[];
  /** Those that another one has replaced. */
  readonly replaced: readonly string[];
}

/** The builds of `active` and of one that takes over from it, where there is one. */
export const successorOf = ({ active, fed }: GenerationPlan): string | undefined =>
  fed.find((build) => build !== active);

/**
 * Servers of two versions may run beside each other, and several of each. All go by what the store holds: a build of this
 * server's version that comes after the active one takes over from that; those before it are replaced. So a rebuild is
 * begun by making a build, and goes on whoever dies.
 */
export async function planGenerations(store: ReadStore, projection: Projection): Promise<GenerationPlan> {
  const { name, version } = projection;
  for (;;) {
    const [active, builds] = await Promise.all([store.activeGeneration(name), store.generations(name)]);
    if (active === null) {
      await store.prepare(projection, `v${version}`);
      continue;
    }
    const replaced = builds.filter((build) => compareGenerations(build, active) < 0);
    if (generationNumbersOf(active)[0] > version) return { active, fed: [], replaced };
    const own = isGenerationOf(active, version) ? [active] : [];
    const later = builds.filter((build) => isGenerationOf(build, version) && compareGenerations(build, active) > 0);
    if (own.length === 0 && later.length === 0) {
      await store.prepare(projection, `v${version}`);
      continue;
    }
    const successor = later.sort(compareGenerations).at(-1);
    return { active, fed: successor === undefined ? own : [...own, successor], replaced };
  }
}

/** `v3` comes before `v3.1`, and that before `v4`. */
export function compareGenerations(a: string, b: string): number {
  const [versionA, numberA] = generationNumbersOf(a);
  const [versionB, numberB] = generationNumbersOf(b);
  return versionA - versionB || numberA - numberB;
}

function generationNumbersOf(build: string): readonly [version: number, number: number] {
  const [, version = '0', number = '0'] = /^v(\d+)(?:\.(\d+))?$/.exec(build) ?? [];
  return [Number(version), Number(number)];
}
