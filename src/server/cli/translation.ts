import { Readable } from 'node:stream';
import { Worker } from 'node:worker_threads';
import { DAY, formatTime } from '../../domain/primitives/time.ts';
import type { Importer, ImportItem, ImportOptions } from '../../sources/importing/importer.ts';
import type { StartCollector } from '../../sources/importing/known-starts.ts';
import { CommandError } from './arguments.ts';
import type { InputFile } from './input-file.ts';
import { readAsUtf8 } from './text-encoding.ts';

export type TranslationOptions = Omit<ImportOptions, 'starts' | 'archives'> & {
  /** When the files are read: milliseconds. */
  now: number;
  /** Of the files; by default each file's own. */
  encoding?: string;
  starts?: StartCollector;
  archives?: ImportOptions['archives'];
};
export type Note = Extract<ImportItem, { note: unknown }>['note'];

/** A season ahead. What lies beyond is a wrong year. */
const MOST_AHEAD = 400 * DAY;

/**
 * What a file of a season says of games ahead, and of their prices, is known since it was written, not only shortly before
 * each of them, which is what importers take for a file without times. So the same file, read again, says nothing new.
 */
function seenBy(now: number, { writtenAt = now }: InputFile, message: Record<string, unknown>) {
  const { kind, at } = message;
  if ((kind !== 'schedule' && kind !== 'odds') || typeof at !== 'string') return message;
  const ahead = Date.parse(at) - now;
  return ahead > 0 && ahead <= MOST_AHEAD ? { ...message, at: formatTime(Math.min(writtenAt, now)) } : message;
}

const PIECE_CHARACTERS = 64 * 1024;

/** The file's feed messages as NDJSON, in pieces of many lines. */
export async function* translated(
  importer: Importer,
  file: InputFile,
  options: TranslationOptions,
  onNote: (note: Note) => void,
): AsyncGenerator<Uint8Array> {
  const onAssumed = () =>
    onNote({
      code: 'read_as_windows_1252',
      message: `${file.name} is no UTF-8: read as Windows-1252 (--encoding names another)`,
    });
  const open = () => Readable.from(readAsUtf8(file, options.encoding, onAssumed), { objectMode: false });
  let piece = '';
  try {
    for await (const item of importer.translate({ name: file.name, open }, options)) {
      if ('note' in item) onNote(item.note);
      else {
        const message = options.at === undefined ? seenBy(options.now, file, item.message) : item.message;
        // Games scheduled by one file are known to the next files.
        options.starts?.add(message);
        piece += `${JSON.stringify(message)}\n`;
      }
      if (piece.length < PIECE_CHARACTERS) continue;
      yield new TextEncoder().encode(piece);
      piece = '';
    }
  } catch (error) {
    // Messages before the failure count.
    if (piece !== '') yield new TextEncoder().encode(piece);
    throw error;
  }
  if (piece !== '') yield new TextEncoder().encode(piece);
}

/** How many pieces the thread may be ahead: enough to keep both threads busy, few enough for memory. */
export const PIECES_AHEAD = 8;

export interface ToTranslate {
  readonly importer: string;
  /** The file as the operator named it. */
  readonly file: string;
  readonly path: string;
  readonly options: Omit<TranslationOptions, 'starts' | 'archives'>;
}

/** A message of the thread: a piece of NDJSON, the end, or a failure; with the notes since the last message. */
export type FromWorker = { readonly notes: readonly Note[]; readonly bytesRead: number } & (
  | { readonly piece: Uint8Array }
  | { readonly end: true }
  | { readonly failure: string }
);

/**
 * Translates a file in a second thread, so that translating and ingesting use two processors.
 * @throws CommandError with the thread's failure
 */
export async function* translatedInThread(
  work: ToTranslate,
  onNote: (note: Note) => void,
  onRead: (bytes: number) => void,
): AsyncGenerator<Uint8Array> {
  const worker = new Worker(new URL('./translate-worker.js', import.meta.url), { workerData: work });
  const words: FromWorker[] = [];
  let failed: Error | undefined;
  let wake: (() => void) | undefined;
  worker.on('message', (word: FromWorker) => {
    words.push(word);
    wake?.();
  });
  worker.on('error', (error) => {
    failed = error;
    wake?.();
  });
  try {
    for (;;) {
      while (words.length === 0 && !failed) await new Promise<void>((resolve) => (wake = resolve));
      if (failed) throw failed;
      const word = words.shift()!;
      for (const note of word.notes) onNote(note);
      onRead(word.bytesRead);
      if ('failure' in word) throw new CommandError(word.failure);
      if ('end' in word) return;
      worker.postMessage('taken');
      yield word.piece;
    }
  } finally {
    await worker.terminate();
  }
}
