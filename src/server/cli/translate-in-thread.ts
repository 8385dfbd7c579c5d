import { parentPort, workerData } from 'node:worker_threads';
import { IMPORTERS } from '../../sources/importers.ts';
import { errorLine } from '../control/error-line.ts';
import { openInput } from './input-file.ts';
import { type FromWorker, type Note, PIECES_AHEAD, type ToTranslate, translated } from './translation.ts';

/** Translates one file in this thread, a few pieces ahead of the thread that ingests them. */
async function translate({ importer: name, file: fileName, path, options }: ToTranslate): Promise<void> {
  const port = parentPort!;
  const importer = IMPORTERS.find((candidate) => candidate.name === name)!;
  const file = openInput(fileName, path);
  const say = (message: FromWorker, transfer: ArrayBuffer[] = []) => port.postMessage(message, transfer);
  let ahead = 0;
  let taken: (() => void) | undefined;
  port.on('message', () => {
    ahead--;
    taken?.();
  });
  let notes: Note[] = [];
  try {
    for await (const piece of translated(importer, file, options, (note) => notes.push(note))) {
      say({ piece, notes, bytesRead: file.bytesRead() }, [piece.buffer as ArrayBuffer]);
      notes = [];
      ahead++;
      while (ahead >= PIECES_AHEAD) await new Promise<void>((resolve) => (taken = resolve));
    }
    say({ end: true, notes, bytesRead: file.bytesRead() });
  } catch (error) {
    say({ failure: errorLine(error), notes, bytesRead: file.bytesRead() });
  }
  port.close();
}

await translate(workerData as ToTranslate);
