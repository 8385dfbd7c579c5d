import type { KeptResults, KeptUpTo } from './kept-results.ts';

/** In the memory of one process; for tests and benchmarks. */
export function createMemoryKeptResults(): KeptResults {
  const kept = new Map<number, string>();
  let known: KeptUpTo | null = null;
  return {
    upTo: async () => known,
    async page(after, limit) {
      const events = [...kept].filter(([id]) => id > after);
      return events.sort(([a], [b]) => a - b).slice(0, limit);
    },
    async keep(events, upTo) {
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
