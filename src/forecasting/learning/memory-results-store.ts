import type { ResultsStore, SavedUpTo } from './results-store.ts';

/** In the memory of one process; for tests and benchmarks. */
export function createMemoryResultsStore(): ResultsStore {
  const kept = new Map<number, string>();
  let known: SavedUpTo | null = null;
  return {
    readSavedUpTo: async () => known,
    async readPage(after, limit) {
      const events = [...kept].filter(([id]) => id > after);
      return events.sort(([a], [b]) => a - b).slice(0, limit);
    },
    async save(events, upTo) {
      for (const [id, learnt] of events) {
        if (learnt === null) kept.delete(id);
        else kept.set(id, learnt);
      }
      if (upTo) known = { ...upTo, places: new Map(upTo.places) };
    },
    async clear() {
      kept.clear();
      known = null;
    },
  };
}

/** Of a process that has nowhere to keep them: each start reads the results of all events in the log. */
export const emptyResultsStore: ResultsStore = {
  readSavedUpTo: async () => null,
  readPage: async () => [],
  save: async () => {},
  clear: async () => {},
};
