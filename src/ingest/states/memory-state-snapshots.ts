import type { StateSnapshot, StateSnapshots } from './state-snapshots.ts';

/** Snapshots in memory, for tests and the embedded server without files. */
export function createMemoryStateSnapshots(): StateSnapshots {
  const kept = new Map<string, StateSnapshot>();
  return {
    async load(streams) {
      return new Map(streams.flatMap((stream) => (kept.has(stream) ? [[stream, kept.get(stream)!] as const] : [])));
    },
    async save(snapshots) {
      for (const snapshot of snapshots) kept.set(snapshot.stream, snapshot);
    },
  };
}
