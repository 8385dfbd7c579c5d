import { statSync } from 'node:fs';
import { stat } from 'node:fs/promises';
import type { SetTimer } from '../../platform/async/timer.ts';

const LOOK_EVERY_MS = 1000;

/** What stands at a path now is no longer what was opened there. */
class DatabaseFileGone extends Error {
  readonly code = 'file_gone';
}

/**
 * Looks each second whether a file that is open still stands at its path. Where it was deleted, moved or replaced, what is
 * written to it would be found by nobody.
 * @param file opened a moment ago, under the folder's lock
 * @param onGone called once
 * @returns what ends the looking
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
      // Any other error says nothing of where it is: the folder may be closed to us for a moment.
      ({ code }: NodeJS.ErrnoException) =>
        code === 'ENOENT' || code === 'ENOTDIR' ? 'it was deleted or moved' : undefined,
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
