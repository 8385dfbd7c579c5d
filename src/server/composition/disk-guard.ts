import { statSync } from 'node:fs';
import { dirname } from 'node:path';
import { UnavailableError } from '../../domain/primitives/domain-errors.ts';
import { walPathOf } from '../../event-log/sqlite/wal-file.ts';
import { hasSpaceFor } from '../../platform/data-folder/disk-space.ts';
import { classifyDiskError, type DiskError } from '../../platform/sqlite/disk-errors.ts';
import type { DatabaseWatch } from '../../platform/sqlite/sqlite-database.ts';
import type { Environment } from './environment.ts';

/** How the disk treats what this process writes to a data folder. */
export interface DiskGuard {
  /** For one more connection to the database. */
  watch(): DatabaseWatch;
  /** Resolves when what was written to this descriptor is on disk. */
  readonly flush: (descriptor: number) => Promise<void>;
  /** Nothing is known of what this file holds: the process ends. @returns what is told to those who wait for it */
  failed(file: string, error: unknown): UnavailableError;
  readonly hasFailed: boolean;
  /** Whether all that was written last found room, as far as is known. */
  readonly hasRoom: boolean;
  close(): void;
}

type Paced = { readonly pace: Pick<Environment['pace'], 'setTimer'> };

/** What one transaction writes at most, about; in bytes. */
const TRANSACTION = 16 * 1024 * 1024;
/** With so much room again the server is worth trying. */
const ENOUGH = 1024 * 1024;
const LOOK_EVERY_MS = 5000;

/**
 * @param file the database. What lacks room is refused, and asked for again: it may find room at any time. What cannot be
 * flushed ends the process: the system may say of a later flush that it has succeeded though this data is lost.
 */
export function createDiskGuard(
  file: string,
  { flush, end, pace, logger }: Pick<Environment, 'flush' | 'end' | 'logger'> & Paced,
): DiskGuard {
  const folder = dirname(file);
  /** Connections that lacked room when they wrote last. */
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

  /** Who lacked room may write nothing for a long time. */
  function lookAgain(): void {
    cancelLook = pace.setTimer(() => {
      if (!canGrow(ENOUGH)) return lookAgain();
      short.clear();
      ended();
    }, LOOK_EVERY_MS);
  }

  function canGrow(bytes: number): boolean {
    try {
      return hasSpaceFor(folder, Math.max(sizeOf(file), sizeOf(walPathOf(file))), bytes);
    } catch {
      return true;
    }
  }

  /** SQLite tells a full disk by its name, but not a quota or a limit of sizes. The index is another matter: it grows when
   *  the transaction is on disk already. */
  const isOfRoom = (kind: DiskError, { code }: { readonly code?: unknown }): boolean =>
    kind === 'full' || (kind === 'write' && !String(code).startsWith('SQLITE_IOERR_SHM') && !canGrow(TRANSACTION));

  return {
    flush,
    failed,
    watch() {
      const watch: DatabaseWatch = {
        onFailure(error) {
          const kind = classifyDiskError(error);
          if (kind === undefined) return error;
          return isOfRoom(kind, error as { code?: unknown }) ? lacksRoom(watch, error) : failed(walPathOf(file), error);
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

const sizeOf = (file: string): number => statSync(file, { throwIfNoEntry: false })?.size ?? 0;
