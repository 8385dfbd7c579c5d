import type { Position } from '../../domain/event-sourcing/position.ts';
import type { LogRecord } from '../../domain/event-sourcing/record.ts';
import type { CommitListener } from '../port/event-log.ts';

export interface CommitListeners {
  add(listener: CommitListener): () => void;
  /** Calls every listener. `decode` runs only when there are any. */
  notify(decode: () => readonly LogRecord[], previous?: Position | null): void;
}

export function createCommitListeners(): CommitListeners {
  const listeners = new Set<{ readonly listener: CommitListener }>();
  const waiting: { readonly records: readonly LogRecord[]; readonly previous: Position | null | undefined }[] = [];
  let announcing = false;
  return {
    add(listener) {
      const entry = { listener };
      listeners.add(entry);
      return () => void listeners.delete(entry);
    },
    notify(decode, previous) {
      if (listeners.size === 0) return;
      try {
        waiting.push({ records: decode(), previous });
      } catch {
        // A record that this code cannot read is committed all the same. Its readers meet the error in their reads.
        return;
      }
      // A listener that appends would otherwise have the others hear of its records before these.
      if (announcing) return;
      announcing = true;
      for (let commit = waiting.shift(); commit !== undefined; commit = waiting.shift()) {
        for (const { listener } of [...listeners]) {
          try {
            listener(commit.records, commit.previous);
          } catch {
            // The records are on disk: a listener's trouble is neither the appender's nor the other listeners'.
          }
        }
      }
      announcing = false;
    },
  };
}
