import type { ProjectionCommit, ReadStore } from '../../../read-models/store/read-store.ts';
import type { AnswerCache } from './answer-cache.ts';

type ProjectionWrites = Pick<ProjectionCommit, 'projection' | 'generation' | 'writes'>;

/**
 * The read store as the projection runner gets it: the cache hears of every write before it begins, and of its end
 * before the runner does. So whoever waits for a position (`?wait=projected`) finds nothing older in the cache. Only
 * writes to builds that are read count: a rebuild that fills another one beside changes no answer until it takes over.
 *
 * All writes must pass here. Where another process runs the projections, this cache must not be used.
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
      // What failed may have been carried out nevertheless.
      for (const done of changes) done();
      // It took over while it was written.
      for (const part of parts) if (isRead(part) && !read.includes(part)) open(part)();
    }
  }

  async function activate(...[projection, build, over]: Parameters<ReadStore['activate']>): Promise<void> {
    const done = answers.beginChange(projection, undefined);
    // Until it is over nobody knows which one is read.
    active.delete(projection);
    activations++;
    try {
      await store.activate(projection, build, over);
      active.set(projection, build);
    } finally {
      activations++;
      done();
    }
  }

  return {
    // Nothing that is read changes here.
    get: (projection, key) => store.get(projection, key),
    getMany: (projection, keys) => store.getMany(projection, keys),
    getAcross: (wanted) => store.getAcross(wanted),
    getDerived: (projection, keys, derivation) => store.getDerived(projection, keys, derivation),
    find: (projection, query) => store.find(projection, query),
    findEach: (projection, queries) => store.findEach(projection, queries),
    prepare: (projection, build) => store.prepare(projection, build),
    activeGeneration: (projection) => store.activeGeneration(projection),
    generations: (projection) => store.generations(projection),
    load: (projection, build, keys) => store.load(projection, build, keys),
    checkpoint: (projection, build, partition) => store.checkpoint(projection, build, partition),
    drop: (projection, build) => store.drop(projection, build),
    scan: (projection, build, after, limit) => store.scan(projection, build, after, limit),
    close: () => store.close(),

    commit: (commits) => writing(commits, () => store.commit(commits)),
    write: (part) => writing([part], () => store.write(part)),
    activate,
  };
}
