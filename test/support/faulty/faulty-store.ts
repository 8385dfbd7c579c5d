import type { ProjectionCommit, ReadStore } from '../../../src/read-models/store/read-store.ts';
import type { FaultyNetwork } from './faulty-network.ts';

export interface FaultyStoreOptions {
  /** Documents are written one by one, and then the checkpoint moves, as where a store has no transaction: default false.
   *  Whoever has lost the projection learns that after its documents are written. */
  readonly torn?: boolean;
}

/** A read store that is far away. `inner` is what stands there; several processes may each have their own way to it. */
export function createFaultyStore(
  inner: ReadStore,
  far: FaultyNetwork,
  { torn = false }: FaultyStoreOptions = {},
): ReadStore {
  /** A document of a position that is stored already, or of an older one, changes nothing: all that there is without a
   *  transaction. Nothing asks where the checkpoint stands. */
  async function writeDocuments({ checkpoint: _, ...part }: ProjectionCommit): Promise<void> {
    const { projection, generation, partition } = part;
    if (!(await inner.generations(projection)).includes(generation)) return;
    for (const write of part.writes) {
      await far.call('write a document', async () => {
        const expected = await inner.checkpoint(projection, generation, partition);
        await inner.write({ ...part, expected, writes: [write] });
      });
    }
  }

  async function commitTorn(commits: readonly ProjectionCommit[]): Promise<void> {
    for (const commit of commits) await writeDocuments(commit);
    for (const commit of commits) {
      await far.call('move a checkpoint', () => inner.commit([{ ...commit, writes: [] }]));
    }
  }

  return {
    get: (...args) => far.call('get', () => inner.get(...args)),
    getMany: (...args) => far.call('getMany', () => inner.getMany(...args)),
    getAcross: (wanted) => far.call('getAcross', () => inner.getAcross(wanted)),
    getDerived: (...args) => far.call('getDerived', () => inner.getDerived(...args)),
    find: (...args) => far.call('find', () => inner.find(...args)),
    findEach: (...args) => far.call('findEach', () => inner.findEach(...args)),
    prepare: (...args) => far.call('prepare', () => inner.prepare(...args)),
    activeGeneration: (projection) => far.call('activeGeneration', () => inner.activeGeneration(projection)),
    generations: (projection) => far.call('generations', () => inner.generations(projection)),
    load: (...args) => far.call('load', () => inner.load(...args)),
    commit: (commits) => (torn ? commitTorn(commits) : far.call('commit', () => inner.commit(commits))),
    write: (part) => far.call('write', () => inner.write(part)),
    checkpoint: (...args) => far.call('checkpoint', () => inner.checkpoint(...args)),
    activate: (...args) => far.call('activate', () => inner.activate(...args)),
    drop: (...args) => far.call('drop', () => inner.drop(...args)),
    scan: (...args) => far.call('scan', () => inner.scan(...args)),
    close: () => inner.close(),
  };
}
