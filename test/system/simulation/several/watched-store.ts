import { isBefore } from '../../../../src/domain/event-sourcing/position.ts';
import { createMemoryStore } from '../../../../src/read-models/store/memory-store.ts';
import type { ProjectionCommit, ReadStore } from '../../../../src/read-models/store/read-store.ts';
import type { World } from '../world.ts';

/** The read store that outlives the processes, which sees to it that no document and no checkpoint goes back. */
export function createWatchedStore(world: World): ReadStore {
  const inner = createMemoryStore();
  const checkpoints = new Map<string, bigint>();
  const documents = new Map<string, bigint>();

  function checkCheckpoint({ projection, generation, expected, checkpoint }: ProjectionCommit): void {
    const name = `${projection}/${generation}`;
    const before = checkpoints.get(name) ?? null;
    world.check(before === expected, () => `${name}: committed from ${expected}, but its checkpoint was ${before}`);
    world.check(!isBefore(checkpoint, before), () => `${name}: back from ${before} to ${checkpoint}`);
    if (checkpoint !== null) checkpoints.set(name, checkpoint);
  }

  async function checkDocuments({
    projection,
    generation,
    writes,
  }: Pick<ProjectionCommit, 'projection' | 'generation' | 'writes'>) {
    const keys = writes.map(({ key }) => key);
    const stored = await inner.load(projection, generation, keys);
    for (const [index, key] of keys.entries()) {
      const name = `${projection}/${generation} ${key}`;
      const position = stored[index]?.position;
      const before = documents.get(name);
      world.check(
        position !== undefined && (before === undefined || position >= before),
        () => `${name}: was as of ${before}, and is as of ${position}`,
      );
      documents.set(name, position!);
    }
  }

  return {
    ...inner,
    async commit(commits) {
      await inner.commit(commits);
      for (const commit of commits) checkCheckpoint(commit);
      for (const commit of commits) await checkDocuments(commit);
    },
    async write(part) {
      await inner.write(part);
      await checkDocuments(part);
    },
  };
}
