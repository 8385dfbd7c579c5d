import { fdatasync } from 'node:fs';
import { promisify } from 'node:util';
import type { LogRecord } from '../../domain/event-sourcing/record.ts';
import { StreamReplacements } from '../../domain/identities/stream-replacements.ts';
import type { OnChange } from '../../platform/async/change-signal.ts';
import type { DatabaseWatch } from '../../platform/sqlite/sqlite-database.ts';
import {
  inImmediateTransaction,
  openSqliteDatabase,
  readPragma,
  type SqliteDatabase,
} from '../../platform/sqlite/sqlite-database.ts';
import { encodeCompact } from '../encoding/record-encoding.ts';
import { createAppendStats } from '../port/append-stats.ts';
import { type AppendOutcome, type EventLog, requireAppended, type StreamAppend } from '../port/event-log.ts';
import { encodeAppends } from '../storage/append-request.ts';
import { createCommitListeners } from '../storage/commit-listeners.ts';
import { readAllInPages } from '../storage/read-all-in-pages.ts';
import { countBetween, decodeRecord, fromStoredPosition, type Upcast } from '../storage/stored-record.ts';
import { type AppendQueue, createAppendQueue } from './append-queue.ts';
import { type ArchivedContents, openArchivedContents } from './archived-contents.ts';
import { beginLogChecksum } from './log-checksum.ts';
import { createSqliteLogReader } from './sqlite-log-reader.ts';
import { createSqliteLogWriter } from './sqlite-log-writer.ts';
import { openWalFile, walPathOf } from './wal-file.ts';

/** How the log's own file is flushed to disk, and who is notified of failures. */
export interface LogDisk {
  /** Resolves when the data written to this descriptor is on disk. */
  readonly flush: (descriptor: number) => Promise<void>;
  /**
   * Called when a flush has failed, so that the state of this file is unknown.
   * @returns the error for all waiting callers
   */
  readonly failed: (file: string, error: unknown) => unknown;
}

export interface SqliteLogOptions {
  /** An open database, which the caller closes. It must have `synchronous` full. (With `file` the log opens its own
   *  database with `normal`: its append queue flushes the WAL itself before it answers.) */
  readonly database?: SqliteDatabase;
  /** Or the file to open. It is closed with the log. */
  readonly file?: string;
  /** The file of the archive, if part of the log may be there. Absent: archived contents cannot be read. */
  readonly archive?: string;
  /** For a command beside a running server: appends are refused, and `onCommitted` never calls. */
  readonly readonly?: boolean;
  /** For `file`. Absent: the system's own flush, and appenders get its errors. */
  readonly disk?: LogDisk | undefined;
  /** Watches the connections that the log opens itself: that of `file`, and that of the archive. */
  readonly watch?: ((file: string) => DatabaseWatch) | undefined;
  /** Tells that somebody has committed to the file. Absent: subscriptions read from time to time. */
  readonly onCommit?: OnChange | undefined;
  /** Milliseconds since 1970. */
  readonly now?: () => number;
  readonly upcast?: Upcast;
  /** Maximum number of records in one transaction, unless a single call brings more; default 4096. */
  readonly groupRecords?: number;
  /** Number of streams whose last revision is cached; default 100 000. */
  readonly cachedStreams?: number;
}

// `encoding/record-encoding.ts` describes `version`, `data` and `meta`. The unique constraint is the index by which
// streams are read. It also is the last protection against two records with the same revision.
const schema = `
  CREATE TABLE IF NOT EXISTS streams (id INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE) STRICT;
  CREATE TABLE IF NOT EXISTS records (
    position INTEGER PRIMARY KEY,
    stream_id INTEGER NOT NULL,
    revision INTEGER NOT NULL,
    type TEXT NOT NULL,
    version INTEGER NOT NULL,
    data TEXT NOT NULL,
    meta TEXT NOT NULL,
    recorded_at INTEGER NOT NULL,
    UNIQUE (stream_id, revision)
  ) STRICT;
`;

/**
 * The event log in a SQLite file. Positions are 1, 2, 3, ... without gaps. Other processes may read the file and append
 * to it at the same time. `onCommitted` reports only the appends of this instance.
 * @throws Error when the file cannot be opened, or is opened read-only and holds no log
 * @throws ArchiveError when part of the log is in an archive that is not there
 */
export function openSqliteLog(options: SqliteLogOptions): EventLog {
  const { now = Date.now, upcast = (record) => record, groupRecords = 4096, cachedStreams = 100_000 } = options;
  const readonly = options.readonly ?? false;
  // The log flushes commits of its own file asynchronously, so that a commit does not stop the process.
  const ownFile = options.database === undefined && options.file !== ':memory:' ? options.file : undefined;
  const { disk, watch } = options;
  const database = options.database ?? openOwn(required(options.file), readonly, watch);
  if (readonly) assertLogExists(database, options.file);
  else createSchema(database, ownFile === undefined ? FULL : NORMAL);

  const archived = openArchived();
  const reader = createSqliteLogReader(database, upcast, archived);
  const listeners = createCommitListeners();
  const appendStats = createAppendStats();
  let closed = false;

  function openArchived(): ArchivedContents {
    try {
      return openArchivedContents(database, options.archive, { watch });
    } catch (error) {
      if (options.database === undefined) database.close();
      throw error;
    }
  }

  function createQueue(): AppendQueue {
    const writer = createSqliteLogWriter(database, { now, cachedStreams });
    return createAppendQueue({
      commit(group) {
        const { outcomes, records, previous } = writer.commit(group);
        if (records.length === 0) return { outcomes };
        appendStats.recordCommit(records.length);
        const decode = () => records.map((one) => decodeRecord(one, upcast));
        return {
          outcomes,
          announce: () => listeners.notify(decode, previous === 0 ? null : fromStoredPosition(previous)),
        };
      },
      flushToDisk: wal && appendStats.timeFlush(wal.flush),
      onFlushFailed: (error) => (disk && ownFile ? disk.failed(walPathOf(ownFile), error) : error),
      maxRecords: groupRecords,
    });
  }
  const wal = ownFile === undefined || readonly ? undefined : openWalFile(ownFile, disk?.flush ?? toDisk);
  const queue = readonly ? null : createQueue();

  function assertOpen(): void {
    if (closed) throw new Error('the event log is closed');
  }

  async function appendAll(appends: readonly StreamAppend[]): Promise<readonly AppendOutcome[]> {
    assertOpen();
    if (queue === null) throw new Error('the event log is open for reading only');
    return queue.push(encodeAppends(appends, encodeCompact));
  }

  const readAll: EventLog['readAll'] = async (after, limit, unwanted) => {
    assertOpen();
    return reader.readAll(after, limit, unwanted);
  };

  const readPage: EventLog['readAll'] = async (after, limit, unwanted) => {
    assertOpen();
    return reader.readAll(after, limit, unwanted, PAGE_BYTES);
  };
  const isAtEnd = (page: readonly LogRecord[]): boolean => page.at(-1)!.position === reader.head();

  return {
    appendAll,
    async append(stream, events, expected) {
      return requireAppended((await appendAll([{ stream, events, expected }]))[0]!);
    },
    async readStream(stream, readOptions) {
      assertOpen();
      return reader.readStream(stream, readOptions);
    },
    async readStreams(streams) {
      assertOpen();
      return reader.readStreams(streams);
    },
    readAll,
    readAllFrom: (after, readOptions) => readAllInPages(readPage, after, readOptions, isAtEnd),
    readSince: (time, readOptions) =>
      readAllInPages(readPage, async () => reader.positionBefore(time), readOptions, isAtEnd),
    async readBackwards(limit, before) {
      assertOpen();
      return reader.readBackwards(limit, before);
    },
    async recordAt(position) {
      assertOpen();
      return reader.recordAt(position);
    },
    async head() {
      assertOpen();
      return reader.head();
    },
    countBetween,
    onCommitted: listeners.add,
    ...(options.onCommit && { onUnannounced: options.onCommit }),
    appendStats,
    replacements: new StreamReplacements(),
    async close() {
      if (closed) return;
      closed = true;
      await queue?.drain();
      wal?.close();
      archived.close();
      if (options.database === undefined) database.close();
    },
  };
}

function required(file: string | undefined): string {
  if (file === undefined) throw new TypeError('openSqliteLog needs a database or a file');
  return file;
}

const toDisk = promisify(fdatasync);

const openOwn = (file: string, readonly: boolean, watch: SqliteLogOptions['watch']): SqliteDatabase =>
  openSqliteDatabase({ file, readonly, synchronous: file === ':memory:' ? 'full' : 'normal', watch: watch?.(file) });

/** Bytes of content in a page of the whole log: so much is decoded in some 10 ms. */
const PAGE_BYTES = 1024 * 1024;
const NORMAL = 1;
const FULL = 2;

function createSchema(database: SqliteDatabase, synchronous: number): void {
  if (Number(readPragma(database, 'synchronous')) < synchronous) {
    throw new Error('the event log needs a database with synchronous = full: an append that returned is on disk');
  }
  inImmediateTransaction(database, () => {
    database.exec(schema);
    beginLogChecksum(database);
  });
}

function assertLogExists(database: SqliteDatabase, file = 'this database'): void {
  const table = database
    .prepare("SELECT name FROM sqlite_schema WHERE type = 'table' AND name = 'records'")
    .raw()
    .get();
  if (table === undefined) throw new Error(`no event log in ${file}`);
}
