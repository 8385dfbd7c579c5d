import { statSync } from 'node:fs';
import { dirname } from 'node:path';
import { UnavailableError } from '../../domain/primitives/domain-errors.ts';
import { walPathOf } from '../../event-log/sqlite/wal-file.ts';
import { hasSpaceFor } from '../../platform/data-folder/disk-space.ts';
import { classifyDiskError, type DiskError } from '../../platform/sqlite/disk-errors.ts';
import type { DatabaseWatch } from '../../platform/sqlite/sqlite-database.ts';
import type { Environment } from './environment.ts';

/** Watches how the disk handles what this process reads and writes in a data folder. */
export interface DiskGuard {
  /** Watches one more connection. @param of its file; absent: the database */
  watch(of?: string): DatabaseWatch;
  /** Resolves when everything written to this descriptor is on disk. */
  readonly flush: (descriptor: number) => Promise<void>;
  /** Ends the process, since nobody knows what this file holds. @returns the error for callers that still wait */
  failed(file: string, error: unknown): UnavailableError;
  readonly hasFailed: boolean;
  /** Whether the last writes found room, as far as is known. */
  readonly hasRoom: boolean;
  close(): void;
}

type Paced = { readonly pace: Pick<Environment['pace'], 'setTimer'> };

/** About the most that one transaction writes, in bytes. */
const TRANSACTION = 16 * 1024 * 1024;
/** With this much free space, writing is tried again. In bytes. */
const ENOUGH = 1024 * 1024;
const LOOK_EVERY_MS = 5000;

/**
 * A write that lacks room is refused with a request to repeat it, since room may appear at any time. Every other error of
 * the disk ends the process at once. After a failed flush the system may report success for a later one although the data
 * is lost. After a failed read SQLite may write pages that it has read wrongly.
 * @param file the database
 */
export function createDiskGuard(
  file: string,
  { flush, end, pace, logger }: Pick<Environment, 'flush' | 'end' | 'logger'> & Paced,
): DiskGuard {
  /** Connections whose last write lacked room. */
  const short = new Set<DatabaseWatch>();
  let failure: UnavailableError | undefined;
  let cancelLook = (): void => {};

  function failed(of: string, error: unknown): UnavailableError {
    if (failure) return failure;
    failure = new UnavailableError('The disk has failed; the server ends.', undefined, { cause: error });
    end(of, error);
    return failure;
  }

  function lacksRoom(watch: DatabaseWatch, error: unknown): UnavailableError {
    if (short.size === 0) {
      logger.error(
        { err: error, file },
        'there is no room on the disk: what has to be written is refused until there is',
      );
      lookAgain();
    }
    short.add(watch);
    return new UnavailableError('There is no room to write this down at the moment.', undefined, { cause: error });
  }

  function found(watch: DatabaseWatch): void {
    if (short.delete(watch) && short.size === 0) ended();
  }

  function ended(): void {
    cancelLook();
    logger.info({ file }, 'there is room on the disk again');
  }

  /** Looks for room by itself: a connection that lacked room may not write again for a long time. */
  function lookAgain(): void {
    cancelLook = pace.setTimer(() => {
      if (!canGrow(ENOUGH)) return lookAgain();
      short.clear();
      ended();
    }, LOOK_EVERY_MS);
  }

  const canGrow = (bytes: number): boolean => canDatabaseGrow(file, bytes);

  /** SQLite names a full disk, but not a quota or a file size limit. The WAL index is no such case: it grows after the
   *  transaction is on disk. */
  const isOfRoom = (kind: DiskError, { code }: { readonly code?: unknown }): boolean =>
    kind === 'full' || (kind === 'write' && !String(code).startsWith('SQLITE_IOERR_SHM') && !canDatabaseGrow(file));

  return {
    flush,
    failed,
    watch(of = file) {
      const watch: DatabaseWatch = {
        onFailure(error) {
          const kind = classifyDiskError(error);
          if (kind === undefined) return error;
          if (isOfRoom(kind, error as { code?: unknown })) return lacksRoom(watch, error);
          return failed(kind === 'unreadable' ? of : walPathOf(of), error);
        },
        get isDiskFull() {
          return short.has(watch);
        },
        onWritten: () => found(watch),
      };
      return watch;
    },
    get hasFailed() {
      return failure !== undefined;
    },
    get hasRoom() {
      return short.size === 0;
    },
    close: () => cancelLook(),
  };
}

/** Whether a database and its write-ahead file have room for so many bytes more. True if it cannot be told. */
export function canDatabaseGrow(file: string, bytes = TRANSACTION): boolean {
  try {
    return hasSpaceFor(dirname(file), Math.max(sizeOf(file), sizeOf(walPathOf(file))), bytes);
  } catch {
    return true;
  }
}

const sizeOf = (file: string): number => statSync(file, { throwIfNoEntry: false })?.size ?? 0;
