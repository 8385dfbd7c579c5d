import { ONE_PARTITION } from '../../../src/domain/event-sourcing/partition-of.ts';
import { isBefore } from '../../../src/domain/event-sourcing/position.ts';
import { createMemoryStore } from '../../../src/read-models/store/memory-store.ts';
import type { DocumentPut, ProjectionCommit, ReadStore } from '../../../src/read-models/store/read-store.ts';
import type { Disk } from './disk.ts';
import type { Truth } from './truth.ts';
import type { World } from './world.ts';

/** The read store that outlives the processes. It looks at everything that they do to it. */
export interface DurableStore extends ReadStore {
  /** The first half of a commit where there is no transaction: a crash may come before the second. */
  writeDocuments(commits: readonly ProjectionCommit[]): Promise<void>;
  /** Every document of the active builds reflects its records up to here, or more of them. */
  checkReflects(names: readonly string[], position: number): Promise<void>;
  /** The active builds hold what the log amounts to, no less and no more. */
  checkEqualsFold(): Promise<void>;
}

const versionOf = (build: string): number => Number(/^v(\d+)/.exec(build)![1]);

/** @param mayGoBack where several instances ran at once, projections may have been left at different places: a new
 *  version, filled to where the next instance's others stand, may show older documents for a while */
export function createDurableStore(
  world: World,
  disk: Disk,
  truth: Truth,
  names: readonly string[],
  mayGoBack: boolean,
): DurableStore {
  const inner = createMemoryStore();
  const checkpoints = new Map<string, bigint>();

  async function checkWrites({ projection, generation, writes }: Omit<ProjectionCommit, 'checkpoint'>): Promise<void> {
    for (const { key, position, document } of writes as readonly DocumentPut[]) {
      const wrong = truth.wrongWith(projection, versionOf(generation), key, Number(position), document);
      if (wrong) world.fail(`build ${generation}: committed ${wrong}`);
    }
  }

  async function checkCommitted(commit: ProjectionCommit): Promise<void> {
    const { projection, generation, expected, checkpoint } = commit;
    const name = `${projection}/${generation}`;
    const before = checkpoints.get(name) ?? null;
    world.check(before === expected, () => `${name}: committed from ${expected}, but its checkpoint was ${before}`);
    world.check(!isBefore(checkpoint, before), () => `${name}: back from ${before} to ${checkpoint}`);
    const end = BigInt(disk.records.length);
    world.check(!isBefore(end, checkpoint), () => `${name}: beyond the log's end: ${checkpoint}`);
    if (checkpoint !== null) checkpoints.set(name, checkpoint);
    await checkWrites(commit);
    const due = truth.lastOf(projection, versionOf(generation), Number(checkpoint ?? 0n));
    const keys = [...due.keys()];
    const stored = await inner.load(projection, generation, keys);
    keys.forEach((key, i) => {
      const position = stored[i]?.position ?? null;
      world.check(
        position !== null && position >= BigInt(due.get(key)!.position),
        () => `${name}: the checkpoint is at ${checkpoint}, but ${key} is as of ${position}`,
      );
    });
  }

  /** What the active build holds, as it must be found in the one that takes over. */
  async function checkTakeOver(projection: string, build: string): Promise<() => void> {
    const active = await inner.activeGeneration(projection);
    if (active === null || active === build) return () => {};
    if (mayGoBack && versionOf(active) !== versionOf(build)) return () => {};
    const checkpoint = (await inner.checkpoint(projection, active, ONE_PARTITION)) ?? 0n;
    // Where documents come before their checkpoint, a crash may have left some that nobody answers for.
    const old = (await inner.scan(projection, active, null, 1_000_000)).filter(
      ({ position }) => position <= checkpoint,
    );
    const next = await inner.load(
      projection,
      build,
      old.map(({ key }) => key),
    );
    return () =>
      old.forEach(({ key, position }, i) => {
        world.check(
          next[i] !== undefined && next[i].position >= position,
          () => `${projection}: ${build} took over with ${key} as of ${next[i]?.position}, which was as of ${position}`,
        );
      });
  }

  const forget = async (projection: string): Promise<void> => {
    const builds = new Set((await inner.generations(projection)).map((build) => `${projection}/${build}`));
    for (const name of [...checkpoints.keys()]) {
      if (name.startsWith(`${projection}/`) && !builds.has(name)) checkpoints.delete(name);
    }
  };

  return {
    ...inner,
    async commit(commits) {
      await inner.commit(commits);
      for (const commit of commits) await checkCommitted(commit);
    },
    async activate(projection, build, over) {
      const check = await checkTakeOver(projection, build);
      await inner.activate(projection, build, over);
      check();
      await forget(projection);
    },
    async drop(projection, build) {
      await inner.drop(projection, build);
      await forget(projection);
    },
    async write(part) {
      await inner.write(part);
      await checkWrites(part);
    },
    async writeDocuments(commits) {
      for (const { checkpoint: _, ...part } of commits) {
        const { projection, generation } = part;
        // Such a store would not know that this instance has lost the projection.
        if (!(await inner.generations(projection)).includes(generation)) continue;
        await inner.write({ ...part, expected: await inner.checkpoint(projection, generation, ONE_PARTITION) });
        await checkWrites(part);
      }
    },
    async checkReflects(wanted, position) {
      for (const name of wanted) {
        const build = (await inner.activeGeneration(name))!;
        for (const [key, stage] of truth.lastOf(name, versionOf(build), position)) {
          const stored = await inner.get(name, key);
          world.check(
            stored !== undefined && stored.position >= BigInt(stage.position),
            () => `waited for ${position}, but ${name} ${key} is as of ${stored?.position}, not ${stage.position}`,
          );
        }
      }
    },
    async checkEqualsFold() {
      for (const name of names) {
        const build = (await inner.activeGeneration(name))!;
        const due = truth.lastOf(name, versionOf(build), Number.POSITIVE_INFINITY);
        for (const { key, position, document } of await inner.scan(name, build, null, 1_000_000)) {
          const wrong = truth.wrongWith(name, versionOf(build), key, Number(position), document);
          if (wrong) world.fail(`in the end ${wrong}`);
          const last = due.get(key)!.position;
          world.check(
            BigInt(last) === position,
            () => `in the end ${name} ${key} is as of ${position}, but its last record is ${last}`,
          );
          due.delete(key);
        }
        world.check(due.size === 0, () => `in the end ${name} lacks ${[...due.keys()]}`);
      }
    },
  };
}
