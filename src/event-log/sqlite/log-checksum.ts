import { crc32 } from 'node:zlib';
import { CHECKSUM_MASK, createChecksums, readChecksum, writeChecksum } from '../../platform/sqlite/checksums.ts';
import type { SqliteDatabase } from '../../platform/sqlite/sqlite-database.ts';
import type { StoredRecord } from '../storage/stored-record.ts';
import { ARCHIVED_DATA } from './archive-block.ts';
import type { ArchivedContents } from './archived-contents.ts';

/** The name of the log's checksum. It is over contents, so moving them to the archive does not change it. */
const NAME = 'log';
const PAGE = 5000;

/** Records that an earlier version has written are not part of it. */
export function beginLogChecksum(database: SqliteDatabase): void {
  createChecksums(database);
  if (readChecksum(database, NAME)) return;
  const [last] = database.prepare('SELECT coalesce(max(position), 0) FROM records').raw().get() as [number];
  writeChecksum(database, NAME, { width: last, rows: 0, sum: 0 });
}

/** @returns adds records to the checksum; call it in the transaction that writes them */
export function keepLogChecksum(database: SqliteDatabase): (records: readonly StoredRecord[]) => void {
  const add = database.prepare(
    `UPDATE checksums SET rows = rows + ?, sum = (sum + ?) & ${CHECKSUM_MASK} WHERE name = '${NAME}'`,
  );
  return (records) => {
    let sum = 0;
    for (const record of records) sum += hashOf(record);
    add.run([records.length, sum]);
  };
}

/**
 * 32 bits: thousands of records in one transaction stay a safe integer. One call for the whole text: each call into the
 * library costs more than the text of most records.
 */
function hashOf({ position, stream, revision, type, version, recordedAt, data, meta }: StoredRecord): number {
  return crc32(`${position} ${stream} ${revision} ${type} ${version} ${recordedAt} ${data.length} ${data}${meta}`);
}

export interface LogCheck {
  /** Records that were compared. */
  readonly records: number;
  /** Records of an earlier version, which have no checksum. */
  readonly uncovered: number;
  /** What is wrong; null: nothing. */
  readonly damage: string | null;
}

type Row = [
  position: number,
  stream: string | null,
  revision: number,
  type: string,
  version: number,
  data: string,
  meta: string,
  recordedAt: number,
];

/**
 * Compares the records with their checksum, as of the call. A server may append meanwhile, and move contents.
 * @param database has a checksum of the log
 * @param pause called between pages
 * @throws ArchiveError, or an error of SQLite
 */
export async function checkLog(
  database: SqliteDatabase,
  archived: Pick<ArchivedContents, 'get'>,
  pause: (records: number) => Promise<void>,
): Promise<LogCheck> {
  // One statement, so one moment.
  const [from, rows, kept, head] = database
    .prepare(
      `SELECT width, rows, sum, (SELECT coalesce(max(position), 0) FROM records) FROM checksums WHERE name = '${NAME}'`,
    )
    .raw()
    .get() as [number, number, number, number];
  // LEFT JOIN, so that a record whose stream is gone shows.
  const page = database
    .prepare(
      `SELECT r.position, s.name, r.revision, r.type, r.version, r.data, r.meta, r.recorded_at
       FROM records r LEFT JOIN streams s ON s.id = r.stream_id
       WHERE r.position > ? AND r.position <= ? ORDER BY r.position LIMIT ${PAGE}`,
    )
    .raw();
  let sum = 0n;
  let records = 0;
  let last = from;
  for (;;) {
    const found = page.all([last, head]) as Row[];
    for (const [position, stream, revision, type, version, data, meta, recordedAt] of found) {
      if (position !== last + 1) return { records, uncovered: from, damage: `there is no record ${last + 1}` };
      if (stream === null) return { records, uncovered: from, damage: `record ${position} has lost its stream` };
      const content = data === ARCHIVED_DATA ? archived.get(stream, revision) : { type, data, meta };
      sum += BigInt(hashOf({ position, stream, revision, version, recordedAt, ...content }));
      last = position;
      records++;
    }
    await pause(records);
    if (found.length < PAGE) break;
  }
  if (records !== rows)
    return { records, uncovered: from, damage: `there are ${records} records, and ${rows} were written` };
  const isSame = (sum & BigInt(CHECKSUM_MASK)) === BigInt(kept);
  return { records, uncovered: from, damage: isSame ? null : 'a record is not as it was written' };
}
