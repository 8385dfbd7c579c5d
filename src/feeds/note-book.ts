import type { ImportItem } from './importer.ts';

/** Counts what was left out of a file, so that a thousand rows of one kind make one line. */
export interface NoteBook {
  add(code: string, message: string): void;
  /** One note a kind, in the order in which they first came up. */
  notes(): Generator<ImportItem>;
}

export function noteBook(): NoteBook {
  const counts = new Map<string, { code: string; message: string; times: number }>();
  return {
    add(code, message) {
      const key = `${code} ${message}`;
      const known = counts.get(key);
      if (known) known.times++;
      else counts.set(key, { code, message, times: 1 });
    },
    *notes() {
      for (const { code, message, times } of counts.values()) {
        yield { note: { code, message: times === 1 ? message : `${message} (${times} times)` } };
      }
    },
  };
}
