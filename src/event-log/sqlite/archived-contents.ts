import { existsSync } from 'node:fs';
import { LRUCache } from 'lru-cache';
import { openSqliteDatabase, type SqliteDatabase } from '../../platform/sqlite/sqlite-database.ts';
import { type ArchivedContent, firstRevisionOfBlock } from './archive-block.ts';
import {
  type ArchiveBlockReader,
  ArchiveError,
  archiveIdOfLog,
  assertArchiveId,
  createArchiveBlockReader,
} from './archive-file.ts';

/** The contents of those records of a log whose rows are empty. */
export interface ArchivedContents {
  /** @throws ArchiveError when it is not there */
  get(stream: string, revision: number): ArchivedContent;
  close(): void;
}

const KEPT_BYTES = 32 * 1024 * 1024;
/** About what a record takes beside its texts. */
const OVERHEAD = 100;

/**
 * Blocks that were read lately are kept, for readers ask for one record after the other.
 * @param log tells whether it has an archive, and which one
 * @param file of the archive, which another process may make later
 * @throws ArchiveError when the log has an archive and it is not this file
 */
export function openArchivedContents(
  log: SqliteDatabase,
  file: string | undefined,
  keptBytes = KEPT_BYTES,
): ArchivedContents {
  let opened: { readonly database: SqliteDatabase; readonly blocks: ArchiveBlockReader } | undefined;
  const kept = new LRUCache<string, ArchivedContent[]>({
    maxSize: keptBytes,
    sizeCalculation: (contents) =>
      contents.reduce((bytes, { data, meta }) => bytes + OVERHEAD + data.length + meta.length, OVERHEAD),
  });

  function open(id: string | undefined) {
    if (file === undefined) throw new ArchiveError('a part of this event log lies in an archive');
    if (id === undefined || !existsSync(file))
      throw new ArchiveError(`${file} is missing: it holds a part of the event log`);
    const database = openSqliteDatabase({ file, readonly: true });
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
    kept.set(`${first} ${stream}`, contents);
    return contents;
  }

  // Before anybody is answered, rather than when somebody asks for what is not there.
  const id = archiveIdOfLog(log);
  if (id !== undefined && file !== undefined) opened = open(id);

  return {
    get(stream, revision) {
      const first = firstRevisionOfBlock(revision);
      const place = revision - first;
      // The last block of a stream may have grown since it was kept.
      const content = kept.get(`${first} ${stream}`)?.[place] ?? blockOf(stream, first)[place];
      if (!content) throw new ArchiveError(`${file} lacks record ${revision} of stream ${stream}: it is an older copy`);
      return content;
    },
    close: () => opened?.database.close(),
  };
}
