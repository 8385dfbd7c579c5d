import { Binary } from 'mongodb';
import { type FoldStore, MAX_STORED_BYTES } from '../fold-store.ts';
import type { MongoConnection } from './mongo-connection.ts';

/** A stored name. Its parts are found by it. */
interface NameDocument {
  readonly _id: string;
  readonly version: string;
  readonly written: Date;
}

interface PartDocument {
  readonly _id: string;
  readonly name: string;
  readonly version: string;
  readonly place: number;
  readonly note: string;
  readonly bytes: number;
  readonly content: Binary;
}

/** The bytes of all are summed once in so many writes of this process. */
const SUMMED_EVERY = 64;

/**
 * Shared by all processes. Parts have their versions, since processes of two versions run side by side while a cluster
 * is brought to a newer one: then each takes the parts of the other away. Reading needs no order between writes.
 * @param maxBytes of all contents, at most exceeded by what is written between two sums
 * @param summedEvery writes between two sums
 */
export function createMongoFoldStore(
  { database, request }: Pick<MongoConnection, 'database' | 'request'>,
  maxBytes: number = MAX_STORED_BYTES,
  summedEvery: number = SUMMED_EVERY,
): FoldStore {
  const names = database.collection<NameDocument>('stored_folds');
  const parts = database.collection<PartDocument>('stored_fold_parts');
  let writes = 0;
  let indexed: Promise<unknown> | undefined;

  const idOf = (name: string, place: number) => `${name} ${place}`;

  async function removeOldest(): Promise<void> {
    const sums = await parts
      .aggregate<{ _id: string; bytes: number }>([{ $group: { _id: '$name', bytes: { $sum: '$bytes' } } }])
      .toArray();
    const bytes = new Map(sums.map((one) => [one._id, Number(one.bytes)]));
    let total = [...bytes.values()].reduce((sum, one) => sum + one, 0);
    if (total <= maxBytes) return;
    for (const { _id: name } of await names
      .find({}, { projection: { _id: 1 } })
      .sort({ written: 1 })
      .toArray()) {
      if (total <= maxBytes) return;
      await parts.deleteMany({ name });
      await names.deleteOne({ _id: name });
      total -= bytes.get(name) ?? 0;
    }
  }

  return {
    list: (name, version) =>
      request(async () => {
        const found = await parts
          .find({ name, version }, { projection: { place: 1, note: 1, bytes: 1 } })
          .sort({ place: 1 })
          .toArray();
        return found.map(({ place, note, bytes }) => ({ place: Number(place), note, bytes: Number(bytes) }));
      }),
    read: (name, places) =>
      request(async () => {
        const found = await parts.find({ _id: { $in: places.map((place) => idOf(name, place)) } }).toArray();
        return new Map(found.map(({ place, content }) => [Number(place), content.buffer]));
      }),
    write: (name, version, put, removed) =>
      request(async () => {
        indexed ??= parts.createIndex({ name: 1, place: 1 }).catch((error) => {
          indexed = undefined;
          throw error;
        });
        await indexed;
        await names.updateOne({ _id: name }, { $set: { version }, $currentDate: { written: true } }, { upsert: true });
        await parts.bulkWrite(
          [
            { deleteMany: { filter: { name, version: { $ne: version } } } },
            ...(removed.length > 0 ? [{ deleteMany: { filter: { name, place: { $in: [...removed] } } } }] : []),
            ...put.map(({ place, note, content }) => ({
              replaceOne: {
                filter: { _id: idOf(name, place) },
                replacement: { name, version, place, note, bytes: content.length, content: new Binary(content) },
                upsert: true,
              },
            })),
          ],
          { ordered: true },
        );
        if (writes++ % summedEvery === 0) await removeOldest();
      }),
  };
}
