import type { Projection } from '../../../domain/projection.ts';
import type { ReadStore } from '../../store/read-store.ts';
import { nextBuild } from '../builds.ts';
import type { Lane } from '../projection-lane.ts';
import type { RebuildResult } from '../rebuild.ts';
import type { WaitOptions } from '../waiters.ts';
import type { BuildKeeper } from './build-keeper.ts';

export interface SharedRebuildOptions {
  readonly store: Pick<ReadStore, 'builds' | 'prepare' | 'drop'>;
  readonly projections: readonly Projection[];
  readonly builds: Pick<BuildKeeper, 'plans'>;
  readonly retrying: <T>(work: () => Promise<T>) => Promise<T>;
  readonly now: () => number;
  /** All that this instance feeds. */
  readonly lanes: () => readonly Lane[];
  /** Goes by what the store holds now. */
  readonly look: () => Promise<void>;
  readonly wait: (what: string, isReached: () => boolean, options?: WaitOptions) => Promise<void>;
}

interface Begun {
  readonly projection: Projection;
  readonly build: string;
}

/** A rebuild is a new build and no more: whoever has a partition fills it there, and feeds it then. */
export function createSharedRebuild(options: SharedRebuildOptions) {
  const { store, projections, builds, retrying, now, lanes, look, wait } = options;

  const lanesOf = ({ projection, build }: Begun): Lane[] =>
    lanes().filter((lane) => lane.projection === projection && lane.build === build);
  const failureOf = (one: Begun): string | undefined =>
    lanesOf(one).find(({ stopped, isLost }) => stopped !== null && !isLost)?.stopped ?? undefined;
  const hasTakenOver = ({ projection, build }: Begun): boolean => builds.plans.get(projection.name)?.active === build;

  async function begin(projection: Projection): Promise<Begun> {
    const build = await retrying(() => nextBuild(store, projection));
    await retrying(() => store.prepare(projection, build));
    return { projection, build };
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
    const begun: Begun[] = [];
    for (const projection of chosen) begun.push(await begin(projection));
    await look();
    await wait('the rebuild', () => begun.every((one) => hasTakenOver(one) || failureOf(one) !== undefined));
    const failures = begun.flatMap((one) => {
      const reason = failureOf(one);
      return reason === undefined ? [] : [{ one, text: `rebuild of ${one.projection.name}: ${reason}` }];
    });
    for (const { one } of failures) await retrying(() => store.drop(one.projection.name, one.build));
    if (failures.length > 0) throw new Error(failures.map(({ text }) => text).join('; '));
    const seconds = (now() - began) / 1000;
    return begun.map((one) => ({
      name: one.projection.name,
      records: lanesOf(one).reduce((sum, { folded }) => sum + folded, 0),
      seconds,
    }));
  };
}
