import { type Document, MongoServerError, ObjectId } from 'mongodb';
import type { Projection } from '../../../domain/event-sourcing/projection.ts';
import { assertSameLayout, type DocumentLayout, documentLayoutOf } from '../document-layout.ts';
import { shareRequests } from '../shared-request.ts';
import type { MongoConnection } from './mongo-connection.ts';
import { memberOf } from './mongo-documents.ts';
import { ReadStoreUnavailable } from './read-store-unavailable.ts';

export interface MongoGeneration {
  readonly projection: string;
  readonly name: string;
  /** The collection of its documents. The name is never used again, not even for a new generation of the same name. */
  readonly collection: string;
  readonly layout: DocumentLayout;
}

/** The document of a projection. Every change of its generations changes only this document, in one step. */
interface ProjectionEntry {
  readonly _id: string;
  /** The name of the active generation. */
  readonly active: string;
  /** Generations in the order in which they were prepared. */
  readonly builds: readonly GenerationEntry[];
}

interface GenerationEntry {
  readonly name: string;
  readonly collection: string;
  /** JSON. */
  readonly layout: string;
  /** The generation is being deleted. */
  readonly dropped?: true;
}

interface MongoGenerations {
  /** The active generation, at most one second old. @throws ReadStoreUnavailable if there is none yet */
  active(projection: string): Promise<MongoGeneration>;
  /** The same; undefined if there is none yet. */
  findActive(projection: string): Promise<MongoGeneration | undefined>;
  /** A generation, at most one second old. */
  find(projection: string, generation: string): Promise<MongoGeneration | undefined>;
  /** The present state, without the cache. */
  readAll(projection: string): Promise<{ readonly active: string | null; readonly builds: readonly MongoGeneration[] }>;
  prepare(projection: Projection, generation: string): Promise<MongoGeneration>;
  /**
   * Marks the generation as dropped, which ends it for everybody, and then deletes its documents. Also deletes
   * generations that others have left marked.
   */
  drop(projection: string, generation: string): Promise<void>;
  /** Invalidates the cache. */
  invalidate(): void;
  /**
   * Called when a read of the state finds another active generation than before. Reads that have begun may still use
   * the old one.
   */
  onReplaced(listener: (projection: string) => void): void;
}

export const PROJECTIONS = 'projections';
export const CHECKPOINTS = 'checkpoints';

/** Milliseconds for which the cached state is valid. */
const CACHE_FOR_MS = 1000;
/** Age after which the cache is refreshed in the background. */
const REFRESH_AFTER_MS = CACHE_FOR_MS / 2;
const DUPLICATE_KEY = 11_000;

/** A filter for an existing generation. */
export const existsFilter = (generation: Pick<MongoGeneration, 'collection'>): Document => ({
  $elemMatch: { collection: generation.collection, dropped: { $exists: false } },
});

/** @param now milliseconds of a monotonic clock */
export function createMongoGenerations(
  { database, request, onDisconnected }: MongoConnection,
  now: () => number = () => performance.now(),
): MongoGenerations {
  const entries = database.collection<ProjectionEntry>(PROJECTIONS);
  type Entries = ReadonlyMap<string, ProjectionEntry>;
  let cached: { readonly entries: Entries; readonly at: number } | undefined;
  let reading: Promise<Entries> | undefined;
  let cacheVersion = 0;
  const layouts = new Map<string, DocumentLayout>();
  /** Collections of the last known active generations. */
  const actives = new Map<string, string | undefined>();
  const listeners = new Set<(projection: string) => void>();

  function invalidate(): void {
    cached = undefined;
    reading = undefined;
    cacheVersion++;
  }
  // The server may have other generations afterwards, or none.
  onDisconnected(invalidate);

  async function readNow(): Promise<Entries> {
    const [at, versionAtStart] = [now(), cacheVersion];
    const found = await request(() => entries.find({}, { batchSize: 1000 }).toArray());
    const result = new Map(found.map((entry) => [entry._id, entry]));
    if (versionAtStart === cacheVersion && (cached === undefined || cached.at <= at)) cached = { entries: result, at };
    for (const entry of found) {
      const collection = named(entry, entry.active)?.collection;
      const before = actives.get(entry._id);
      actives.set(entry._id, collection);
      if (before !== undefined && before !== collection) for (const listener of listeners) listener(entry._id);
    }
    return result;
  }

  function readTogether(): Promise<Entries> {
    if (reading) return reading;
    const mine = readNow().finally(() => {
      if (reading === mine) reading = undefined;
    });
    reading = mine;
    return mine;
  }

  /** The present state, read once for all callers of one moment. */
  const readShared = shareRequests(async () => {
    const found = await readNow();
    return (projection: string) => found.get(projection);
  });

  async function recent(): Promise<Entries> {
    const age = cached === undefined ? Number.POSITIVE_INFINITY : now() - cached.at;
    if (age > CACHE_FOR_MS) return readTogether();
    if (age > REFRESH_AFTER_MS) readTogether().catch(() => {});
    return cached!.entries;
  }

  function generationOf(projection: string, { name, collection, layout }: GenerationEntry): MongoGeneration {
    let parsed = layouts.get(collection);
    if (!parsed) {
      parsed = JSON.parse(layout) as DocumentLayout;
      layouts.set(collection, parsed);
    }
    return { projection, name, collection, layout: parsed };
  }

  const isLive = ({ dropped }: GenerationEntry): boolean => dropped === undefined;
  const named = (entry: ProjectionEntry | undefined, name: string) =>
    entry?.builds.find((candidate) => candidate.name === name && isLive(candidate));

  async function makeIndexes({ collection, layout }: MongoGeneration): Promise<void> {
    const all = [[], ...layout.indexes];
    for (const [field, kind] of Object.entries(layout.fields)) {
      if (kind === 'many' && !layout.indexes.some((index) => index.includes(field))) all.push([field]);
    }
    const keys = all.map((index) => [...index.map(memberOf), 'n', '_id'].map((member) => [member, 1] as const));
    await request(() =>
      database
        .collection(collection)
        .createIndexes(keys.map((key, index) => ({ key: new Map(key), name: `index_${index}` }))),
    );
  }

  async function prepare(projection: Projection, generation: string): Promise<MongoGeneration> {
    const { name } = projection;
    const layout = documentLayoutOf(projection);
    const unfit = Object.keys(layout.fields).find((field) => /[.$\0]/.test(field));
    if (unfit !== undefined) throw new Error(`projection ${name}: a field cannot have this name: ${unfit}`);
    for (;;) {
      const entry = await readShared(name);
      const existing = named(entry, generation);
      if (existing) assertSameLayout(generation, JSON.parse(existing.layout) as DocumentLayout, projection);
      const collection = `${name.replace(/[^\w-]/g, '_')}.${generation}.${new ObjectId().toHexString()}`;
      const added = existing ?? { name: generation, collection, layout: JSON.stringify(layout) };
      if (!existing && !(await add(entry, name, added))) continue;
      const prepared = generationOf(name, added);
      // Also for an existing generation: the process that added it may have died before creating the indexes.
      await makeIndexes(prepared);
      return prepared;
    }
  }

  /** False if another process was faster. */
  async function add(
    entry: ProjectionEntry | undefined,
    projection: string,
    generation: GenerationEntry,
  ): Promise<boolean> {
    try {
      if (!entry) {
        await request(() => entries.insertOne({ _id: projection, active: generation.name, builds: [generation] }));
        return true;
      }
      const isNew = { builds: { $not: { $elemMatch: { name: generation.name, dropped: { $exists: false } } } } };
      const { matchedCount } = await request(() =>
        entries.updateOne({ _id: projection, ...isNew }, { $push: { builds: generation } }),
      );
      return matchedCount === 1;
    } catch (error) {
      const { cause } = error as Error;
      if (cause instanceof MongoServerError && cause.code === DUPLICATE_KEY) return false;
      throw error;
    } finally {
      invalidate();
    }
  }

  async function drop(projection: string, generation: string): Promise<void> {
    for (;;) {
      const entry = (await readNow()).get(projection);
      if (!entry) return;
      if (entry.active === generation) throw new Error(`build ${generation} of ${projection} is active`);
      const found = named(entry, generation);
      if (found) {
        const { matchedCount } = await request(() =>
          entries.updateOne(
            { _id: projection, active: { $ne: generation }, 'builds.collection': found.collection },
            { $set: { 'builds.$.dropped': true } },
          ),
        );
        invalidate();
        if (matchedCount === 0) continue;
      }
      for (const candidate of entry.builds)
        if (candidate === found || !isLive(candidate)) await remove(projection, candidate);
      invalidate();
      return;
    }
  }

  async function remove(projection: string, { collection }: GenerationEntry): Promise<void> {
    await request(() => database.collection(CHECKPOINTS).deleteMany({ build: collection }));
    await request(() => database.dropCollection(collection));
    await request(() => entries.updateOne({ _id: projection }, { $pull: { builds: { collection } } }));
    layouts.delete(collection);
  }

  function activeOf(projection: string, entry: ProjectionEntry | undefined): MongoGeneration | undefined {
    const generation = entry && named(entry, entry.active);
    return generation && generationOf(projection, generation);
  }

  const findActive = async (projection: string): Promise<MongoGeneration | undefined> =>
    activeOf(projection, (await recent()).get(projection));

  return {
    async active(projection) {
      // Do not trust the cache that there is none: a cluster that has just started may have created and filled it
      // since.
      const generation = (await findActive(projection)) ?? activeOf(projection, await readShared(projection));
      if (!generation) throw new ReadStoreUnavailable(`projection ${projection} has no build`);
      return generation;
    },
    findActive,
    async find(projection, generation) {
      const found = named((await recent()).get(projection), generation);
      return found && generationOf(projection, found);
    },
    async readAll(projection) {
      const entry = await readShared(projection);
      const builds = (entry?.builds ?? []).filter(isLive).map((candidate) => generationOf(projection, candidate));
      return { active: entry?.active ?? null, builds };
    },
    prepare,
    drop,
    invalidate,
    onReplaced: (listener) => void listeners.add(listener),
  };
}
