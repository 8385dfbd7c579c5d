import type { Position } from '../../domain/event-sourcing/position.ts';
import type { LogRecord } from '../../domain/event-sourcing/record.ts';
import { yieldToEventLoop } from '../../platform/async/yield-to-event-loop.ts';
import type { SqliteDatabase } from '../../platform/sqlite/sqlite-database.ts';
import { dataVersionOf } from '../encoding/record-encoding.ts';
import type { ReadStreamOptions } from '../port/event-log.ts';
import {
  decodeRecord,
  decodeWithoutContent,
  fromStoredPosition,
  parseTimeOption,
  parseUntilOption,
  toStoredPosition,
  type Upcast,
} from '../storage/stored-record.ts';
import { ARCHIVED_DATA } from './archive-block.ts';
import type { ArchivedContents } from './archived-contents.ts';
import { createPositionFinder } from './position-before.ts';

type Row = [
  position: number,
  stream: string,
  revision: number,
  type: string,
  version: number,
  data: string | null,
  meta: string,
  recordedAt: number,
];

const selectRecords =
  'SELECT r.position, s.name, r.revision, r.type, r.version, r.data, r.meta, r.recorded_at ' +
  'FROM records r JOIN streams s ON s.id = r.stream_id';

/** Null for the unwanted types, which are a JSON list. */
const ofWanted = (value: string): string =>
  `CASE WHEN r.type NOT IN (SELECT value FROM json_each(?)) THEN ${value} END`;

interface SqliteLogReader {
  readStream(stream: string, options?: ReadStreamOptions): Promise<LogRecord[]>;
  readStreams(streams: readonly string[]): Promise<LogRecord[][]>;
  /** @param maxBytes of content, after which the page has no further record; absent: without a bound */
  readAll(
    after: Position | null,
    limit: number,
    unwanted?: ReadonlyMap<string, number>,
    maxBytes?: number,
  ): LogRecord[];
  readBackwards(limit: number, before?: Position): LogRecord[];
  recordAt(position: Position): LogRecord | undefined;
  /** The position before the first record of this time (ISO 8601) or later. */
  positionBefore(time: string): Position | null;
  head(): Position | null;
}

/** Records of one read of `readStreams`, between two turns of the event loop; fewer where they are large. */
const PAGE = 32;
/** Bytes of content after which a page has no further record. */
const PAGE_BYTES = 64 * 1024;
/** The same of one read of `readStream`, which callers bound by records. */
const READ_BYTES = 256 * 1024;
const MOST_LENGTHS = 1024;
/** Any time of recording is before it. */
const EVER = Number.MAX_SAFE_INTEGER;

/** How many records there are until their contents have so many bytes, with the record that has the last of them. */
function recordsWithin(maxBytes: number, lengths: readonly (number | null)[]): number {
  let bytes = 0;
  const full = lengths.findIndex((length) => {
    bytes += length ?? 0;
    return bytes >= maxBytes;
  });
  return full < 0 ? lengths.length : full + 1;
}

/** The queries of the log. Each call reads one snapshot, but `readStream`, to which later records may be added. */
export function createSqliteLogReader(
  database: SqliteDatabase,
  upcast: Upcast,
  archived: Pick<ArchivedContents, 'get'>,
): SqliteLogReader {
  const ofStream = 'WHERE s.name = ? AND r.recorded_at <= ? AND r.revision';
  const forwards = `${ofStream} >= ? ORDER BY r.stream_id, r.revision LIMIT ?`;
  const backwards = `${ofStream} <= ? ORDER BY r.stream_id DESC, r.revision DESC LIMIT ?`;
  const selectStream = database.prepare(`${selectRecords} ${forwards}`).raw();
  const selectStreamBackwards = database.prepare(`${selectRecords} ${backwards}`).raw();
  // SQLite knows the length of a content without reading it.
  const selectStreamLengths = 'SELECT octet_length(r.data) FROM records r JOIN streams s ON s.id = r.stream_id';
  const selectLengths = database.prepare(`${selectStreamLengths} ${forwards}`).raw();
  const selectLengthsBackwards = database.prepare(`${selectStreamLengths} ${backwards}`).raw();
  // CROSS JOIN stops the planner from starting with the streams, which would sort the whole log for each page.
  const selectAll = database
    .prepare(`${selectRecords.replace('JOIN', 'CROSS JOIN')} WHERE r.position > ? ORDER BY r.position LIMIT ?`)
    .raw();
  const selectWanted = database
    .prepare(
      `${selectRecords.replace('JOIN', 'CROSS JOIN').replace('r.data', ofWanted('r.data'))} WHERE r.position > ? ORDER BY r.position LIMIT ?`,
    )
    .raw();
  const selectBytes = database
    .prepare('SELECT sum(octet_length(data)) FROM records WHERE position > ? AND position <= ?')
    .raw();
  const selectWantedLengths = database
    .prepare(
      `SELECT ${ofWanted('octet_length(r.data)')} FROM records r WHERE r.position > ? ORDER BY r.position LIMIT ?`,
    )
    .raw();
  const selectBackwards = database
    .prepare(`${selectRecords.replace('JOIN', 'CROSS JOIN')} WHERE r.position < ? ORDER BY r.position DESC LIMIT ?`)
    .raw();
  const findPosition = createPositionFinder(database);
  const selectHead = database.prepare('SELECT max(position) FROM records').raw();

  function decode(row: unknown): LogRecord {
    const [position, stream, revision, type, version, data, meta, recordedAt] = row as Row & { 5: string };
    if (data !== ARCHIVED_DATA)
      return decodeRecord({ position, stream, revision, type, version, data, meta, recordedAt }, upcast);
    // Content was on disk in the archive before its row was emptied, so a reader that sees an empty row finds it there.
    return decodeRecord({ position, stream, revision, version, ...archived.get(stream, revision), recordedAt }, upcast);
  }

  function decodeWanted(row: unknown, unwanted: ReadonlyMap<string, number>): LogRecord {
    const [position, stream, revision, type, version, data, , recordedAt] = row as Row;
    if (data !== null) return decode(row);
    if (dataVersionOf(version) > unwanted.get(type)!) return decode(selectBackwards.get([position + 1, 1]));
    return decodeWithoutContent({ position, stream, revision, type, version, recordedAt });
  }

  /** Large records in several reads: others get the event loop between two of them. */
  async function readStream(stream: string, options: ReadStreamOptions = {}): Promise<LogRecord[]> {
    const { direction, fromRevision, limit = -1 } = options;
    const until = parseUntilOption(options.until);
    const isBackwards = direction === 'backwards';
    const [select, lengthsOf] = isBackwards
      ? [selectStreamBackwards, selectLengthsBackwards]
      : [selectStream, selectLengths];
    const found: LogRecord[] = [];
    let from = fromRevision ?? (isBackwards ? Number.MAX_SAFE_INTEGER : 0);
    // Most reads.
    if (limit === 1) return select.all([stream, until, from, limit]).map(decode);
    for (let left = limit < 0 ? Number.POSITIVE_INFINITY : limit; left > 0; ) {
      const asked = Math.min(left, MOST_LENGTHS);
      const lengths = lengthsOf.all([stream, until, from, asked]).flat() as number[];
      const count = recordsWithin(READ_BYTES, lengths);
      for (const row of select.all([stream, until, from, count])) found.push(decode(row));
      if (count < asked && count === lengths.length) break;
      from = found.at(-1)!.revision + (isBackwards ? -1 : 1);
      left -= count;
      if (left > 0) await yieldToEventLoop();
    }
    return found;
  }

  /** How many records the next page of a stream has, and whether others follow it. */
  function nextPage(stream: string, fromRevision: number): { limit: number; isLast: boolean } {
    const lengths = selectLengths.all([stream, EVER, fromRevision, PAGE]).flat() as number[];
    const limit = recordsWithin(PAGE_BYTES, lengths);
    return { limit, isLast: limit === lengths.length && limit < PAGE };
  }

  /** How many of the next `limit` records of the log a page of so many bytes has, without contents of these types. */
  function recordsUntil(maxBytes: number, unwanted: string, from: number, limit: number): number {
    // Positions have no gaps. Nearly every page is small, so that its sum is enough.
    const [bytes] = selectBytes.get([from, from + limit]) as [number | null];
    if ((bytes ?? 0) < maxBytes) return limit;
    return recordsWithin(maxBytes, selectWantedLengths.all([unwanted, from, limit]).flat() as (number | null)[]);
  }

  function positionBefore(time: string): Position | null {
    const position = findPosition(parseTimeOption('time', time));
    return position === 0 ? null : fromStoredPosition(position);
  }

  return {
    readStream,
    async readStreams(streams) {
      // As of one moment: otherwise an append to two streams could show in the second one only.
      const [head] = selectHead.get() as [number | null];
      const isThere = ({ position }: LogRecord) => toStoredPosition(position) <= (head ?? 0);
      const found: LogRecord[][] = [];
      let sinceYield = 0;
      for (const stream of streams) {
        const records: LogRecord[] = [];
        for (let isWhole = false; !isWhole; ) {
          const { limit, isLast } = nextPage(stream, records.length);
          const there = selectStream.all([stream, EVER, records.length, limit]).map(decode).filter(isThere);
          records.push(...there);
          isWhole = isLast || there.length < limit;
          // A query of a stream that does not exist takes its time too.
          sinceYield += 1 + limit;
          if (isWhole && sinceYield < PAGE) continue;
          sinceYield = 0;
          await yieldToEventLoop();
        }
        found.push(records);
      }
      return found;
    },
    readAll(after, limit, unwanted, maxBytes) {
      const types = JSON.stringify([...(unwanted?.keys() ?? [])]);
      const from = toStoredPosition(after);
      const most = maxBytes === undefined ? limit : recordsUntil(maxBytes, types, from, limit);
      if (unwanted) return selectWanted.all([types, from, most]).map((row) => decodeWanted(row, unwanted));
      return selectAll.all([from, most]).map(decode);
    },
    readBackwards(limit, before) {
      const end = before === undefined ? Number.MAX_SAFE_INTEGER : toStoredPosition(before);
      return selectBackwards.all([end, limit]).map(decode);
    },
    recordAt(position) {
      const row = selectBackwards.get([toStoredPosition(position) + 1, 1]) as Row | undefined;
      return row?.[0] === toStoredPosition(position) ? decode(row) : undefined;
    },
    positionBefore,
    head() {
      const [position] = selectHead.get() as [number | null];
      return position === null ? null : fromStoredPosition(position);
    },
  };
}
