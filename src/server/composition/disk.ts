import { statSync } from 'node:fs';
import { dirname } from 'node:path';
import { Unavailable } from '../../domain/unavailable.ts';
import { walFileOf } from '../../event-log/wal-file.ts';
import { hasRoomFor } from '../../platform/data-folder/room.ts';
import { type DiskError, diskErrorOf } from '../../platform/sqlite/disk-errors.ts';
import type { DatabaseWatch } from '../../platform/sqlite/watched-database.ts';
import type { Environment } from './environment.ts';

/** How the disk treats what this process writes to a data folder. */
export interface Disk {
  /** For one more connection to the database. */
  watch(): DatabaseWatch;
  /** Resolves when what was written to this descriptor is on disk. */
  readonly flush: (descriptor: number) => Promise<void>;
  /** Nothing is known of what this file holds: the process ends. @returns what is told to those who wait for it */
  failed(file: string, error: unknown): Unavailable;
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
export function createDisk(
  file: string,
  { flush, end, pace, logger }: Pick<Environment, 'flush' | 'end' | 'logger'> & Paced,
): Disk {
  const folder = dirname(file);
  /** Connections that lacked room when they wrote last. */
  const short = new Set<DatabaseWatch>();
  let failure: Unavailable | undefined;
  let cancelLook = (): void => {};

  function failed(of: string, error: unknown): Unavailable {
    if (failure) return failure;
    failure = new Unavailable('The disk has failed; the server ends.', undefined, { cause: error });
    end(of, error);
    return failure;
  }

  function lacksRoom(watch: DatabaseWatch, error: unknown): Unavailable {
    if (short.size === 0) {
      logger.error(
        { err: error, file },
        'there is no room on the disk: what has to be written is refused until there is',
      );
      lookAgain();
    }
    short.add(watch);
    return new Unavailable('There is no room to write this down at the moment.', undefined, { cause: error });
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
      return hasRoomFor(folder, Math.max(sizeOf(file), sizeOf(walFileOf(file))), bytes);
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
        failed(error) {
          const kind = diskErrorOf(error);
          if (kind === undefined) return error;
          return isOfRoom(kind, error as { code?: unknown }) ? lacksRoom(watch, error) : failed(walFileOf(file), error);
        },
        get isShort() {
          return short.has(watch);
        },
        hasRoom: () => found(watch),
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
