import type { Projection } from '../../domain/projection.ts';
import type { ReadStore } from '../store/read-store.ts';
import { createLane, type Lane } from './projection-lane.ts';

/** Whether a build (`v3`, `v3.2`) is of this version of its projection; null and undefined are of none. */
export function isBuildOf(build: string | null | undefined, version: number): boolean {
  return build?.replace(/\..*/, '') === `v${version}`;
}

/** A build name of this version that does not exist yet. */
export async function nextBuild(store: Pick<ReadStore, 'builds'>, { name, version }: Projection): Promise<string> {
  const numbers = (await store.builds(name))
    .filter((build) => isBuildOf(build, version))
    .map((build) => Number(build.split('.')[1] ?? 0));
  return `v${version}.${Math.max(0, ...numbers) + 1}`;
}

/**
 * The lane of a projection at start: into the active build when that is of the code's version, else into one beside
 * it, where it goes on from what an earlier start has filled. Drops all other builds: nobody fills them any more.
 */
export async function openLane(store: ReadStore, projection: Projection, cacheDocuments: number): Promise<Lane> {
  const { name, version } = projection;
  for (;;) {
    const active = await store.activeBuild(name);
    const isCurrent = active !== null && isBuildOf(active, version);
    const builds = await store.builds(name);
    const build = isCurrent ? active : (builds.find((one) => isBuildOf(one, version)) ?? `v${version}`);
    for (const other of builds) if (other !== build && other !== active) await store.drop(name, other);
    await prepareBuild(store, projection, build, active);
    // Another instance's build may have taken over meanwhile. What is prepared now may be a new one of the old name:
    // filled as if it were the active one, it would be read by nobody, and what is read would stand still.
    if ((await store.activeBuild(name)) !== (active ?? build)) continue;
    const lane = createLane(projection, build, cacheDocuments);
    lane.awaitsActivation = active !== null && !isCurrent;
    lane.position = await store.checkpoint(name, build, lane.partition);
    lane.checkpoint = lane.position;
    return lane;
  }
}

/** Drops what nobody reads or fills any more, now that another build of the projection is the active one. */
export async function dropReplaced(store: ReadStore, projection: string): Promise<void> {
  const active = await store.activeBuild(projection);
  for (const build of await store.builds(projection)) if (build !== active) await store.drop(projection, build);
}

async function prepareBuild(store: ReadStore, projection: Projection, build: string, active: string | null) {
  try {
    await store.prepare(projection, build);
  } catch (error) {
    if (active === null || build === active) throw error;
    // Nobody has read it yet: fields that changed while a version was being made are no reason to refuse the start.
    await store.drop(projection.name, build);
    await store.prepare(projection, build);
  }
}
