/**
 * What an SQLite error says about the disk. `full`: no space, and the transaction was not written, since its last page
 * makes it valid. `flush`: the written data may never reach the disk. `write`: it is unknown how much was written.
 * `unreadable`: the file cannot be read or opened, or holds what SQLite has not written.
 */
export type DiskError = 'full' | 'flush' | 'write' | 'unreadable';

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

/**
 * Every other error of these families. After one, SQLite may go on with pages that it has read wrongly, and write them:
 * so an unknown member of a family counts too. A file that SQLite cannot open for writing it opens for reading only.
 */
const UNREADABLE = /^SQLITE_(IOERR|CORRUPT|NOTADB|CANTOPEN|READONLY)(_|$)/;

/** Undefined: the error is not about the disk. A lock that another connection holds (`SQLITE_BUSY`) is no such error. */
export function classifyDiskError(error: unknown): DiskError | undefined {
  const code = (error as { readonly code?: unknown } | null)?.code;
  if (typeof code !== 'string') return undefined;
  if (Object.hasOwn(KINDS, code)) return KINDS[code];
  return UNREADABLE.test(nameOf(code)) ? 'unreadable' : undefined;
}

/** The library has no names for some codes: the last byte of SQLite's number says which family it is of. */
const FAMILIES: Readonly<Record<number, string>> = {
  8: 'SQLITE_READONLY',
  10: 'SQLITE_IOERR',
  11: 'SQLITE_CORRUPT',
  14: 'SQLITE_CANTOPEN',
  26: 'SQLITE_NOTADB',
};
function nameOf(code: string): string {
  const [, number] = /^UNKNOWN_SQLITE_ERROR_(\d+)$/.exec(code) ?? [];
  return (number !== undefined && FAMILIES[Number(number) & 0xff]) || code;
}

/** What to do about a file that cannot be read or is damaged; for the end of a sentence. */
export const DAMAGE_ADVICE =
  'check the disk, run verify, and restore a backup if it finds damage (docs/operate.md, "When the disk fails")';

/** A database cannot be read. It has the code of SQLite's error. */
export class UnreadableDatabase extends Error {
  readonly code: string;
  constructor(file: string, cause: unknown) {
    const { message, code } = cause as Error & { readonly code: string };
    super(`${file}: ${message} (${code}); ${DAMAGE_ADVICE}`, { cause });
    this.name = 'UnreadableDatabase';
    this.code = code;
  }
}
