import { connectToMongo } from './mongo-connection.ts';
import { PROJECTIONS } from './mongo-generations.ts';

/** What the collections of one projection take, those of a rebuild included. */
interface CollectionSize {
  readonly projection: string;
  readonly documents: number;
  /** Compressed as they are stored, with their indexes. */
  readonly bytes: number;
}

interface Entry {
  readonly _id: string;
  readonly builds: readonly { readonly collection: string }[];
}

interface Told {
  readonly storageStats: { readonly count: number; readonly storageSize: number; readonly totalIndexSize: number };
}

/** @throws ReadStoreUnavailable */
export async function measureMongoCollections(url: string): Promise<readonly CollectionSize[]> {
  const { client, database, request } = connectToMongo({ url });
  try {
    const entries = await request(() => database.collection<Entry>(PROJECTIONS).find().toArray());
    const sizes: CollectionSize[] = [];
    for (const { _id: projection, builds } of entries) {
      const sum = { documents: 0, bytes: 0 };
      for (const { collection } of builds) {
        const [stats] = await request(() =>
          database
            .collection(collection)
            .aggregate<Told>([{ $collStats: { storageStats: {} } }])
            .toArray(),
        );
        sum.documents += stats?.storageStats.count ?? 0;
        sum.bytes += (stats?.storageStats.storageSize ?? 0) + (stats?.storageStats.totalIndexSize ?? 0);
      }
      sizes.push({ projection, ...sum });
    }
    return sizes;
  } finally {
    await client.close();
  }
}
