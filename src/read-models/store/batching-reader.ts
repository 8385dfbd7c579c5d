import type { DocumentReader, Query, StoredDocument } from './document-reader.ts';

interface WaitingQuery {
  readonly query: Query;
  readonly resolve: (found: readonly StoredDocument<any>[]) => void;
  readonly reject: (error: unknown) => void;
}

/**
 * A reader that collects the queries of one turn of the event loop, and sends one request for each projection. For
 * concurrent work in which each part makes queries of its own.
 */
export function createBatchingReader(reader: DocumentReader): DocumentReader {
  let waiting = new Map<string, WaitingQuery[]>();

  function ask(): void {
    const gathered = waiting;
    waiting = new Map();
    for (const [projection, asked] of gathered) void answer(projection, asked);
  }

  async function answer(projection: string, asked: readonly WaitingQuery[]): Promise<void> {
    try {
      const found = await reader.findEach(
        projection,
        asked.map(({ query }) => query),
      );
      for (const [place, { resolve }] of asked.entries()) resolve(found[place]!);
    } catch (error) {
      for (const { reject } of asked) reject(error);
    }
  }

  return {
    get: (projection, key) => reader.get(projection, key),
    getMany: (projection, keys) => reader.getMany(projection, keys),
    getAcross: (wanted) => reader.getAcross(wanted),
    getDerived: (projection, keys, derivation) => reader.getDerived(projection, keys, derivation),
    findEach: (projection, queries) => reader.findEach(projection, queries),
    find: (projection, query) =>
      new Promise((resolve, reject) => {
        if (waiting.size === 0) setImmediate(ask);
        const asked = waiting.get(projection);
        if (asked) asked.push({ query, resolve, reject });
        else waiting.set(projection, [{ query, resolve, reject }]);
      }),
  };
}
