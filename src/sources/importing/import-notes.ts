import type { ImportItem } from './importer.ts';

/** Collects notes about what was left out, from deep inside the translation to messages. */
export interface ImportNotes {
  add(code: string, message: string): void;
  /** All notes since the last call; the caller groups them by code. */
  drain(): Generator<ImportItem>;
}

export function createImportNotes(): ImportNotes {
  let notes: { code: string; message: string }[] = [];
  return {
    add(code, message) {
      notes.push({ code, message });
    },
    *drain() {
      const drained = notes;
      notes = [];
      for (const note of drained) yield { note };
    },
  };
}
