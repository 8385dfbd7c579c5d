import type { Document, Filter } from 'mongodb';
import { compareText } from '../../../domain/text-order.ts';
import { breathe } from '../../../platform/time/breathe.ts';
import type { DerivedCache } from '../derived-cache.ts';
import { compareValues, type StoredValue } from '../document-layout.ts';
import type { Derivation, Query, Stored } from '../document-reader.ts';
import type { MongoBuild } from './mongo-builds.ts';
import type { MongoConnection } from './mongo-connection.ts';
import { type MongoDocument, type MongoRow, ROW, storedInOrder, storedOf, storedOfEach } from './mongo-documents.ts';
import { type MongoQuery, mongoQueryOf } from './mongo-query.ts';

export interface WantedOfBuild {
  readonly build: MongoBuild;
  readonly keys: readonly string[];
}

/** Reads of builds, each with one command. */
export interface MongoReads {
  get<Doc>(build: MongoBuild, keys: readonly string[]): Promise<(Stored<Doc> | undefined)[]>;
  getAcross(wanted: readonly WantedOfBuild[]): Promise<readonly (readonly (Stored<any> | undefined)[])[]>;
  getDerived<Doc, Made>(
    build: MongoBuild,
    keys: readonly string[],
    derivation: Derivation<Doc, Made>,
  ): Promise<readonly (Made | undefined)[]>;
  find<Doc>(build: MongoBuild, query: Query): Promise<Stored<Doc>[]>;
  findEach<Doc>(build: MongoBuild, queries: readonly Query[]): Promise<readonly (readonly Stored<Doc>[])[]>;
  scan(build: MongoBuild, after: string | null, limit: number): Promise<Stored<any>[]>;
}

/** A row of one of several queries that are asked together. */
interface SharedRow extends MongoRow {
  /** Which of them. */
  readonly q: number;
  /** The value by which it is ordered. */
  readonly o?: StoredValue;
  readonly n: number | null;
}

interface Piece {
  readonly build: MongoBuild;
  readonly pipeline: readonly Document[];
}

/** More than that, and the server takes longer to plan than to find. */
const MOST_TOGETHER = 32;
/** So that an answer comes whole, where it has no more bytes than the server sends at once. */
const AT_ONCE = 100_000;
/** Milliseconds after which the server gives up too. */
const SERVER_WITHIN = 4000;

export function mongoReads({ database, ask }: MongoConnection, derived: DerivedCache): MongoReads {
  const collectionOf = ({ collection }: MongoBuild) => database.collection<MongoDocument>(collection);

  const rowsOf = (build: MongoBuild, { filter, sort, limit }: Pick<MongoQuery, 'filter'> & Partial<MongoQuery>) =>
    ask(() =>
      collectionOf(build)
        .find<MongoRow>(filter, {
          ...(sort && { sort }),
          ...(limit !== undefined && { limit }),
          projection: ROW,
          batchSize: limit === undefined ? AT_ONCE : limit + 1,
          maxTimeMS: SERVER_WITHIN,
        })
        .toArray(),
    );

  const withKeys = (keys: readonly string[]): Filter<MongoDocument> =>
    (keys.length === 1 ? { _id: keys[0]! } : { _id: { $in: keys } }) as Filter<MongoDocument>;

  /** Rows of all pieces, which need not be of one collection. */
  function together<Row extends Document>([first, ...rest]: readonly Piece[]): Promise<Row[]> {
    const unions = rest.map(({ build, pipeline }) => ({ $unionWith: { coll: build.collection, pipeline } }));
    const pipeline = [...first!.pipeline, ...unions] as Document[];
    const options = { batchSize: AT_ONCE, maxTimeMS: SERVER_WITHIN };
    return ask(() => collectionOf(first!.build).aggregate<Row>(pipeline, options).toArray());
  }

  async function get<Doc>(build: MongoBuild, keys: readonly string[]): Promise<(Stored<Doc> | undefined)[]> {
    if (keys.length === 0) return [];
    return storedInOrder<Doc>(keys, await rowsOf(build, { filter: withKeys(keys) }));
  }

  async function find<Doc>(build: MongoBuild, query: Query): Promise<Stored<Doc>[]> {
    const planned = mongoQueryOf(build.layout, query);
    return planned ? storedOfEach<Doc>(await rowsOf(build, planned)) : [];
  }

  async function findTogether(build: MongoBuild, queries: readonly Query[]): Promise<Stored<any>[][]> {
    const found: SharedRow[][] = queries.map(() => []);
    const pieces = queries.flatMap((query, place): Piece[] => {
      const planned = mongoQueryOf(build.layout, query);
      if (!planned) return [];
      const { filter, sort, limit } = planned;
      const [ordered] = Object.keys(sort);
      const shown = { ...ROW, n: 1, o: `$${ordered}`, q: { $literal: place } };
      return [{ build, pipeline: [{ $match: filter }, { $sort: sort }, { $limit: limit }, { $project: shown }] }];
    });
    if (pieces.length > 0) for (const row of await together<SharedRow>(pieces)) found[row.q]!.push(row);
    const answers: Stored<any>[][] = [];
    for (const [place, rows] of found.entries()) answers.push(await storedOfEach(inOrder(rows, queries[place]!)));
    return answers;
  }

  return {
    get,
    find,

    async getAcross(wanted) {
      const pieces = wanted.flatMap(({ build, keys }, place): Piece[] =>
        keys.length === 0
          ? []
          : [{ build, pipeline: [{ $match: withKeys(keys) }, { $project: { ...ROW, q: { $literal: place } } }] }],
      );
      if (pieces.length === 0) return wanted.map(() => []);
      const rows = await together<SharedRow>(pieces);
      const found = [];
      for (const [place, { keys }] of wanted.entries()) {
        found.push(
          await storedInOrder(
            keys,
            rows.filter(({ q }) => q === place),
          ),
        );
      }
      return found;
    },

    async getDerived<Doc, Made>(build: MongoBuild, keys: readonly string[], derivation: Derivation<Doc, Made>) {
      if (keys.length === 0) return [];
      const placeOf = (key: string) => `${build.collection} ${derivation.name} ${key}`;
      const kept = new Map([...new Set(keys)].map((key) => [key, derived.kept(placeOf(key))]));
      // Of what is kept as it is the position is enough; no two documents share key and position.
      const known = [...kept].flatMap(([key, one]) => (one ? [`${one.position} ${key}`] : []));
      const isKnown = { $in: [{ $concat: [{ $toString: '$p' }, ' ', '$_id'] }, known] };
      const rows = await together<Omit<MongoRow, 'b'> & Partial<Pick<MongoRow, 'b'>>>([
        {
          build,
          pipeline: [{ $match: withKeys(keys) }, { $project: { p: 1, b: { $cond: [isKnown, '$$REMOVE', '$b'] } } }],
        },
      ]);
      const made = new Map<string, Made>();
      for (const { _id, p, b } of rows) {
        if (b === undefined) made.set(_id, kept.get(_id)!.made as Made);
        else
          made.set(
            _id,
            derived.get(placeOf(_id), p, derivation, () => storedOf<Doc>({ _id, p, b })),
          );
        await breathe();
      }
      return keys.map((key) => made.get(key));
    },

    async findEach<Doc>(build: MongoBuild, queries: readonly Query[]) {
      if (queries.length === 1) return [await find<Doc>(build, queries[0]!)];
      const chunks: Query[][] = [];
      for (let at = 0; at < queries.length; at += MOST_TOGETHER) chunks.push(queries.slice(at, at + MOST_TOGETHER));
      return (await Promise.all(chunks.map((some) => findTogether(build, some)))).flat();
    },

    async scan(build, after, limit) {
      const filter = after === null ? {} : { _id: { $gt: after } };
      return storedOfEach(await rowsOf(build, { filter, sort: { _id: 1 }, limit }));
    },
  };
}

/** Rows of several queries come in no order that is promised. */
function inOrder(rows: readonly SharedRow[], { order }: Query): readonly SharedRow[] {
  const direction = order?.direction === 'desc' ? -1 : 1;
  return [...rows].sort(
    (a, b) =>
      direction * (compareValues(a.o ?? null, b.o ?? null) || compareValues(a.n, b.n) || compareText(a._id, b._id)),
  );
}
