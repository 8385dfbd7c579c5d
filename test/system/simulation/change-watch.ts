import type { DocumentChanges } from '../../../src/read-models/projector/projection-runner.ts';
import type { ProjectionStatus } from '../../../src/read-models/projector/projection-status.ts';
import type { DurableStore } from './durable-store.ts';
import type { Truth } from './truth.ts';
import type { World } from './world.ts';

/** Hears what a runner says that it has changed. */
export interface ChangeWatch {
  /** Each change once and in order, and not before its document can be read. */
  hear(changes: DocumentChanges): void;
  /** The last change of every document since the watch began was told. */
  check(truth: Truth, projections: readonly ProjectionStatus[]): void;
}

/** @param isAlone what another instance has changed, and what it has taken over, is not told here */
export function createChangeWatch(
  world: World,
  store: DurableStore,
  began: number,
  isAlone: () => boolean,
): ChangeWatch {
  const heard = new Map<string, bigint>();

  async function checkReadable(projection: string, key: string, position: bigint): Promise<void> {
    const stored = await store.get(projection, key);
    world.check(
      stored !== undefined && stored.position >= position,
      () => `${projection} ${key}: change ${position} was told, but it is stored as of ${stored?.position}`,
    );
  }

  return {
    hear({ projection, changes }) {
      for (const { key, position } of changes) {
        const name = `${projection} ${key}`;
        const before = heard.get(name);
        // Not thrown: it would go to whoever tells.
        if (before !== undefined && before >= position) {
          world.failed(new Error(`${name}: change ${position} was told after ${before}`));
        }
        heard.set(name, position);
        checkReadable(projection, key, position).catch(world.failed);
      }
    },
    check(truth, projections) {
      for (const { name, version } of projections) {
        // What a new version of the code has filled by itself is told to nobody when it takes over.
        if (!isAlone() || name === 'trail') continue;
        for (const [key, { position }] of truth.lastOf(name, version, Number.POSITIVE_INFINITY)) {
          const told = heard.get(`${name} ${key}`);
          world.check(
            position <= began || told === BigInt(position),
            () => `${name} ${key}: the change ${position} was not told; the last one was ${told}`,
          );
        }
      }
    },
  };
}
