import { createHash } from 'node:crypto';
import { closeSync, fsyncSync, openSync, renameSync, rmSync, writeSync } from 'node:fs';

const UNFINISHED = /^(.+)\.(\d+)\.unfinished$/;

/** What the name of an unfinished file says; undefined: it is the name of another file. */
export function parseUnfinished(name: string): { readonly whole: string; readonly isAbandoned: boolean } | undefined {
  const [, whole, pid] = UNFINISHED.exec(name) ?? [];
  return whole === undefined ? undefined : { whole, isAbandoned: !isRunning(Number(pid)) };
}

function isRunning(pid: number): boolean {
  if (pid === process.pid) return false;
  try {
    return process.kill(pid, 0);
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}

/** A file that stands under its name only when it is whole and on disk. */
export interface UnfinishedFile {
  write(bytes: Uint8Array): void;
  /** Flushes it to disk, still under the other name. */
  end(): { readonly bytes: number; readonly sha256: string };
  /** Gives the file its name, in the place of what has it. */
  publish(): void;
  /** Removes what was written. */
  discard(): void;
}

export function createUnfinishedFile(path: string): UnfinishedFile {
  const unfinished = `${path}.${process.pid}.unfinished`;
  const descriptor = openSync(unfinished, 'w');
  const hash = createHash('sha256');
  let bytes = 0;
  let isOpen = true;
  const close = (): void => {
    if (isOpen) closeSync(descriptor);
    isOpen = false;
  };
  return {
    write(some) {
      for (let written = 0; written < some.byteLength; ) written += writeSync(descriptor, some, written);
      hash.update(some);
      bytes += some.byteLength;
    },
    end() {
      fsyncSync(descriptor);
      close();
      return { bytes, sha256: hash.digest('hex') };
    },
    publish: () => renameSync(unfinished, path),
    discard() {
      close();
      rmSync(unfinished, { force: true });
    },
  };
}
