import { createHash } from 'node:crypto';
import { ARCHIVED_DATA } from '../../event-log/sqlite/archive-block.ts';
import { type ArchivedContents, openArchivedContents } from '../../event-log/sqlite/archived-contents.ts';
import type { SqliteDatabase } from '../../platform/sqlite/sqlite-database.ts';
import { tablesOf } from '../../platform/sqlite/table-checksums.ts';
import {
  listTimelines,
  logSegmentName,
  logSegmentsTo,
  pointSegmentName,
  readTimeline,
  timelineId,
} from './backup-folder.ts';
import { type TidyOrder, tidyTimeline } from './backup-retention.ts';
import { type BackupTarget, useSegment } from './backup-target.ts';
import { isDerived } from './derived-tables.ts';
import { type TrackedTable, trackTable } from './row-changes.ts';
import { DamagedSegment, type SegmentWriter, writeSegment } from './segment-file.ts';
import type { BackedUpSettings } from './settings-to-store.ts';

/** Records in a segment of the log, at most. */
const SEGMENT_RECORDS = 20_000;
/** How often all rows are written again, so that the changes before can expire. */
const BASE_EVERY_MS = 24 * 3_600_000;
/** How often small segments are joined, and old points removed. */
const TIDY_EVERY_MS = 3_600_000;

/** A record as a segment holds it; the last member is the name of its stream in the first record of the stream. */
export type RecordLine = readonly [
  position: number,
  streamId: number,
  revision: number,
  type: string,
  version: number,
  data: string,
  meta: string,
  recordedAt: number,
  stream?: string,
];

export interface PointHeader {
  readonly form: 1;
  readonly head: number;
  readonly takenAt: number;
}

export interface BackupOptions {
  /** The path of the database, for messages and the archive. */
  readonly archive: string;
  readonly database: SqliteDatabase;
  readonly target: BackupTarget;
  readonly key: Buffer | undefined;
  readonly keepMs: number;
  /** Which timeline this data folder has gone on with; undefined: none yet. */
  readonly timeline: string | undefined;
  /** Whether that one is begun by this folder, if nothing of it is there yet. */
  readonly isPlanned?: boolean | undefined;
  /** Called when another timeline begins, before anything is written to it. */
  readonly onTimeline: (id: string) => void;
  /** Secrets that go along, by file name. Only with a key. */
  readonly secrets: Readonly<Record<string, string>>;
  /** By which a restore sees whether secrets of the environment are the right ones. */
  readonly fingerprints: Readonly<Record<string, string>>;
  /** What the folder keeps as settings now; undefined: it cannot be told, and what was known stays. */
  readonly settings: () => BackedUpSettings | undefined;
  /** Tidies elsewhere; absent: it is done here. */
  readonly tidy?: ((order: TidyOrder) => Promise<void>) | undefined;
  readonly now: () => number;
  readonly randomBytes: (length: number) => Uint8Array;
}

export interface Backup {
  /**
   * Writes what is new; one call at a time. After an error of the disk the next call begins with a base. What could not
   * be published is published by the next call.
   * @throws an error of the disk or of the target
   */
  capture(): Promise<void>;
  /** If an hour has passed, joins small segments and removes old ones. Captures may run beside it. */
  tidy(): Promise<void>;
  close(): void;
}

export function openBackup(options: BackupOptions): Backup {
  const { database, target, key, keepMs, now } = options;
  const archived = openArchivedContents(database, options.archive);
  const headOf = database.prepare('SELECT coalesce(max(position), 0) FROM records').raw();
  const sequence = database.prepare('SELECT name, seq FROM sqlite_sequence ORDER BY name').raw();
  const sums = database.prepare('SELECT name, width, rows, sum FROM checksums ORDER BY name').raw();
  const page = createPageReader(database, archived);
  const version = createVersionReader(database);
  let timeline: string | undefined;
  let shipped = 0;
  let number = 0;
  let basedAt = Number.NEGATIVE_INFINITY;
  let tidiedAt = Number.NEGATIVE_INFINITY;
  let tables: readonly TrackedTable[] = [];
  let isBaseDue = true;
  let last = '';
  let seen: unknown;
  let settings: BackedUpSettings = { settings: {}, hidden: [] };
  /** Those of the last point, as text. */
  let toldSettings = '';
  /** Segments that are written and not published yet, in their order. */
  const written: string[] = [];

  /** The timeline goes on only if its log is the beginning of this one, as far as its last segment tells. */
  async function findTimeline(): Promise<string> {
    if (options.timeline !== undefined && (await isThere(options.timeline))) {
      const { log, points } = await readTimeline(target, options.timeline);
      await target.removeDrafts(options.timeline);
      const end = log.reduce((furthest, { to }) => Math.max(furthest, to), 0);
      const whole = logSegmentsTo(log, end);
      if (whole && (await isOwnEnd(whole.at(-1)?.name, end))) {
        shipped = end;
        number = points.reduce((highest, point) => Math.max(highest, point.to), 0);
        return options.timeline;
      }
    }
    const isBegun = options.isPlanned && options.timeline !== undefined && !(await isThere(options.timeline));
    const id = isBegun ? options.timeline! : timelineId(now(), options.randomBytes(4));
    await target.removeDrafts(id);
    options.onTimeline(id);
    shipped = 0;
    number = 0;
    return id;
  }

  const isThere = async (id: string): Promise<boolean> => (await listTimelines(target)).includes(id);

  async function isOwnEnd(name: string | undefined, end: number): Promise<boolean> {
    if (name === undefined) return true;
    if ((headOf.get() as [number])[0] < end) return false;
    const isOwn = (record: RecordLine): boolean => {
      const own = page(record[0] - 1, 1)[0];
      return own !== undefined && digestOf(own) === digestOf(record);
    };
    try {
      return await useSegment(target, name, key, (lines) => [...(lines as Iterable<RecordLine>)].every(isOwn));
    } catch (error) {
      // A damaged one is not gone on with. What is not reached may be there.
      if (error instanceof DamagedSegment) return false;
      throw error;
    }
  }

  /** Writes the next segment of the log. */
  function writeLog(head: number): void {
    const to = Math.min(head, shipped + SEGMENT_RECORDS);
    write(logSegmentName(timeline!, shipped + 1, to), (writer) => {
      for (let at = shipped; at < to; ) {
        const records = page(at, Math.min(1000, to - at));
        if (records[0]?.[0] !== at + 1) throw new Error(`the log lacks record ${at + 1}`);
        for (const record of records) writer.line(record);
        at = records.at(-1)![0];
      }
    });
    shipped = to;
  }

  function write(name: string, content: (writer: SegmentWriter) => void): void {
    const writer = writeSegment(target.draftOf(name), name, key);
    try {
      content(writer);
      writer.finish();
    } catch (error) {
      writer.abandon();
      throw error;
    }
    written.push(name);
  }

  async function publish(): Promise<void> {
    for (; written.length > 0; written.shift()) await target.publish(written[0]!);
  }

  function writePoint(head: number, takenAt: number): void {
    const isBase = isBaseDue || takenAt - basedAt >= BASE_EVERY_MS;
    if (isBase) tables = trackedTables(database);
    // Also if this fails: a number never stands for two points.
    number++;
    // Whatever fails from here on, the tables do not know what is written of them.
    isBaseDue = true;
    write(pointSegmentName(timeline!, { number, takenAt, head }, isBase), (writer) => {
      writer.line({ form: 1, head, takenAt } satisfies PointHeader);
      if (isBase) writer.line({ schema: schemaOf(database, tables) });
      if (isBase || JSON.stringify(settings) !== toldSettings)
        writer.line({ fingerprints: options.fingerprints, secrets: key ? options.secrets : {}, ...settings });
      for (const table of tables) table.write(writer.line);
      writer.line({ sequence: sequence.all(), checksums: sums.all() });
    });
    isBaseDue = false;
    toldSettings = JSON.stringify(settings);
    if (isBase) basedAt = takenAt;
  }

  return {
    async capture() {
      await publish();
      const found = version();
      settings = options.settings() ?? settings;
      if (found === seen && !isBaseDue && JSON.stringify(settings) === toldSettings) return;
      timeline ??= await findTimeline();
      // A long way behind: without a transaction, which would keep the write-ahead file from being moved.
      const [end] = headOf.get() as [number];
      while (end - shipped > SEGMENT_RECORDS) {
        writeLog(end);
        await publish();
      }
      database.exec('BEGIN');
      try {
        const takenAt = now();
        const [head] = headOf.get() as [number];
        const state = JSON.stringify([head, sequence.all(), sums.all(), settings]);
        if (state !== last || isBaseDue) {
          while (shipped < head) writeLog(head);
          writePoint(head, takenAt);
          last = state;
        }
      } finally {
        if (database.inTransaction) database.exec('COMMIT');
      }
      await publish();
      seen = found;
    },
    async tidy() {
      const at = now();
      if (timeline === undefined || at - tidiedAt < TIDY_EVERY_MS) return;
      tidiedAt = at;
      const order = { timeline, before: at - keepMs };
      await (options.tidy?.(order) ?? tidyTimeline(target, order, key));
    },
    close: () => archived.close(),
  };
}

const digestOf = (record: RecordLine): string => createHash('sha256').update(JSON.stringify(record)).digest('base64');

function createPageReader(database: SqliteDatabase, archived: Pick<ArchivedContents, 'get'>) {
  const page = database
    .prepare(
      `SELECT r.position, r.stream_id, r.revision, r.type, r.version, r.data, r.meta, r.recorded_at, s.name
       FROM records r JOIN streams s ON s.id = r.stream_id WHERE r.position > ? ORDER BY r.position LIMIT ?`,
    )
    .raw();
  return (after: number, limit: number): readonly RecordLine[] =>
    (page.all([after, limit]) as (readonly [...Required<RecordLine>])[]).map(
      ([position, id, revision, type, version, data, meta, recordedAt, stream]) => {
        const content = data === ARCHIVED_DATA ? archived.get(stream, revision) : { type, data, meta };
        const line = [position, id, revision, content.type, version, content.data, content.meta, recordedAt] as const;
        return revision === 0 ? [...line, stream] : line;
      },
    );
}

/** Changes whenever another connection has committed. */
function createVersionReader(database: SqliteDatabase): () => unknown {
  const version = database.prepare('PRAGMA data_version').raw();
  return () => (version.get() as [unknown])[0];
}

function trackedTables(database: SqliteDatabase): readonly TrackedTable[] {
  const kept = new Set(
    (database.prepare('SELECT name FROM checksums').raw().all() as [string][]).map(([name]) => name),
  );
  return tablesOf(database)
    .filter((table) => kept.has(`table ${table}`) && !isDerived(table))
    .map((table) => trackTable(database, table));
}

function schemaOf(database: SqliteDatabase, tables: readonly TrackedTable[]): unknown {
  const names = new Set(tables.map(({ table }) => table));
  const rows = database
    .prepare('SELECT type, name, tbl_name, sql FROM sqlite_schema WHERE sql IS NOT NULL ORDER BY rowid')
    .raw()
    .all() as [type: string, name: string, table: string, sql: string][];
  return rows.filter(([, , table]) => names.has(table));
}
