import type { ImportItem } from './importer.ts';

/** Collects what was left out, where it is noticed deep inside of what makes the messages. */
export interface ImportNotes {
  add(code: string, message: string): void;
  /** Every note added since the last call: whoever shows them sums them by code. */
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
