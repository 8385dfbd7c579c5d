import { closeSync, existsSync, openSync, statSync } from 'node:fs';
import { dirname } from 'node:path';
import type { DatabaseWatch } from '../../platform/sqlite/sqlite-database.ts';
import {
  inImmediateTransaction,
  openSqliteDatabase,
  type SqliteDatabase,
} from '../../platform/sqlite/sqlite-database.ts';
import {
  ARCHIVED_DATA,
  type ArchivedContent,
  BLOCK_REVISIONS,
  firstRevisionOfBlock,
  isSameContent,
} from './archive-block.ts';
import {
  ArchiveError,
  archiveIdOfLog,
  assertArchiveId,
  createArchiveBlockWriter,
  prepareArchive,
  storeArchiveId,
} from './archive-file.ts';
import { createArchiverQueries } from './archiver-queries.ts';
import { openWalFile, walPathOf } from './wal-file.ts';

export interface LogArchiverOptions {
  /** Of the log, which must exist. */
  readonly file: string;
  /** Of the archive; made where the log has none yet. */
  readonly archive: string;
  readonly newId: () => string;
  /** Resolves when what was written to this descriptor is on disk. */
  readonly flush: (descriptor: number) => Promise<void>;
  /** Nothing is known of what this file holds. @returns what is thrown */
  readonly failed: (file: string, error: unknown) => unknown;
  /** For one more connection. */
  readonly watch?: (() => DatabaseWatch) | undefined;
  /** Between two transactions, for all others. */
  readonly pause: () => Promise<void>;
  /** Asked before each transaction. */
  readonly mayGoOn?: () => boolean;
}

export interface ArchivedStream {
  /** Streams that began later have larger ones. */
  readonly id: number;
  readonly name: string;
  /** Of its last record; milliseconds. */
  readonly lastRecordedAt: number;
  /** The archive has all of it. */
  readonly isArchived: boolean;
}

interface MoveResult {
  readonly records: number;
  /** What they took in the log, and what they take in the archive. */
  readonly bytes: number;
  readonly archivedBytes: number;
  /** There may be more of these streams. */
  readonly isPart: boolean;
}

/** Moves the contents of a log's records into a second file. One at a time may work on a log. */
export interface LogArchiver {
  /** Streams whose names begin so, of a few hundred that began after this one, in the order of their ids. `next`: to go
   *  on after; null: there are no more. */
  streamsAfter(
    id: number,
    prefix: string,
  ): { readonly streams: readonly ArchivedStream[]; readonly next: number | null };
  /** The contents of all that these streams hold now, or a part of it: then ask again. */
  move(streams: readonly string[]): Promise<MoveResult>;
  close(): void;
}

/** Records that are moved in one go; their positions are held meanwhile. */
const MAX_RECORDS_PER_MOVE = 50_000;
/** Rows that are emptied in one transaction: a matter of some milliseconds. */
const ROWS_PER_TRANSACTION = 200;

/** Of a block there are some 3 KB: of two of them none would fit into a usual page with another. */
const PAGE_BYTES = 16_384;

/** @throws ArchiveError when the log has another archive than this file */
export async function openLogArchiver(options: LogArchiverOptions): Promise<LogArchiver> {
  const { file, archive: archiveFile, newId, flush, watch, pause, mayGoOn = () => true } = options;
  const opened: { close(): void }[] = [];
  const close = () => {
    for (const one of opened.splice(0).reverse()) one.close();
  };

  function open(path: string, mustExist: boolean, pageBytes?: number): SqliteDatabase {
    const small = { synchronous: 'normal', cacheMib: 4 } as const;
    const database = openSqliteDatabase({
      file: path,
      mustExist,
      watch: watch?.(),
      ...small,
      ...(pageBytes && { pageBytes }),
    });
    opened.push(database);
    return database;
  }

  async function flushed(path: string, toDisk: () => Promise<void>): Promise<void> {
    try {
      await toDisk();
    } catch (error) {
      throw options.failed(path, error);
    }
  }

  async function openBoth() {
    const log = open(file, true);
    const named = archiveIdOfLog(log);
    if (named !== undefined && !existsSync(archiveFile))
      throw new ArchiveError(`${archiveFile} is missing: it holds a part of the event log`);
    const archive = open(archiveFile, named !== undefined, PAGE_BYTES);
    if (named !== undefined) assertArchiveId(archive, named, archiveFile);
    const id = inImmediateTransaction(archive, () => prepareArchive(archive, newId));
    const wal = openWalFile(archiveFile, flush);
    opened.push(wal);
    const toDisk = () => flushed(walPathOf(archiveFile), wal.flush);
    await toDisk();
    // The names of the file and of the one beside it.
    const folder = openSync(dirname(archiveFile), 'r');
    await flushed(archiveFile, () => flush(folder)).finally(() => closeSync(folder));
    // Last: a log that names an archive which a crash has undone could not be opened any more.
    if (named === undefined) inImmediateTransaction(log, () => storeArchiveId(log, id));
    return { log, archive, toDisk };
  }

  const { log, archive, toDisk } = await openBoth().catch((error) => {
    close();
    throw error;
  });
  const place = statSync(archiveFile);

  const blocks = createArchiveBlockWriter(archive);
  const rows = createArchiverQueries(log);

  /** What is emptied after the file was moved away would be gone with the process. */
  function assertInPlace(): void {
    const found = statSync(archiveFile, { throwIfNoEntry: false });
    if (found?.ino !== place.ino || found.dev !== place.dev)
      throw new ArchiveError(`${archiveFile} is gone, or another file stands in its place`);
  }

  /** @returns the positions of the rows that may be emptied when the block is on disk, and how large they are */
  function writeBlock(stream: string, id: number, first: number) {
    const found = rows.ofBlock(id, first, first + BLOCK_REVISIONS - 1);
    const before = blocks.read(stream, first);
    let isNew = before?.length !== found.length;
    const contents = found.map(({ type, data, meta }, index): ArchivedContent => {
      const archived = before?.[index];
      const missing = () => new ArchiveError(`${archiveFile} lacks record ${first + index} of stream ${stream}`);
      if (data === ARCHIVED_DATA) {
        if (!archived) throw missing();
        return archived;
      }
      const content = { type, data, meta };
      // A crash before the rows were emptied leaves both, and both are alike.
      if (archived && !isSameContent(archived, content))
        throw new ArchiveError(`${archiveFile} holds another record ${first + index} of stream ${stream}`);
      isNew ||= !archived;
      return content;
    });
    const whole = found.filter(({ data }) => data !== ARCHIVED_DATA);
    const positions = whole.map(({ position }) => position);
    if (!isNew) return { positions, bytes: 0, archivedBytes: 0 };
    const bytes = whole.reduce((sum, { type, data, meta }) => sum + type.length + data.length + meta.length, 0);
    return { positions, bytes, archivedBytes: blocks.write(stream, first, contents) };
  }

  return {
    streamsAfter: rows.streamsAfter,

    async move(streams) {
      const due: number[] = [];
      const moved = { records: 0, bytes: 0, archivedBytes: 0, isPart: false };
      for (const stream of streams) {
        const one = rows.stream(stream);
        const whole = one && rows.firstWhole(one);
        if (whole === undefined || whole > one!.revision) continue;
        for (let first = firstRevisionOfBlock(whole); first <= one!.revision; first += BLOCK_REVISIONS) {
          if (due.length >= MAX_RECORDS_PER_MOVE || !mayGoOn()) {
            moved.isPart = true;
            break;
          }
          const { positions, bytes, archivedBytes } = writeBlock(stream, one!.id, first);
          due.push(...positions);
          moved.bytes += bytes;
          moved.archivedBytes += archivedBytes;
          if (positions.length > 0) await pause();
        }
      }
      if (due.length === 0) return moved;
      // Only what is in the archive for certain is taken out of the log: the other way round, a crash between the two
      // would lose it. This way round it leaves both, and the next run goes on.
      await toDisk();
      // Along the log, so that each of its pages is written once, though the streams take turns on it. The rows of one
      // stream go in the order of their revisions too: whatever ends this, those that are empty are its first ones.
      due.sort((a, b) => a - b);
      for (let from = 0; from < due.length; from += ROWS_PER_TRANSACTION) {
        if (!mayGoOn()) return { ...moved, isPart: true };
        assertInPlace();
        const some = due.slice(from, from + ROWS_PER_TRANSACTION);
        rows.empty(some);
        moved.records += some.length;
        await pause();
      }
      return moved;
    },
    close,
  };
}
