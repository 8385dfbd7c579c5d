/** What an importer left out, summed by code, each with the first example. */
export interface NoteCount {
  readonly code: string;
  count: number;
  readonly example: string;
}

export class NoteCounts {
  readonly #counts = new Map<string, NoteCount>();

  add(file: string, note: { readonly code: string; readonly message: string; readonly line?: number }): void {
    const known = this.#counts.get(note.code);
    if (known) known.count++;
    else {
      const place = note.line === undefined ? file : `${file} line ${note.line}`;
      this.#counts.set(note.code, { code: note.code, count: 1, example: `${place}: ${note.message}` });
    }
  }

  list(): NoteCount[] {
    return [...this.#counts.values()];
  }
}
