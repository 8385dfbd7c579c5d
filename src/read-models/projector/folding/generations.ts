import type { Projection } from '../../../domain/event-sourcing/projection.ts';
import type { ReadStore } from '../../store/read-store.ts';
import { createProjectionWorker, type ProjectionWorker } from './projection-worker.ts';

/** Whether a generation (`v3`, `v3.2`) belongs to this version of its projection; null and undefined belong to none. */
export function isGenerationOf(generation: string | null | undefined, version: number): boolean {
  return generation?.replace(/\..*/, '') === `v${version}`;
}

/** A generation name of this version that does not exist yet. */
export async function nextGeneration(
  store: Pick<ReadStore, 'generations'>,
  { name, version }: Projection,
): Promise<string> {
  const numbers = (await store.generations(name))
    .filter((generation) => isGenerationOf(generation, version))
    .map((generation) => Number(generation.split(/\./)[1] ?? 0));
  return `v${version}.${Math.max(0, ...numbers) + 1}`;
}

/**
 * Creates the worker of a projection at start. It fills the active generation if that has the version of this code.
 * Otherwise it fills a generation beside the active one, and continues what an earlier start has filled. Drops all
 * other generations, because nothing fills them any more.
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
    const generations = await store.generations(name);
    const generation = isCurrent ? active : (generations.find((one) => isGenerationOf(one, version)) ?? `v${version}`);
    for (const other of generations) if (other !== generation && other !== active) await store.drop(name, other);
    await prepareGeneration(store, projection, generation, active);
    // Another instance may have activated its generation meanwhile. Then `prepare` may have created an empty generation
    // of the old name. Nobody would read it, and the active one would get no more records.
    if ((await store.activeGeneration(name)) !== (active ?? generation)) continue;
    const worker = createProjectionWorker(projection, generation, cacheDocuments);
    worker.awaitsActivation = active !== null && !isCurrent;
    worker.position = await store.checkpoint(name, generation, worker.partition);
    worker.checkpoint = worker.position;
    return worker;
  }
}

/** Drops the generations that were replaced, after another one became active. */
export async function dropReplacedGenerations(store: ReadStore, projection: string): Promise<void> {
  const active = await store.activeGeneration(projection);
  for (const generation of await store.generations(projection))
    if (generation !== active) await store.drop(projection, generation);
}

async function prepareGeneration(store: ReadStore, projection: Projection, generation: string, active: string | null) {
  try {
    await store.prepare(projection, generation);
  } catch (error) {
    if (active === null || generation === active) throw error;
    // Nobody has read this generation yet, so drop it: its fields may have changed while the version was being
    // developed, and the server must still start.
    await store.drop(projection.name, generation);
    await store.prepare(projection, generation);
  }
}

/** What happens to the generations of one projection. Every instance makes the same plan. */
export interface GenerationPlan {
  readonly active: string;
  /** Generations to fold records into: the active one and its successor. Empty if the active one belongs to a newer
   *  server. */
  readonly fed: readonly string[];
  /** Generations that another one has replaced. */
  readonly replaced: readonly string[];
}

/** The generation that will replace `active`, if there is one. */
export const successorOf = ({ active, fed }: GenerationPlan): string | undefined =>
  fed.find((generation) => generation !== active);

/**
 * Servers of two versions may run beside each other, with several instances of each. All of them follow what the store
 * holds. A generation of this server's version that comes after the active one replaces it; those before the active one
 * are replaced already. So creating a generation starts a rebuild, and the rebuild continues whichever instance dies.
 */
export async function planGenerations(store: ReadStore, projection: Projection): Promise<GenerationPlan> {
  const { name, version } = projection;
  for (;;) {
    const [active, generations] = await Promise.all([store.activeGeneration(name), store.generations(name)]);
    if (active === null) {
      await store.prepare(projection, `v${version}`);
      continue;
    }
    const replaced = generations.filter((generation) => compareGenerations(generation, active) < 0);
    if (generationNumbersOf(active)[0] > version) return { active, fed: [], replaced };
    const own = isGenerationOf(active, version) ? [active] : [];
    const later = generations.filter(
      (generation) => isGenerationOf(generation, version) && compareGenerations(generation, active) > 0,
    );
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

function generationNumbersOf(generation: string): readonly [version: number, number: number] {
  const [, version = '0', number = '0'] = /^v(\d+)(?:\.(\d+))?$/.exec(generation) ?? [];
  return [Number(version), Number(number)];
}
