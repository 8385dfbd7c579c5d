/**
 * What an error of SQLite says about the disk. `full`: there was no room, and nothing was written that counts: the page
 * that makes a transaction one is the last. `flush`: what was written may never come to the disk. `write`: how far it was
 * written is not known.
 */
export type DiskError = 'full' | 'flush' | 'write';

const KINDS: Readonly<Record<string, DiskError>> = {
  SQLITE_FULL: 'full',
  SQLITE_IOERR_FSYNC: 'flush',
  SQLITE_IOERR_DIR_FSYNC: 'flush',
  SQLITE_IOERR: 'write',
  SQLITE_IOERR_WRITE: 'write',
  // Of the index beside the write-ahead file, which grows when the transaction is in that file already.
  SQLITE_IOERR_SHMSIZE: 'write',
  SQLITE_IOERR_SHMMAP: 'write',
};

/** Undefined: it says nothing of the disk. */
export function classifyDiskError(error: unknown): DiskError | undefined {
  const code = (error as { readonly code?: unknown } | null)?.code;
  return typeof code === 'string' && Object.hasOwn(KINDS, code) ? KINDS[code] : undefined;
}
