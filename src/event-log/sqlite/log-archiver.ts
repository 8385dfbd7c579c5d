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
  /** The file of the log, which must exist. */
  readonly file: string;
  /** The file of the archive; created if the log has none yet. */
  readonly archive: string;
  readonly newId: () => string;
  /** Resolves when the data written to this descriptor is on disk. */
  readonly flush: (descriptor: number) => Promise<void>;
  /** Called when a flush has failed, so that the state of this file is unknown. @returns the error to throw */
  readonly failed: (file: string, error: unknown) => unknown;
  /** Creates the watch of one more connection. */
  readonly watch?: ((file: string) => DatabaseWatch) | undefined;
  /** Called between two transactions, so that others can use the log. */
  readonly pause: () => Promise<void>;
  /** Called before each transaction. */
  readonly mayGoOn?: () => boolean;
}

export interface ArchivedStream {
  /** Later streams have larger ids. */
  readonly id: number;
  readonly name: string;
  /** When the stream's last record was recorded, in milliseconds. */
  readonly lastRecordedAt: number;
  /** Whether all contents of the stream are in the archive. */
  readonly isArchived: boolean;
}

interface MoveResult {
  readonly records: number;
  /** The size of the contents in the log, and their size in the archive. */
  readonly bytes: number;
  readonly archivedBytes: number;
  /** Whether more contents of these streams may have to be moved. */
  readonly isPart: boolean;
}

/** Moves the contents of records into a second file. Only one archiver may work on a log at a time. */
export interface LogArchiver {
  /**
   * The streams whose names begin with `prefix`, from the few hundred ids after `id`, in the order of their ids. Pass
   * `next` as the next `id`; null: there are no more.
   */
  streamsAfter(
    id: number,
    prefix: string,
  ): { readonly streams: readonly ArchivedStream[]; readonly next: number | null };
  /** Moves all present contents of these streams, or a part of them. If `isPart`, call it again. */
  move(streams: readonly string[]): Promise<MoveResult>;
  close(): void;
}

/** The maximum number of records in one move. Their positions are in memory meanwhile. */
const MAX_RECORDS_PER_MOVE = 50_000;
/** The number of rows that one transaction empties, in some milliseconds. */
const ROWS_PER_TRANSACTION = 200;

/** A block has about 3 KB. In a page of the usual size two blocks would not fit. */
const PAGE_BYTES = 16_384;

/** @throws ArchiveError when the log has another archive */
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
      watch: watch?.(path),
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
    // Flush the folder, so that the names of the archive and its write-ahead file survive a crash.
    const folder = openSync(dirname(archiveFile), 'r');
    await flushed(archiveFile, () => flush(folder)).finally(() => closeSync(folder));
    // Do this last: if a crash undid the archive, a log that names it could not be opened.
    if (named === undefined) inImmediateTransaction(log, () => storeArchiveId(log, id));
    return { log, archive, toDisk };
  }

  const { log, archive, toDisk } = await openBoth().catch((error) => {
    close();
    throw error;
  });
  const identity = statSync(archiveFile);

  const blocks = createArchiveBlockWriter(archive);
  const rows = createArchiverQueries(log);

  /** If the file was moved away, the contents would be lost with this process. */
  function assertInPlace(): void {
    const found = statSync(archiveFile, { throwIfNoEntry: false });
    if (found?.ino !== identity.ino || found.dev !== identity.dev)
      throw new ArchiveError(`${archiveFile} is gone, or another file stands in its place`);
  }

  /** @returns the positions of the rows that may be emptied when the block is on disk, and the sizes */
  function writeBlock(stream: string, id: number, first: number) {
    const found = rows.ofBlock(id, first, first + BLOCK_REVISIONS - 1);
    const blockBefore = blocks.read(stream, first);
    let isNew = blockBefore?.length !== found.length;
    const contents = found.map(({ type, data, meta }, index): ArchivedContent => {
      const archived = blockBefore?.[index];
      const missing = () => new ArchiveError(`${archiveFile} lacks record ${first + index} of stream ${stream}`);
      if (data === ARCHIVED_DATA) {
        if (!archived) throw missing();
        return archived;
      }
      const content = { type, data, meta };
      // A crash before the rows were emptied leaves the content in both files. Both must be equal.
      if (archived && !isSameContent(archived, content))
        throw new ArchiveError(`${archiveFile} holds another record ${first + index} of stream ${stream}`);
      isNew ||= !archived;
      return content;
    });
    const unmoved = found.filter(({ data }) => data !== ARCHIVED_DATA);
    const positions = unmoved.map(({ position }) => position);
    if (!isNew) return { positions, bytes: 0, archivedBytes: 0 };
    const bytes = unmoved.reduce((sum, { type, data, meta }) => sum + type.length + data.length + meta.length, 0);
    return { positions, bytes, archivedBytes: blocks.write(stream, first, contents) };
  }

  return {
    streamsAfter: rows.streamsAfter,

    async move(streams) {
      const due: number[] = [];
      const moved = { records: 0, bytes: 0, archivedBytes: 0, isPart: false };
      for (const stream of streams) {
        const one = rows.stream(stream);
        const firstUnmoved = one && rows.firstWhole(one);
        if (firstUnmoved === undefined || firstUnmoved > one!.revision) continue;
        for (let first = firstRevisionOfBlock(firstUnmoved); first <= one!.revision; first += BLOCK_REVISIONS) {
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
      // Empty the rows only after the archive is on disk. In the other order, a crash between the two would lose
      // contents. In this order a crash leaves both, and the next run goes on.
      await toDisk();
      // Go along the log, so that each page is written once, though the streams alternate in it. The rows of one stream
      // then go in the order of revisions, so an interrupted run leaves the first rows of each stream empty.
      due.sort((a, b) => a - b);
      for (let from = 0; from < due.length; from += ROWS_PER_TRANSACTION) {
        if (!mayGoOn()) return { ...moved, isPart: true };
        assertInPlace();
        const batch = due.slice(from, from + ROWS_PER_TRANSACTION);
        rows.empty(batch);
        moved.records += batch.length;
        await pause();
      }
      return moved;
    },
    close,
  };
}
