import type { SqliteDatabase } from '../../platform/sqlite/sqlite-database.ts';
import { type ArchivedContent, decodeBlock, encodeBlock } from './archive-block.ts';

/**
 * Content of a log is missing from its archive, or the archive belongs to another log. The content cannot be restored.
 */
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
/** A table of the log: which archive belongs to it. */
const logSchema = 'CREATE TABLE IF NOT EXISTS log_archive (id TEXT NOT NULL) STRICT';

/** Undefined if the log has no archive. */
export const archiveIdOfLog = (log: SqliteDatabase): string | undefined => idIn(log, 'log_archive');

export function storeArchiveId(log: SqliteDatabase, id: string): void {
  log.exec(logSchema);
  log.prepare('INSERT INTO log_archive (id) VALUES (?)').run([id]);
}

/** Creates the tables if they are missing. @returns the id of the archive */
export function prepareArchive(archive: SqliteDatabase, newId: () => string): string {
  archive.exec(archiveSchema);
  const known = idIn(archive, 'archive');
  if (known !== undefined) return known;
  const id = newId();
  archive.prepare('INSERT INTO archive (id) VALUES (?)').run([id]);
  return id;
}

/** @param id the archive that the log names @throws ArchiveError when the file is another archive */
export function assertArchiveId(archive: SqliteDatabase, id: string, file: string): void {
  if (idIn(archive, 'archive') !== id) throw new ArchiveError(`${file} is not the archive of this event log`);
}

function idIn(database: SqliteDatabase, table: string): string | undefined {
  const exists = database.prepare("SELECT 1 FROM sqlite_schema WHERE type = 'table' AND name = ?").raw().get([table]);
  if (exists === undefined) return undefined;
  return (database.prepare(`SELECT id FROM ${table}`).raw().get() as [string] | undefined)?.[0];
}

export interface ArchiveBlockReader {
  /** The contents of the block that begins with this revision; undefined if there is none. */
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
  /** Replaces the block that begins with this revision. @returns the size of the block in bytes */
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
