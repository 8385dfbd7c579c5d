import type { Projection } from '../../../domain/projection.ts';
import type { ReadStore } from '../../store/read-store.ts';
import { isBuildOf } from '../builds.ts';

/** What is to become of the builds of one projection, whoever looks at them. */
export interface BuildPlan {
  readonly active: string;
  /** Feeds these: the active one, and one that is to take over from it. None where a newer server's is active. */
  readonly fed: readonly string[];
  /** Those that another one has replaced. */
  readonly replaced: readonly string[];
}

/** The builds of `active` and of one that takes over from it, where there is one. */
export const successorOf = ({ active, fed }: BuildPlan): string | undefined => fed.find((build) => build !== active);

/**
 * Servers of two versions may run beside each other, and several of each. All go by what the store holds: a build of this
 * server's version that comes after the active one takes over from that; those before it are replaced. So a rebuild is
 * begun by making a build, and goes on whoever dies.
 */
export async function planBuilds(store: ReadStore, projection: Projection): Promise<BuildPlan> {
  const { name, version } = projection;
  for (;;) {
    const [active, builds] = await Promise.all([store.activeBuild(name), store.builds(name)]);
    if (active === null) {
      await store.prepare(projection, `v${version}`);
      continue;
    }
    const replaced = builds.filter((build) => compareBuilds(build, active) < 0);
    if (numbersOf(active)[0] > version) return { active, fed: [], replaced };
    const own = isBuildOf(active, version) ? [active] : [];
    const later = builds.filter((build) => isBuildOf(build, version) && compareBuilds(build, active) > 0);
    if (own.length === 0 && later.length === 0) {
      await store.prepare(projection, `v${version}`);
      continue;
    }
    const successor = later.sort(compareBuilds).at(-1);
    return { active, fed: successor === undefined ? own : [...own, successor], replaced };
  }
}

/** `v3` comes before `v3.1`, and that before `v4`. */
export function compareBuilds(a: string, b: string): number {
  const [versionA, numberA] = numbersOf(a);
  const [versionB, numberB] = numbersOf(b);
  return versionA - versionB || numberA - numberB;
}

function numbersOf(build: string): readonly [version: number, number: number] {
  const [, version = '0', number = '0'] = /^v(\d+)(?:\.(\d+))?$/.exec(build) ?? [];
  return [Number(version), Number(number)];
}
