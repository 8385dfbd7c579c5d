import { statSync } from 'node:fs';
import { stat } from 'node:fs/promises';
import type { SetTimer } from '../../platform/async/timer.ts';

const LOOK_EVERY_MS = 1000;

/** The file at a path is no longer the file that was opened there. */
class DatabaseFileGone extends Error {
  readonly code = 'file_gone';
}

/**
 * Checks each second whether an open file is still at its path. If it was deleted, moved or replaced, nobody would find what
 * is written to it.
 * @param file opened a moment ago, under the folder's lock
 * @param onGone called once
 * @returns stops the watch
 */
export function watchDatabaseFile(
  file: string,
  setTimer: SetTimer,
  onGone: (error: DatabaseFileGone) => void,
): () => void {
  const opened = statSync(file, { bigint: true });
  let isEnded = false;
  let cancel = (): void => {};

  async function look(): Promise<void> {
    const why = await stat(file, { bigint: true }).then(
      ({ ino, dev }) => (ino === opened.ino && dev === opened.dev ? undefined : 'another file stands in its place'),
      // Any other error says nothing about the file: the folder may be inaccessible for a moment.
      ({ code, message }: NodeJS.ErrnoException) => {
        if (code === 'EIO') return message;
        return code === 'ENOENT' || code === 'ENOTDIR' ? 'it was deleted or moved' : undefined;
      },
    );
    if (isEnded) return;
    if (why === undefined) again();
    else onGone(new DatabaseFileGone(`${file} is gone: ${why}`));
  }

  function again(): void {
    cancel = setTimer(() => void look(), LOOK_EVERY_MS);
  }

  again();
  return () => {
    isEnded = true;
    cancel();
  };
}
