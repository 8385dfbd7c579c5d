import type { Projection } from '../../../domain/event-sourcing/projection.ts';
import { createDerivedCache } from '../derived-cache.ts';
import {
  CheckpointMoved,
  type GenerationCheckpoint,
  GenerationNotFound,
  type ProjectionCommit,
  type SharedReadStore,
} from '../read-store.ts';
import { shareRequests } from '../shared-request.ts';
import {
  type AnyCollections,
  type CheckpointDocument,
  checkpointId,
  closeCheckpointWrite,
  FAIL_WHERE_MISSING,
  failedWritesOf,
  fenceWrites,
  type MongoWrite,
  openPosition,
} from './mongo-checkpoints.ts';
import { createMongoCommit, type MongoCommitPart } from './mongo-commit.ts';
import { connectToMongo, type MongoAddress, type MongoConnection } from './mongo-connection.ts';
import { encodeWrites } from './mongo-documents.ts';
import { createMongoFoldStore } from './mongo-fold-store.ts';
import {
  CHECKPOINTS,
  createMongoGenerations,
  existsFilter,
  type MongoGeneration,
  PROJECTIONS,
} from './mongo-generations.ts';
import { createBatchedLoads, createMongoReads } from './mongo-reads.ts';
import { ReadStoreUnavailable } from './read-store-unavailable.ts';

export interface MongoStoreOptions extends MongoAddress {
  /** Milliseconds of a monotonic clock. */
  readonly now?: () => number;
}

export interface MongoStore extends SharedReadStore {
  /** For what is stored beside the read models. */
  readonly connection: Pick<MongoConnection, 'database' | 'request'>;
}

/** Wire version of MongoDB 8.0, the first that writes to several collections with one command. */
const OLDEST_PROTOCOL = 25;

/** Checkpoints that are looked up by their ids. */
const MAX_IDS = 100;

/**
 * The read store in MongoDB, version 8.0 or newer, as a replica set. All calls reject with `ReadStoreUnavailable` while
 * the server is unavailable, and work again afterwards.
 * Each generation has a collection. There is no transaction over documents and checkpoints: documents are written
 * first, and contain their positions. A `commit` of several parts may have written some of them when it finds that
 * another part was lost at that very moment. A part that was lost before is found before anything is written.
 * @throws if the address is invalid
 */
export function openMongoStore({ now, ...address }: MongoStoreOptions): MongoStore {
  const connection = connectToMongo(address);
  const { client, database, request } = connection;
  const generations = createMongoGenerations(connection, now);
  const derived = createDerivedCache();
  const reads = createMongoReads(connection, derived);
  const load = createBatchedLoads(reads);
  const write = createMongoCommit(connection);
  const checkpoints = database.collection<CheckpointDocument>(CHECKPOINTS);
  /** The generations that this process may write, by projection and name. */
  const prepared = new Map<string, { readonly projection: Projection; readonly generation: MongoGeneration }>();
  const keyOf = (projection: string, generation: string) => `${projection}/${generation}`;

  async function generationOf(projection: string, generation: string): Promise<MongoGeneration> {
    const found = await generations.find(projection, generation);
    if (!found) throw new GenerationNotFound(projection, generation);
    return found;
  }

  async function partOf({ projection, generation, writes, ...rest }: ProjectionCommit): Promise<MongoCommitPart> {
    const target = prepared.get(keyOf(projection, generation));
    if (!target) {
      // The process that dropped the generation has taken over the projection.
      const { builds: existing } = await generations.readAll(projection);
      if (!existing.some(({ name }) => name === generation)) {
        throw new CheckpointMoved({ projection, generation, partition: rest.partition }, rest.expected, null);
      }
      throw new Error(`build ${generation} of ${projection} was not prepared here`);
    }
    const documents = await encodeWrites(target.projection, writes);
    return { ...rest, generation: target.generation, documents };
  }

  async function commit(commits: readonly ProjectionCommit[]): Promise<void> {
    const parts: MongoCommitPart[] = [];
    for (const one of commits) parts.push(await partOf(one));
    if (parts.length > 0) await write(parts);
  }

  /**
   * A process that takes over reads hundreds of checkpoints at once: one request each would keep a slow server busy.
   */
  const checkpointAt = shareRequests(async (ids: readonly string[]) => {
    const wanted = [...new Set(ids)];
    const found = await request(() =>
      checkpoints.find({ _id: { $in: wanted } }, { batchSize: wanted.length + 1 }).toArray(),
    );
    const positions = new Map(found.map((one) => [one._id, openPosition(one)]));
    return (id) => positions.get(id) ?? null;
  });
  const checkpointOf = (generation: MongoGeneration, partition: string): Promise<bigint | null> =>
    checkpointAt(checkpointId(generation, partition));

  /** False if another generation has become active meanwhile. */
  async function switchOver(
    to: MongoGeneration,
    active: string,
    over: GenerationCheckpoint | undefined,
    from: MongoGeneration | undefined,
  ) {
    const name = database.databaseName;
    const fence = over && { generation: from!, partition: over.partition, expected: over.checkpoint };
    const pointer: MongoWrite = {
      namespace: `${name}.${PROJECTIONS}`,
      name: 'updateOne',
      upsert: true,
      filter: { _id: to.projection, active, builds: existsFilter(to) },
      update: { $set: { active: to.name }, ...FAIL_WHERE_MISSING },
    };
    const fences = fence ? fenceWrites(name, fence) : [];
    // Last: if the server stopped between the two writes, nobody would fill a closed generation that is still active.
    const closing = fence ? [closeCheckpointWrite(name, fence)] : [];
    try {
      await request(() => client.bulkWrite<AnyCollections>([...fences, pointer, ...closing]));
      return true;
    } catch (error) {
      const [rest] = failedWritesOf(error) ?? [];
      if (rest === undefined) throw error;
      if (rest === fences.length) return false;
      throw new CheckpointMoved(
        { projection: to.projection, ...over! },
        over!.checkpoint,
        await checkpointOf(from!, over!.partition),
      );
    } finally {
      generations.invalidate();
    }
  }

  return {
    folds: createMongoFoldStore(connection),
    connection: { database, request },
    async prepare(projection, generation) {
      prepared.set(keyOf(projection.name, generation), {
        projection,
        generation: await generations.prepare(projection, generation),
      });
    },
    async activeGeneration(projection) {
      return (await generations.readAll(projection)).active;
    },
    async generations(projection) {
      return (await generations.readAll(projection)).builds.map(({ name }) => name);
    },
    async get<Doc>(projection: string, key: string) {
      return (await reads.get<Doc>(await generations.active(projection), [key]))[0];
    },
    async getMany<Doc>(projection: string, keys: readonly string[]) {
      return reads.get<Doc>(await generations.active(projection), keys);
    },
    async getAcross(wanted) {
      const existing = wanted.map(async ({ projection, keys }) => ({
        generation: await generations.active(projection),
        keys,
      }));
      return reads.getAcross(await Promise.all(existing));
    },
    async getDerived(projection, keys, derivation) {
      return reads.getDerived(await generations.active(projection), keys, derivation);
    },
    get derivedSize() {
      return derived.size;
    },
    async find<Doc>(projection: string, query: Parameters<typeof reads.find>[1]) {
      return reads.find<Doc>(await generations.active(projection), query);
    },
    async findEach<Doc>(projection: string, queries: Parameters<typeof reads.findEach>[1]) {
      return reads.findEach<Doc>(await generations.active(projection), queries);
    },
    async load(projection, generation, keys) {
      return load(await generationOf(projection, generation), keys);
    },
    commit,
    write: (part) => commit([{ ...part, checkpoint: part.expected }]),
    async checkpoint(projection, generation, partition) {
      const found = (await generations.readAll(projection)).builds.find(({ name }) => name === generation);
      return found ? checkpointOf(found, partition) : null;
    },
    async activate(projection, generation, over) {
      for (;;) {
        const { active, builds: existing } = await generations.readAll(projection);
        const to = existing.find(({ name }) => name === generation);
        if (!to || active === null) throw new GenerationNotFound(projection, generation);
        if (active === generation) return;
        if (over && active !== over.generation) throw new GenerationNotFound(projection, over.generation);
        const from = existing.find(({ name }) => name === active);
        if (await switchOver(to, active, over, from)) return;
      }
    },
    async drop(projection, generation) {
      await generations.drop(projection, generation);
      prepared.delete(keyOf(projection, generation));
    },
    async scan(projection, generation, after, limit) {
      return reads.scan(await generationOf(projection, generation), after, limit);
    },
    async checkpoints(projections, partitions) {
      const active = new Map<string, string>();
      for (const projection of projections) {
        const generation = await generations.findActive(projection);
        if (generation) active.set(generation.collection, projection);
      }
      const collections = [...active.keys()];
      const wanted = collections.flatMap((collection) =>
        partitions.map((partition) => checkpointId({ collection }, partition)),
      );
      // Of all partitions it is most of a small collection, which the server reads sooner than hundreds of ids.
      const filter =
        wanted.length > MAX_IDS
          ? { build: { $in: collections }, partition: { $in: [...partitions] } }
          : { _id: { $in: wanted } };
      const found = await request(() => checkpoints.find(filter, { batchSize: wanted.length + 1 }).toArray());
      const positions = new Map([...active.values()].map((projection) => [projection, new Map<string, bigint>()]));
      for (const { build: generation, partition, ...one } of found) {
        const at = openPosition(one);
        if (at !== null) positions.get(active.get(generation)!)!.set(partition, at);
      }
      return positions;
    },
    async ping() {
      const { maxWireVersion } = await request(() => database.command({ hello: 1 }));
      if (maxWireVersion < OLDEST_PROTOCOL) throw new ReadStoreUnavailable('it is older than MongoDB 8.0');
    },
    onDisconnected: (listener) => connection.onDisconnected(listener),
    onReplaced: (listener) => generations.onReplaced(listener),
    close: () => client.close(),
  };
}
