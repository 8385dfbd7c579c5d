import type { SqliteDatabase } from '../../platform/sqlite/sqlite-database.ts';
import { type ArchivedContent, decodeBlock, encodeBlock } from './archive-block.ts';

/** What belongs to a log is not in its archive, or the archive is another log's. Nobody can make it again. */
export class ArchiveError extends Error {
  readonly code = 'log_archive';
}

const archiveSchema = `
  CREATE TABLE IF NOT EXISTS archive (id TEXT NOT NULL) STRICT;
  CREATE TABLE IF NOT EXISTS blocks (
    stream TEXT NOT NULL,
    first INTEGER NOT NULL,
    last INTEGER NOT NULL,
    content BLOB NOT NULL,
    PRIMARY KEY (stream, first)
  ) STRICT;
`;
/** In the log: which archive belongs to it. */
const logSchema = 'CREATE TABLE IF NOT EXISTS log_archive (id TEXT NOT NULL) STRICT';

/** Undefined: this log has no archive. */
export const archiveIdOfLog = (log: SqliteDatabase): string | undefined => idIn(log, 'log_archive');

export function storeArchiveId(log: SqliteDatabase, id: string): void {
  log.exec(logSchema);
  log.prepare('INSERT INTO log_archive (id) VALUES (?)').run([id]);
}

/** Makes the tables where there are none. @returns its id */
export function prepareArchive(archive: SqliteDatabase, newId: () => string): string {
  archive.exec(archiveSchema);
  const known = idIn(archive, 'archive');
  if (known !== undefined) return known;
  const id = newId();
  archive.prepare('INSERT INTO archive (id) VALUES (?)').run([id]);
  return id;
}

/** @param id of the archive that the log has named. @throws ArchiveError when it is another one */
export function assertArchiveId(archive: SqliteDatabase, id: string, file: string): void {
  if (idIn(archive, 'archive') !== id) throw new ArchiveError(`${file} is not the archive of this event log`);
}

function idIn(database: SqliteDatabase, table: string): string | undefined {
  const exists = database.prepare("SELECT 1 FROM sqlite_schema WHERE type = 'table' AND name = ?").raw().get([table]);
  if (exists === undefined) return undefined;
  return (database.prepare(`SELECT id FROM ${table}`).raw().get() as [string] | undefined)?.[0];
}

export interface ArchiveBlockReader {
  /** Of the block that begins with this revision; undefined when there is none. */
  read(stream: string, first: number): ArchivedContent[] | undefined;
}

export function createArchiveBlockReader(archive: SqliteDatabase): ArchiveBlockReader {
  const select = archive.prepare('SELECT content FROM blocks WHERE stream = ? AND first = ?').raw();
  return {
    read(stream, first) {
      const row = select.get([stream, first]) as [Uint8Array] | undefined;
      return row && decodeBlock(row[0]);
    },
  };
}

interface ArchiveBlockWriter extends ArchiveBlockReader {
  /** In the place of the block that begins with this revision. @returns its bytes */
  write(stream: string, first: number, contents: readonly ArchivedContent[]): number;
}

export function createArchiveBlockWriter(archive: SqliteDatabase): ArchiveBlockWriter {
  const insert = archive.prepare('INSERT OR REPLACE INTO blocks (stream, first, last, content) VALUES (?, ?, ?, ?)');
  return {
    ...createArchiveBlockReader(archive),
    write(stream, first, contents) {
      const block = encodeBlock(contents);
      insert.run([stream, first, first + contents.length - 1, block]);
      return block.length;
    },
  };
}
