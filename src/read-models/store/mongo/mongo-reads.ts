import type { Document, Filter } from 'mongodb';
import { compareByCodePoint } from '../../../domain/primitives/text-order.ts';
import { yieldToEventLoop } from '../../../platform/async/yield-to-event-loop.ts';
import type { DerivedCache } from '../derived-cache.ts';
import { compareValues, type StoredValue } from '../document-layout.ts';
import type { Derivation, Query, StoredDocument } from '../document-reader.ts';
import { shareRequests } from '../shared-request.ts';
import { type MongoConnection, SERVER_TIMEOUT_MS } from './mongo-connection.ts';
import {
  type MongoDocument,
  type MongoRow,
  ROW,
  storedDocumentOf,
  storedDocumentsOf,
  storedInOrder,
} from './mongo-documents.ts';
import type { MongoGeneration } from './mongo-generations.ts';
import { type MongoQuery, mongoQueryOf } from './mongo-query.ts';

interface GenerationKeys {
  readonly generation: MongoGeneration;
  readonly keys: readonly string[];
}

/** Reads of generations, each with one command. */
interface MongoReads {
  get<Doc>(generation: MongoGeneration, keys: readonly string[]): Promise<(StoredDocument<Doc> | undefined)[]>;
  getAcross(wanted: readonly GenerationKeys[]): Promise<readonly (readonly (StoredDocument<any> | undefined)[])[]>;
  getDerived<Doc, Made>(
    generation: MongoGeneration,
    keys: readonly string[],
    derivation: Derivation<Doc, Made>,
  ): Promise<readonly (Made | undefined)[]>;
  find<Doc>(generation: MongoGeneration, query: Query): Promise<StoredDocument<Doc>[]>;
  findEach<Doc>(
    generation: MongoGeneration,
    queries: readonly Query[],
  ): Promise<readonly (readonly StoredDocument<Doc>[])[]>;
  scan(generation: MongoGeneration, after: string | null, limit: number): Promise<StoredDocument<any>[]>;
}

/** A row of one of several queries in one command. */
interface SharedRow extends MongoRow {
  /** The index of the query. */
  readonly q: number;
  /** The value of the order field. */
  readonly o?: StoredValue;
  readonly n: number | null;
}

interface PipelinePart {
  readonly generation: MongoGeneration;
  readonly pipeline: readonly Document[];
}

/** With more queries the server takes longer to plan than to find. */
const MAX_QUERIES_PER_COMMAND = 32;
/** A large batch, so that an answer comes in one piece unless it exceeds the maximum message size of the server. */
const CURSOR_BATCH_SIZE = 100_000;
export function createMongoReads({ database, request }: MongoConnection, derived: DerivedCache): MongoReads {
  const collectionOf = ({ collection }: MongoGeneration) => database.collection<MongoDocument>(collection);

  const rowsOf = (
    generation: MongoGeneration,
    { filter, sort, limit }: Pick<MongoQuery, 'filter'> & Partial<MongoQuery>,
  ) =>
    request(() =>
      collectionOf(generation)
        .find<MongoRow>(filter, {
          ...(sort && { sort }),
          ...(limit !== undefined && { limit }),
          projection: ROW,
          batchSize: limit === undefined ? CURSOR_BATCH_SIZE : limit + 1,
          maxTimeMS: SERVER_TIMEOUT_MS,
        })
        .toArray(),
    );

  const withKeys = (keys: readonly string[]): Filter<MongoDocument> =>
    (keys.length === 1 ? { _id: keys[0]! } : { _id: { $in: keys } }) as Filter<MongoDocument>;

  /** Rows of all parts, which may be of different collections. */
  function aggregateRows<Row extends Document>([first, ...rest]: readonly PipelinePart[]): Promise<Row[]> {
    const unions = rest.map(({ generation, pipeline }) => ({
      $unionWith: { coll: generation.collection, pipeline },
    }));
    const pipeline = [...first!.pipeline, ...unions] as Document[];
    const options = { batchSize: CURSOR_BATCH_SIZE, maxTimeMS: SERVER_TIMEOUT_MS };
    return request(() => collectionOf(first!.generation).aggregate<Row>(pipeline, options).toArray());
  }

  async function get<Doc>(
    generation: MongoGeneration,
    keys: readonly string[],
  ): Promise<(StoredDocument<Doc> | undefined)[]> {
    if (keys.length === 0) return [];
    return storedInOrder<Doc>(keys, await rowsOf(generation, { filter: withKeys(keys) }));
  }

  async function find<Doc>(generation: MongoGeneration, query: Query): Promise<StoredDocument<Doc>[]> {
    const planned = mongoQueryOf(generation.layout, query);
    return planned ? storedDocumentsOf<Doc>(await rowsOf(generation, planned)) : [];
  }

  async function findTogether(
    generation: MongoGeneration,
    queries: readonly Query[],
  ): Promise<StoredDocument<any>[][]> {
    const found: SharedRow[][] = queries.map(() => []);
    const parts = queries.flatMap((query, index): PipelinePart[] => {
      const planned = mongoQueryOf(generation.layout, query);
      if (!planned) return [];
      const { filter, sort, limit } = planned;
      const [ordered] = Object.keys(sort);
      const shown = { ...ROW, n: 1, o: `$${ordered}`, q: { $literal: index } };
      return [{ generation, pipeline: [{ $match: filter }, { $sort: sort }, { $limit: limit }, { $project: shown }] }];
    });
    if (parts.length > 0) for (const row of await aggregateRows<SharedRow>(parts)) found[row.q]!.push(row);
    const answers: StoredDocument<any>[][] = [];
    for (const [index, rows] of found.entries()) answers.push(await storedDocumentsOf(inOrder(rows, queries[index]!)));
    return answers;
  }

  return {
    get,
    find,

    async getAcross(wanted) {
      const parts = wanted.flatMap(({ generation, keys }, index): PipelinePart[] =>
        keys.length === 0
          ? []
          : [
              {
                generation,
                pipeline: [{ $match: withKeys(keys) }, { $project: { ...ROW, q: { $literal: index } } }],
              },
            ],
      );
      if (parts.length === 0) return wanted.map(() => []);
      const rows = await aggregateRows<SharedRow>(parts);
      const found = [];
      for (const [index, { keys }] of wanted.entries()) {
        found.push(
          await storedInOrder(
            keys,
            rows.filter(({ q }) => q === index),
          ),
        );
      }
      return found;
    },

    async getDerived<Doc, Made>(
      generation: MongoGeneration,
      keys: readonly string[],
      derivation: Derivation<Doc, Made>,
    ) {
      if (keys.length === 0) return [];
      const cacheKeyOf = (key: string) => `${generation.collection} ${derivation.name} ${key}`;
      const cached = new Map([...new Set(keys)].map((key) => [key, derived.peek(cacheKeyOf(key))]));
      // For cached values the position is enough; no two documents share key and position.
      const knownIds = [...cached].flatMap(([key, one]) => (one ? [`${one.position} ${key}`] : []));
      const isCached = { $in: [{ $concat: [{ $toString: '$p' }, ' ', '$_id'] }, knownIds] };
      const rows = await aggregateRows<Omit<MongoRow, 'b'> & Partial<Pick<MongoRow, 'b'>>>([
        {
          generation,
          pipeline: [{ $match: withKeys(keys) }, { $project: { p: 1, b: { $cond: [isCached, '$$REMOVE', '$b'] } } }],
        },
      ]);
      const made = new Map<string, Made>();
      for (const { _id, p, b } of rows) {
        if (b === undefined) made.set(_id, cached.get(_id)!.made as Made);
        else
          made.set(
            _id,
            derived.get(cacheKeyOf(_id), p, derivation, () => storedDocumentOf<Doc>({ _id, p, b })),
          );
        await yieldToEventLoop();
      }
      return keys.map((key) => made.get(key));
    },

    async findEach<Doc>(generation: MongoGeneration, queries: readonly Query[]) {
      if (queries.length === 1) return [await find<Doc>(generation, queries[0]!)];
      const chunks: Query[][] = [];
      for (let at = 0; at < queries.length; at += MAX_QUERIES_PER_COMMAND)
        chunks.push(queries.slice(at, at + MAX_QUERIES_PER_COMMAND));
      return (await Promise.all(chunks.map((queriesOfCommand) => findTogether(generation, queriesOfCommand)))).flat();
    },

    async scan(generation, after, limit) {
      const filter = after === null ? {} : { _id: { $gt: after } };
      return storedDocumentsOf(await rowsOf(generation, { filter, sort: { _id: 1 }, limit }));
    },
  };
}

/** The order of rows of several queries is not guaranteed. */
function inOrder(rows: readonly SharedRow[], { order }: Query): readonly SharedRow[] {
  const direction = order?.direction === 'desc' ? -1 : 1;
  return [...rows].sort(
    (a, b) =>
      direction *
      (compareValues(a.o ?? null, b.o ?? null) || compareValues(a.n, b.n) || compareByCodePoint(a._id, b._id)),
  );
}

/** Limits of one load, and of the loads in one command: larger ones take long enough by themselves. */
const MAX_KEYS_PER_LOAD = 20;
const MAX_LOADS_PER_COMMAND = 32;

type Found = readonly (StoredDocument<any> | undefined)[];

/**
 * Sends the loads of several generations of one turn of the event loop in one command, such as those of the projections
 * into which one record is folded. Large loads go alone.
 */
export function createBatchedLoads({ get, getAcross }: Pick<MongoReads, 'get' | 'getAcross'>) {
  const loadTogether = shareRequests(async (loads: readonly GenerationKeys[]) => {
    const answers = new Map<GenerationKeys, Promise<Found>>();
    for (let at = 0; at < loads.length; at += MAX_LOADS_PER_COMMAND) {
      const queriesOfCommand = loads.slice(at, at + MAX_LOADS_PER_COMMAND);
      const found =
        queriesOfCommand.length === 1
          ? get(queriesOfCommand[0]!.generation, queriesOfCommand[0]!.keys).then((own) => [own])
          : getAcross(queriesOfCommand);
      for (const [index, load] of queriesOfCommand.entries()) {
        answers.set(
          load,
          found.then((each) => each[index]!),
        );
      }
    }
    return (load: GenerationKeys) => answers.get(load)!;
  });
  return (generation: MongoGeneration, keys: readonly string[]): Promise<Found> =>
    keys.length > MAX_KEYS_PER_LOAD ? get(generation, keys) : loadTogether({ generation, keys });
}
