import type { ResultsStore, SavedUpTo } from './results-store.ts';

/** Stores results in the memory of one process, for tests and benchmarks. */
export function createMemoryResultsStore(): ResultsStore {
  const results = new Map<number, string>();
  let savedUpTo: SavedUpTo | null = null;
  return {
    readSavedUpTo: async () => savedUpTo,
    async readPage(after, limit) {
      const events = [...results].filter(([id]) => id > after);
      return events.sort(([a], [b]) => a - b).slice(0, limit);
    },
    async save(events, upTo) {
      for (const [id, learnt] of events) {
        if (learnt === null) results.delete(id);
        else results.set(id, learnt);
      }
      if (upTo) savedUpTo = { ...upTo, places: new Map(upTo.places) };
    },
    async clear() {
      results.clear();
      savedUpTo = null;
    },
  };
}

/** For a process without a place to store results: each start reads the results of all events from the log. */
export const emptyResultsStore: ResultsStore = {
  readSavedUpTo: async () => null,
  readPage: async () => [],
  save: async () => {},
  clear: async () => {},
};
