import { existsSync } from 'node:fs';
import { LRUCache } from 'lru-cache';
import { type DatabaseWatch, openSqliteDatabase, type SqliteDatabase } from '../../platform/sqlite/sqlite-database.ts';
import { type ArchivedContent, firstRevisionOfBlock } from './archive-block.ts';
import {
  type ArchiveBlockReader,
  ArchiveError,
  archiveIdOfLog,
  assertArchiveId,
  createArchiveBlockReader,
} from './archive-file.ts';

/** The contents of the records whose rows are empty. */
export interface ArchivedContents {
  /** @throws ArchiveError when the content is not there */
  get(stream: string, revision: number): ArchivedContent;
  close(): void;
}

const CACHE_BYTES = 32 * 1024 * 1024;
/** Approximate bytes of a record without its texts. */
const OVERHEAD = 100;

/**
 * Caches the blocks that were read last, because readers ask for one record after another.
 * @param log names its archive, if it has one
 * @param file the archive, which another process may create later
 * @throws ArchiveError when the log has an archive and this file is not it
 */
export function openArchivedContents(
  log: SqliteDatabase,
  file: string | undefined,
  {
    cacheBytes = CACHE_BYTES,
    watch,
  }: { readonly cacheBytes?: number; readonly watch?: ((file: string) => DatabaseWatch) | undefined } = {},
): ArchivedContents {
  let opened: { readonly database: SqliteDatabase; readonly blocks: ArchiveBlockReader } | undefined;
  const cache = new LRUCache<string, ArchivedContent[]>({
    maxSize: cacheBytes,
    sizeCalculation: (contents) =>
      contents.reduce((bytes, { data, meta }) => bytes + OVERHEAD + data.length + meta.length, OVERHEAD),
  });

  function open(id: string | undefined) {
    if (file === undefined) throw new ArchiveError('a part of this event log lies in an archive');
    if (id === undefined || !existsSync(file))
      throw new ArchiveError(`${file} is missing: it holds a part of the event log`);
    const database = openSqliteDatabase({ file, readonly: true, watch: watch?.(file) });
    try {
      assertArchiveId(database, id, file);
      return { database, blocks: createArchiveBlockReader(database) };
    } catch (error) {
      database.close();
      throw error;
    }
  }

  function blockOf(stream: string, first: number): ArchivedContent[] {
    opened ??= open(archiveIdOfLog(log));
    const contents = opened.blocks.read(stream, first) ?? [];
    cache.set(`${first} ${stream}`, contents);
    return contents;
  }

  // Check the archive when the log is opened, not when the first reader needs it.
  const id = archiveIdOfLog(log);
  if (id !== undefined && file !== undefined) opened = open(id);

  return {
    get(stream, revision) {
      const first = firstRevisionOfBlock(revision);
      const index = revision - first;
      // The last block of a stream may have grown since it was cached.
      const content = cache.get(`${first} ${stream}`)?.[index] ?? blockOf(stream, first)[index];
      if (!content) throw new ArchiveError(`${file} lacks record ${revision} of stream ${stream}: it is an older copy`);
      return content;
    },
    close: () => opened?.database.close(),
  };
}
