import type { DocumentReader, Query, StoredDocument } from './document-reader.ts';
import { shareRequests } from './shared-request.ts';

type Find = (query: Query) => Promise<readonly StoredDocument<any>[]>;

/**
 * A reader that collects the queries of one turn of the event loop, and sends one request for each projection. For
 * concurrent work in which each part makes queries of its own.
 */
export function createBatchingReader(reader: DocumentReader): DocumentReader {
  const findByProjection = new Map<string, Find>();

  function findIn(projection: string): Find {
    let find = findByProjection.get(projection);
    if (!find) {
      find = shareRequests(async (queries: readonly Query[]) => {
        const found = await reader.findEach(projection, queries);
        const answers = new Map(queries.map((query, index) => [query, found[index]!]));
        return (query) => answers.get(query)!;
      });
      findByProjection.set(projection, find);
    }
    return find;
  }

  return {
    get: (projection, key) => reader.get(projection, key),
    getMany: (projection, keys) => reader.getMany(projection, keys),
    getAcross: (wanted) => reader.getAcross(wanted),
    getDerived: (projection, keys, derivation) => reader.getDerived(projection, keys, derivation),
    findEach: (projection, queries) => reader.findEach(projection, queries),
    find: (projection, query) => findIn(projection)(query),
  };
}
