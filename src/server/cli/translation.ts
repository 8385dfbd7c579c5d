import { Readable } from 'node:stream';
import type { Importer, ImportItem, ImportOptions } from '../../sources/importing/importer.ts';
import type { StartBook } from '../../sources/importing/known-starts.ts';
import type { InputFile } from './input-file.ts';

export type TranslationOptions = Omit<ImportOptions, 'starts' | 'archives'> & {
  starts?: StartBook;
  archives?: ImportOptions['archives'];
};
export type Note = Extract<ImportItem, { note: unknown }>['note'];

const PIECE_CHARACTERS = 64 * 1024;

/** The file's feed messages as NDJSON, in pieces of many lines. */
export async function* translated(
  importer: Importer,
  file: InputFile,
  options: TranslationOptions,
  onNote: (note: Note) => void,
): AsyncGenerator<Uint8Array> {
  const open = () => Readable.from(file.bytes(), { objectMode: false });
  let piece = '';
  try {
    for await (const item of importer.translate({ name: file.name, open }, options)) {
      if ('note' in item) onNote(item.note);
      else {
        // What one file of a command schedules, the next ones know.
        options.starts?.add(item.message);
        piece += `${JSON.stringify(item.message)}\n`;
      }
      if (piece.length < PIECE_CHARACTERS) continue;
      yield new TextEncoder().encode(piece);
      piece = '';
    }
  } catch (error) {
    // What came before the failure counts.
    if (piece !== '') yield new TextEncoder().encode(piece);
    throw error;
  }
  if (piece !== '') yield new TextEncoder().encode(piece);
}
