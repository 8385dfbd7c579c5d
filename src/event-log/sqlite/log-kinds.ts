import type { SqliteDatabase } from '../../platform/sqlite/sqlite-database.ts';
import { ARCHIVED_DATA } from './archive-block.ts';

/** What the records of one type take in the table of the log. */
export interface LogKind {
  /** Empty: the content of these records is in the archive, the type included. */
  readonly type: string;
  readonly records: number;
  /** The rows as SQLite stores them, without free space in pages and without the index. */
  readonly bytes: number;
}

/** About what a row takes beside its texts: its header, numbers and time, and its place in the page. */
const ROW_BYTES = 30;

/** Counts the records after one position and up to another, by type. One short read of one snapshot. */
export function createKindCounter(database: SqliteDatabase): (after: number, to: number) => readonly LogKind[] {
  // `octet_length` does not read the text itself.
  const select = database.prepare(
    `SELECT CASE WHEN data = '${ARCHIVED_DATA}' THEN '' ELSE type END AS kind, count(*) AS records,
      sum(octet_length(type) + octet_length(data) + octet_length(meta) + ${ROW_BYTES}) AS bytes
    FROM records WHERE position > ? AND position <= ? GROUP BY kind`,
  );
  return (after, to) =>
    (select.all([after, to]) as { kind: string; records: number; bytes: number }[]).map(({ kind, records, bytes }) => ({
      type: kind,
      records,
      bytes,
    }));
}

export function addKinds(sums: Map<string, LogKind>, kinds: readonly LogKind[]): void {
  for (const { type, records, bytes } of kinds) {
    const sum = sums.get(type);
    sums.set(type, { type, records: (sum?.records ?? 0) + records, bytes: (sum?.bytes ?? 0) + bytes });
  }
}

/** Windows of a sample, and records in each. */
const WINDOWS = 500;
const WINDOW_RECORDS = 4;

/**
 * Estimates the records of each type from a sample that is spread evenly over the log: whole if the log is short.
 * @param breathe called between two reads
 */
export async function estimateKinds(
  database: SqliteDatabase,
  breathe: () => Promise<void>,
): Promise<readonly LogKind[]> {
  const count = createKindCounter(database);
  const [head] = database.prepare('SELECT max(position) FROM records').raw().get() as [number | null];
  if (head === null) return [];
  const stride = Math.max(WINDOW_RECORDS, head / WINDOWS);
  const sums = new Map<string, LogKind>();
  let seen = 0;
  for (let from = 0; from < head; from += stride) {
    const after = Math.floor(from);
    const to = Math.min(head, after + WINDOW_RECORDS);
    addKinds(sums, count(after, to));
    seen += to - after;
    await breathe();
  }
  const factor = head / seen;
  return [...sums.values()].map(({ type, records, bytes }) => ({
    type,
    records: Math.round(records * factor),
    bytes: Math.round(bytes * factor),
  }));
}
