import { statSync } from 'node:fs';
import { walPathOf } from '../../event-log/sqlite/wal-file.ts';
import { createChangeSignal, type OnChange } from '../../platform/async/change-signal.ts';
import type { SetTimer } from '../../platform/async/timer.ts';

const LOOK_EVERY_MS = 1000;

/** The file at a path is no longer the file that was opened there. */
class DatabaseFileGone extends Error {
  readonly code = 'file_gone';
}

/** Looks each second at the files of databases that are open in this process: one look, for whoever has to know. */
export interface DatabaseFileWatch {
  /**
   * Tells within a second that somebody has committed to one of the databases: this process or another one. The listeners
   * are told of each change twice, since two commits within one tick of the file system's clock look like one.
   */
  readonly onCommit: OnChange;
  /** Watches one more file, which was opened a moment ago. */
  add(file: string): void;
  /** Called once, if a file was deleted, moved or replaced: nobody would find what is written to it. */
  onGone(listener: (file: string, error: DatabaseFileGone) => void): void;
  stop(): void;
}

interface WatchedFile {
  readonly file: string;
  readonly ino: bigint;
  readonly dev: bigint;
  /** What changes with each commit. */
  stamp: string;
}

/** @param file opened a moment ago, under the folder's lock */
export function watchDatabaseFiles(file: string, setTimer: SetTimer): DatabaseFileWatch {
  const files: WatchedFile[] = [];
  const commits = createChangeSignal();
  let tellGone = (_file: string, _error: DatabaseFileGone): void => {};
  let isTellingAgain = false;
  let isEnded = false;
  let cancel = (): void => {};

  function add(one: string): void {
    const { ino, dev } = statSync(one, { bigint: true });
    files.push({ file: one, ino, dev, stamp: stampOf(one) });
  }

  // Synchronous, as the reads of SQLite are: a look by the thread pool would wake up another thread each time.
  function look(): void {
    let hasChanged = false;
    for (const one of files) {
      const why = whyGone(one);
      if (why !== undefined) {
        isEnded = true;
        tellGone(one.file, new DatabaseFileGone(`${one.file} is gone: ${why}`));
        return;
      }
      const stamp = stampOf(one.file);
      hasChanged ||= stamp !== one.stamp;
      one.stamp = stamp;
    }
    if (hasChanged || isTellingAgain) commits.tell();
    isTellingAgain = hasChanged;
    if (!isEnded) again();
  }

  function again(): void {
    cancel = setTimer(look, LOOK_EVERY_MS);
  }

  add(file);
  again();
  return {
    onCommit: commits.onChange,
    add,
    onGone(listener) {
      tellGone = listener;
    },
    stop() {
      isEnded = true;
      cancel();
    },
  };
}

function whyGone({ file, ino, dev }: WatchedFile): string | undefined {
  try {
    const found = statSync(file, { bigint: true });
    return found.ino === ino && found.dev === dev ? undefined : 'another file stands in its place';
  } catch (error) {
    // Any other error says nothing about the file: the folder may be inaccessible for a moment.
    const { code, message } = error as NodeJS.ErrnoException;
    if (code === 'EIO') return message;
    return code === 'ENOENT' || code === 'ENOTDIR' ? 'it was deleted or moved' : undefined;
  }
}

/** A commit writes to the write-ahead file; where there is none, to the database itself. */
function stampOf(file: string): string {
  try {
    return [walPathOf(file), file]
      .map((one) => statSync(one, { bigint: true, throwIfNoEntry: false }))
      .map((found) => (found ? `${found.size} ${found.mtimeNs} ${found.ino}` : ''))
      .join(',');
  } catch {
    return '';
  }
}
