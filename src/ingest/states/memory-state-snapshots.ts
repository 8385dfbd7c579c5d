import type { StateSnapshot, StateSnapshots } from './state-snapshots.ts';

/** Snapshots in memory, for tests and the embedded server without files. */
export function createMemoryStateSnapshots(): StateSnapshots {
  const byStream = new Map<string, StateSnapshot>();
  return {
    async load(streams) {
      return new Map(
        streams.flatMap((stream) => (byStream.has(stream) ? [[stream, byStream.get(stream)!] as const] : [])),
      );
    },
    async save(snapshots) {
      for (const snapshot of snapshots) byStream.set(snapshot.stream, snapshot);
    },
  };
}
