import type { Position } from '../../domain/event-sourcing/position.ts';
import type { LogRecord } from '../../domain/event-sourcing/record.ts';
import type { CommitListener } from '../port/event-log.ts';

export interface CommitListeners {
  add(listener: CommitListener): () => void;
  /** Calls every listener. Calls `decode` only if there are listeners. */
  notify(decode: () => readonly LogRecord[], previous?: Position | null): void;
}

export function createCommitListeners(): CommitListeners {
  const listeners = new Set<{ readonly listener: CommitListener }>();
  const queue: { readonly records: readonly LogRecord[]; readonly previous: Position | null | undefined }[] = [];
  let isNotifying = false;
  return {
    add(listener) {
      const entry = { listener };
      listeners.add(entry);
      return () => void listeners.delete(entry);
    },
    notify(decode, previous) {
      if (listeners.size === 0) return;
      try {
        queue.push({ records: decode(), previous });
      } catch {
        // The record is committed even if this code cannot read it. Readers meet the error when they read the record.
        return;
      }
      // If a listener appends, the others must hear of these records before the new ones.
      if (isNotifying) return;
      isNotifying = true;
      for (let commit = queue.shift(); commit !== undefined; commit = queue.shift()) {
        for (const { listener } of [...listeners]) {
          try {
            listener(commit.records, commit.previous);
          } catch {
            // The records are on disk. An error of one listener must not reach the appender or the other listeners.
          }
        }
      }
      isNotifying = false;
    },
  };
}
