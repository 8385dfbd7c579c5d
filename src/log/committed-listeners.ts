import type { LogRecord } from '../domain/record.ts';

type Listener = (records: readonly LogRecord[]) => void;

export interface CommittedListeners {
  add(listener: Listener): () => void;
  /** Calls every listener. `decode` runs only when there are any. */
  announce(decode: () => readonly LogRecord[]): void;
}

export function createCommittedListeners(): CommittedListeners {
  const listeners = new Set<{ readonly listener: Listener }>();
  const waiting: (readonly LogRecord[])[] = [];
  let announcing = false;
  return {
    add(listener) {
      const entry = { listener };
      listeners.add(entry);
      return () => void listeners.delete(entry);
    },
    announce(decode) {
      if (listeners.size === 0) return;
      try {
        waiting.push(decode());
      } catch {
        // A record that this code cannot read is committed all the same. Its readers meet the error in their reads.
        return;
      }
      // A listener that appends would otherwise have the others hear of its records before these.
      if (announcing) return;
      announcing = true;
      for (let records = waiting.shift(); records !== undefined; records = waiting.shift()) {
        for (const { listener } of [...listeners]) {
          try {
            listener(records);
          } catch {
            // The records are on disk: a listener's trouble is neither the appender's nor the other listeners'.
          }
        }
      }
      announcing = false;
    },
  };
}
