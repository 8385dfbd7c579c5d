import type { ProjectionCommit, ReadStore } from '../../../read-models/store/read-store.ts';
import type { AnswerCache } from './answer-cache.ts';

type ProjectionWrites = Pick<ProjectionCommit, 'projection' | 'generation' | 'writes'>;

/**
 * The read store of the projection runner. The cache learns of every write before the write begins, and of its end
 * before the runner does. So a client that waits for a position (`?wait=projected`) gets nothing older from the cache.
 * Only writes to active generations count: a rebuild in another generation changes no answer until it is activated.
 *
 * All writes must go through this store. If another process runs the projections, use `createClusterAnswerCache`.
 */
export function createInvalidatingStore(store: ReadStore, answers: Pick<AnswerCache, 'beginChange'>): ReadStore {
  const active = new Map<string, string>();
  let activations = 0;

  async function learnActive(projection: string): Promise<void> {
    const before = activations;
    const found = await store.activeGeneration(projection);
    if (found !== null && before === activations) active.set(projection, found);
  }

  const open = ({ projection, writes }: ProjectionWrites) =>
    answers.beginChange(
      projection,
      writes.map(({ key }) => key),
    );

  const isRead = ({ projection, generation, writes }: ProjectionWrites) =>
    writes.length > 0 && (active.get(projection) ?? generation) === generation;

  async function writing(parts: readonly ProjectionWrites[], write: () => Promise<void>): Promise<void> {
    for (const { projection } of parts) if (!active.has(projection)) await learnActive(projection);
    const read = parts.filter(isRead);
    const changes = read.map(open);
    try {
      await write();
    } finally {
      // A failed write may still have been carried out.
      for (const done of changes) done();
      // The generation was activated during the write.
      for (const part of parts) if (isRead(part) && !read.includes(part)) open(part)();
    }
  }

  async function activate(...[projection, generation, over]: Parameters<ReadStore['activate']>): Promise<void> {
    const done = answers.beginChange(projection, undefined);
    // Which generation is active is unknown until `activate` ends.
    active.delete(projection);
    activations++;
    try {
      await store.activate(projection, generation, over);
      active.set(projection, generation);
    } finally {
      activations++;
      done();
    }
  }

  return {
    // These methods change nothing that clients read.
    get: (projection, key) => store.get(projection, key),
    getMany: (projection, keys) => store.getMany(projection, keys),
    getAcross: (wanted) => store.getAcross(wanted),
    getDerived: (projection, keys, derivation) => store.getDerived(projection, keys, derivation),
    find: (projection, query) => store.find(projection, query),
    findEach: (projection, queries) => store.findEach(projection, queries),
    prepare: (projection, generation) => store.prepare(projection, generation),
    activeGeneration: (projection) => store.activeGeneration(projection),
    generations: (projection) => store.generations(projection),
    load: (projection, generation, keys) => store.load(projection, generation, keys),
    checkpoint: (projection, generation, partition) => store.checkpoint(projection, generation, partition),
    drop: (projection, generation) => store.drop(projection, generation),
    scan: (projection, generation, after, limit) => store.scan(projection, generation, after, limit),
    close: () => store.close(),

    commit: (commits) => writing(commits, () => store.commit(commits)),
    write: (part) => writing([part], () => store.write(part)),
    activate,
  };
}
