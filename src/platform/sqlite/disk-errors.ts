/**
 * What an SQLite error says about the disk. `full`: no space, and the transaction was not written, since its last page
 * makes it valid. `flush`: the written data may never reach the disk. `write`: it is unknown how much was written.
 */
export type DiskError = 'full' | 'flush' | 'write';

const KINDS: Readonly<Record<string, DiskError>> = {
  SQLITE_FULL: 'full',
  SQLITE_IOERR_FSYNC: 'flush',
  SQLITE_IOERR_DIR_FSYNC: 'flush',
  SQLITE_IOERR: 'write',
  SQLITE_IOERR_WRITE: 'write',
  // Errors of the index of the write-ahead log, which grows after the transaction is in that log.
  SQLITE_IOERR_SHMSIZE: 'write',
  SQLITE_IOERR_SHMMAP: 'write',
};

/** Undefined: the error is not about the disk. */
export function classifyDiskError(error: unknown): DiskError | undefined {
  const code = (error as { readonly code?: unknown } | null)?.code;
  return typeof code === 'string' && Object.hasOwn(KINDS, code) ? KINDS[code] : undefined;
}
