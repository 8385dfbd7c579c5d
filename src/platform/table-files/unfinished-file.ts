import { createHash } from 'node:crypto';
import { closeSync, fsyncSync, openSync, renameSync, rmSync, writeSync } from 'node:fs';

export const UNFINISHED_ENDING = '.unfinished';

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
  const unfinished = `${path}${UNFINISHED_ENDING}`;
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
