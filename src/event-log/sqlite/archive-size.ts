import type { SqliteDatabase } from '../../platform/sqlite/sqlite-database.ts';

/** What an archive holds. */
export interface ArchiveSize {
  readonly records: number;
  /** The compressed contents. */
  readonly bytes: number;
}

const BLOCKS_PER_PAGE = 2000;

/**
 * Counts the blocks of an archive page by page. Each page is one short read.
 * @param breathe called between two reads
 */
export async function measureArchive(archive: SqliteDatabase, breathe: () => Promise<void>): Promise<ArchiveSize> {
  const page = archive
    .prepare(
      `SELECT sum(last - first + 1), sum(octet_length(content)), max(id) FROM
        (SELECT rowid AS id, first, last, content FROM blocks WHERE rowid > ? ORDER BY rowid LIMIT ${BLOCKS_PER_PAGE})`,
    )
    .raw();
  const sum = { records: 0, bytes: 0 };
  for (let after = 0; ; ) {
    const [records, bytes, last] = page.get([after]) as [number | null, number | null, number | null];
    if (last === null) return sum;
    sum.records += records!;
    sum.bytes += bytes!;
    after = last;
    await breathe();
  }
}
