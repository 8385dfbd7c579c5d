import { ascending } from 'd3-array';
import type { ResultsQuery, ResultsStore, SavedEventResults, SavedUpTo } from './results-store.ts';

/** Stores results in the memory of one process, for tests and benchmarks. */
export function createMemoryResultsStore(): ResultsStore {
  const results = new Map<number, SavedEventResults>();
  const memories = new Map<string, Uint8Array>();
  let savedUpTo: SavedUpTo | null = null;
  const readPage = async ({ league, from, before, after, limit }: ResultsQuery) =>
    [...results.values()]
      .filter((one) => one.league === league && one.lastAt >= from && one.lastAt < before)
      .sort(inOrder)
      .filter((one) => !after || inOrder(after, one) < 0)
      .slice(0, limit);
  return {
    readSavedUpTo: async () => savedUpTo,
    listLeagues: async () => [...new Set([...results.values()].map(({ league }) => league))].sort(),
    readPage,
    readIds: async (query) => (await readPage(query)).map(({ id, lastAt }) => ({ id, lastAt })),
    readMemory: async (league) => memories.get(league) ?? null,
    async save(events, upTo, saved = new Map()) {
      for (const event of events) {
        if (event.learnt === null) results.delete(event.id);
        else results.set(event.id, event);
      }
      for (const [league, packed] of saved) {
        if (packed === null) memories.delete(league);
        else memories.set(league, packed);
      }
      if (upTo) savedUpTo = { ...upTo, places: new Map(upTo.places) };
    },
    async clear() {
      results.clear();
      memories.clear();
      savedUpTo = null;
    },
  };
}

type Place = Pick<SavedEventResults, 'id' | 'lastAt'>;
const inOrder = (a: Place, b: Place): number => ascending(a.lastAt, b.lastAt) || ascending(a.id, b.id);

/** For a process without a place to store results: each start reads the results of all events from the log. */
export const emptyResultsStore: ResultsStore = {
  readSavedUpTo: async () => null,
  listLeagues: async () => [],
  readPage: async () => [],
  readIds: async () => [],
  readMemory: async () => null,
  save: async () => {},
  clear: async () => {},
};
