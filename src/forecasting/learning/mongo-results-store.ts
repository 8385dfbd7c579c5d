import { Binary, type Filter, MongoServerError } from 'mongodb';
import type { MongoConnection } from '../../read-models/store/mongo/mongo-connection.ts';
import type { ResultsQuery, ResultsStore, SavedEventResults } from './results-store.ts';

/** Each document has the turn of the process that wrote it. Turns are counted, and only the last one may write. */
interface Turned {
  readonly turn: number;
}

interface ResultDocument extends Turned {
  readonly _id: number;
  /** Null, with the league '': its results were removed. It stays, so that no earlier turn can bring them back. */
  readonly learnt: string | null;
  readonly league: string;
  readonly last_at: number;
}

interface MemoryDocument extends Turned {
  readonly _id: string;
  /** Null: removed. */
  readonly packed: Binary | null;
}

interface UpToDocument extends Turned {
  readonly _id: string;
  /** Null: nothing is complete. */
  readonly basis: string | null;
  readonly places: readonly (readonly [partition: string, place: string])[];
}

type Connection = Pick<MongoConnection, 'database' | 'request'>;

const THE_ONE = 'up-to';
const NOTHING_COMPLETE = { basis: null, places: [] };
/** What the server answers if a later turn has written the document. */
const DUPLICATE_KEY = 11000;

const collectionsOf = ({ database }: Connection) => ({
  results: database.collection<ResultDocument>('forecast_results'),
  memories: database.collection<MemoryDocument>('forecast_memories'),
  upTos: database.collection<UpToDocument>('forecast_results_up_to'),
});

/**
 * The results of a cluster, beside its read models. One process writes them, and all others read. Its turn begins when
 * it first reads or clears; then the process before writes no more. What that one still has on its way does not count:
 * no document of an earlier turn replaces one of a later turn. There are no transactions: memories are written before
 * results, and positions last, so a crash leaves nothing that is wrong.
 */
export function createMongoResultsStore(connection: Connection): ResultsStore {
  const { request } = connection;
  const { results, memories, upTos } = collectionsOf(connection);
  const reader = createMongoResultsReader(connection);
  /** Undefined: the next call begins one. Null: another process has begun one since. */
  let turn: Promise<number | null> | undefined;
  let lastTurn: number | undefined;

  async function begin(): Promise<number | null> {
    await results.createIndex({ league: 1, last_at: 1, _id: 1 });
    // After a failure a new turn ends what may still be on its way; but it does not end that of another process.
    const upTo =
      lastTurn === undefined
        ? await upTos.findOneAndUpdate(
            { _id: THE_ONE },
            { $inc: { turn: 1 }, $setOnInsert: NOTHING_COMPLETE },
            { upsert: true, returnDocument: 'after' },
          )
        : await upTos.findOneAndUpdate(
            { _id: THE_ONE, turn: lastTurn },
            { $inc: { turn: 1 } },
            { returnDocument: 'after' },
          );
    if (!upTo) return null;
    lastTurn = Number(upTo.turn);
    // What earlier turns have stored is right. What they store from now on has their own turn, and is not read.
    await memories.updateMany({}, { $set: { turn: lastTurn } });
    return lastTurn;
  }

  /** Runs work of this turn; nothing, if another process has begun one. */
  const inTurn = <T>(work: (turn: number) => Promise<T>): Promise<T | undefined> =>
    request(async () => {
      try {
        turn ??= begin();
        const own = await turn;
        if (own === null) return undefined;
        const now = await upTos.findOne({ _id: THE_ONE }, { projection: { turn: 1 } });
        return Number(now?.turn) === own ? await work(own) : undefined;
      } catch (error) {
        turn = undefined;
        throw error;
      }
    });

  const filterOfTurn = (_id: string | number, own: number) => ({ _id, turn: { $lte: own } });

  return {
    ...reader,
    async readSavedUpTo() {
      await inTurn(async () => {});
      return reader.readSavedUpTo();
    },
    async save(events, upTo, saved = new Map()) {
      await inTurn(async (own) => {
        for (const [league, packed] of saved) {
          const document = { turn: own, packed: packed && new Binary(packed) };
          const filter = filterOfTurn(league, own) as Filter<MemoryDocument>;
          await unlessLater(memories.replaceOne(filter, document, { upsert: true }));
        }
        if (events.length > 0) {
          const writes = events.map(({ id, learnt, league, lastAt }) => ({
            updateOne: {
              filter: filterOfTurn(id, own) as Filter<ResultDocument>,
              update: {
                $set: { turn: own, learnt, league: learnt === null ? '' : league, last_at: lastAt },
              },
              upsert: learnt !== null,
            },
          }));
          await unlessLater(results.bulkWrite(writes, { ordered: false }));
        }
        if (!upTo) return;
        const places = [...upTo.places].map(([partition, place]) => [partition, String(place)] as const);
        await upTos.updateOne({ _id: THE_ONE, turn: own }, { $set: { basis: upTo.basis, places } });
      });
    },
    async clear() {
      await inTurn(async (own) => {
        await upTos.updateOne({ _id: THE_ONE, turn: own }, { $set: NOTHING_COMPLETE });
        await memories.deleteMany({ turn: { $lte: own } });
        await results.deleteMany({ turn: { $lte: own } });
      });
    },
  };
}

/** The same for a process that only reads. */
export function createMongoResultsReader(connection: Connection): ResultsStore {
  const { request } = connection;
  const { results, memories, upTos } = collectionsOf(connection);
  const page = (query: ResultsQuery, fields: Readonly<Record<string, 1>>) =>
    request(() =>
      results.find(filterOf(query), { projection: fields, sort: { last_at: 1, _id: 1 }, limit: query.limit }).toArray(),
    );
  return {
    async readSavedUpTo() {
      const upTo = await request(() => upTos.findOne({ _id: THE_ONE }));
      if (!upTo || upTo.basis === null) return null;
      return {
        basis: upTo.basis,
        places: new Map(upTo.places.map(([partition, place]) => [partition, BigInt(place)])),
      };
    },
    async listLeagues() {
      const leagues = await request(() => results.distinct('league'));
      return leagues.filter((league) => league !== '').sort();
    },
    async readPage(query) {
      const rows = await page(query, { learnt: 1, last_at: 1 });
      return rows.map((row): SavedEventResults => ({ ...placeOf(row), learnt: row.learnt, league: query.league }));
    },
    readIds: async (query) => (await page(query, { last_at: 1 })).map(placeOf),
    async readMemory(league) {
      const [memory, upTo] = await request(() =>
        Promise.all([memories.findOne({ _id: league }), upTos.findOne({ _id: THE_ONE })]),
      );
      return memory?.packed && Number(memory.turn) === Number(upTo?.turn) ? memory.packed.buffer : null;
    },
    save: async () => {},
    clear: async () => {},
  };
}

/** As numbers: the driver gives integers of 64 bits as bigint. */
const placeOf = ({ _id, last_at }: Pick<ResultDocument, '_id' | 'last_at'>) => ({
  id: Number(_id),
  lastAt: Number(last_at),
});

function filterOf({ league, from, before, after }: ResultsQuery): Filter<ResultDocument> {
  // The index is entered where the page before ended.
  const within = { $gte: Math.max(from, after?.lastAt ?? from), $lt: before };
  const beyond = after && [{ last_at: { $gt: after.lastAt } }, { _id: { $gt: after.id } }];
  return { league, last_at: within, ...(beyond && { $or: beyond }) } as Filter<ResultDocument>;
}

async function unlessLater(writing: Promise<unknown>): Promise<void> {
  try {
    await writing;
  } catch (error) {
    if (!(error instanceof MongoServerError) || error.code !== DUPLICATE_KEY) throw error;
  }
}
