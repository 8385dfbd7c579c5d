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
  type Timeline,
  timelineId,
  usableRuns,
} from './backup-folder.ts';
import { type TidyOrder, tidyTimeline } from './backup-retention.ts';
import { type BackupTarget, MissingBackup, useSegment } from './backup-target.ts';
import { isDerived } from './derived-tables.ts';
import { createOtherWriters } from './other-writers.ts';
import { type TrackedTable, trackTable } from './row-changes.ts';
import { DamagedSegment, type SegmentWriter, writeSegment } from './segment-file.ts';
import type { BackedUpSettings } from './settings-to-store.ts';

/** Records in a segment of the log, at most. */
const SEGMENT_RECORDS = 20_000;
/** How often all rows are written again, so that the changes before can expire. */
const BASE_EVERY_MS = 24 * 3_600_000;
/** How often small segments are joined, and old points removed. */
const TIDY_EVERY_MS = 3_600_000;
/** Once in so many calls, a minute as a rule, all names of the backup are looked at. */
const THOROUGH_EVERY = 20;

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
  /** Whether that one was begun in this very target. */
  readonly isBegun?: boolean | undefined;
  /** Called when another timeline begins, before anything is written to it; and when it is there. */
  readonly onTimeline: (id: string, isBegun: boolean) => void;
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

/** What a backup holds when nothing is missing. */
export interface Captured {
  readonly timeline: string;
  /** The last position of the log. */
  readonly records: number;
  /** The timeline that another server has written to lately in the same backup; undefined: none. */
  readonly otherWriter: string | undefined;
}

export interface Backup {
  /**
   * Writes what is new; one call at a time. After an error of the disk the next call begins with a base. What could not
   * be published is published by the next call.
   * @throws MissingBackup if what was published is not there: the next call writes it again, or waits for its disk
   * @throws an error of the disk or of the target
   */
  capture(): Promise<Captured>;
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
  const written: Written[] = [];
  /** What this process has published, as far as it must still be there. */
  let standing: Standing = { head: 0, number: 0, newest: undefined };
  let known = { id: options.timeline, isPlanned: options.isPlanned === true, isBegun: options.isBegun === true };
  /** All timelines that this folder has written. */
  const own = new Set<string>();
  const others = createOtherWriters(target, now);
  let looks = 0;

  /** The timeline goes on only if its log is the beginning of this one, as far as its last segment tells. */
  async function findTimeline(): Promise<string> {
    const isKnownThere = known.id !== undefined && (await isThere(known.id));
    if (known.id !== undefined && isKnownThere) {
      const { log, points } = await readTimeline(target, known.id);
      await target.removeDrafts(known.id);
      const end = log.reduce((furthest, { to }) => Math.max(furthest, to), 0);
      const whole = logSegmentsTo(log, end);
      if (whole && (await isOwnEnd(whole.at(-1)?.name, end))) {
        shipped = end;
        // Not lower than before: a standby may have read points that are gone, and takes no number for another one.
        number = points.reduce((highest, point) => Math.max(highest, point.to), number);
        standing = { head: end, number: 0, newest: whole.at(-1)?.name };
        if (!known.isBegun) noteBegun(known.id);
        return known.id;
      }
    }
    if (known.id !== undefined && !isKnownThere && known.isBegun && target.mayBeAway) throw awayError(known.id);
    const id =
      known.isPlanned && known.id !== undefined && !isKnownThere ? known.id : timelineId(now(), options.randomBytes(4));
    await target.removeDrafts(id);
    // Noted before it is there: else a kill in between would leave one that nobody goes on with.
    known = { id, isPlanned: true, isBegun: false };
    options.onTimeline(id, false);
    await target.begin(id);
    // And noted again only when it is there: else after a kill in between it would be waited for for ever.
    noteBegun(id);
    shipped = 0;
    number = 0;
    standing = { head: 0, number: 0, newest: undefined };
    return id;
  }

  function noteBegun(id: string): void {
    known = { id, isPlanned: false, isBegun: true };
    options.onTimeline(id, true);
  }

  const isThere = async (id: string): Promise<boolean> => (await listTimelines(target)).includes(id);

  const awayError = (id: string): MissingBackup =>
    new MissingBackup(
      `${target.name} does not hold what this server has backed up there (${id}): is its disk mounted? As soon as it is, the backup goes on by itself. If it was emptied on purpose, stop the server, remove backup.json from its data folder, and start it: then everything is backed up again`,
    );

  /**
   * What was published must still be there. In the place of a disk that is gone an empty folder may stand, a disk may have
   * been put back to an earlier state, a bucket may have been emptied: whatever is written after something that is missing
   * cannot be restored.
   * @throws MissingBackup
   */
  async function assertStanding(id: string): Promise<void> {
    if (standing.newest === undefined) return;
    const isThorough = ++looks % THOROUGH_EVERY === 0;
    if (!isThorough && (await target.has(standing.newest))) return;
    const isGone = !(await isThere(id));
    if (isGone && target.mayBeAway) throw awayError(id);
    const found = isGone ? undefined : await readTimeline(target, id);
    if (found && holds(found, standing)) {
      // It may have been joined with others: the next call looks for what that has become.
      standing = { ...standing, newest: usableRuns(found).at(-1)?.at(-1)?.name ?? standing.newest };
      if (isThorough) await lookForOthers();
      return;
    }
    beginAgain();
    throw new MissingBackup(
      `${target.name} has lost a part of what this server has backed up there (${id}): it is written again; moments before now may be missing`,
    );
  }

  /** Where another server writes too, the one that lives on is to have the newest point, since that is what is restored. */
  async function lookForOthers(): Promise<void> {
    if (!(await others.look(own))) return;
    last = '';
    seen = undefined;
  }

  /** The next call finds out what is there, and goes on from that with a base. */
  function beginAgain(): void {
    timeline = undefined;
    written.length = 0;
    isBaseDue = true;
  }

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
    write({ name: logSegmentName(timeline!, shipped + 1, to), head: to }, (writer) => {
      for (let at = shipped; at < to; ) {
        const records = page(at, Math.min(1000, to - at));
        if (records[0]?.[0] !== at + 1) throw new Error(`the log lacks record ${at + 1}`);
        for (const record of records) writer.line(record);
        at = records.at(-1)![0];
      }
    });
    shipped = to;
  }

  function write(segment: Written, content: (writer: SegmentWriter) => void): void {
    const { name } = segment;
    const writer = writeSegment(target.draftOf(name), name, key);
    try {
      content(writer);
      writer.finish();
    } catch (error) {
      writer.abandon();
      throw error;
    }
    written.push(segment);
  }

  async function publish(): Promise<void> {
    for (; written.length > 0; written.shift()) {
      const { name, ...place } = written[0]!;
      try {
        await target.publish(name);
      } catch (error) {
        // Its draft is gone, or its folder with the disk: tried again, it would fail for ever.
        if ((error as NodeJS.ErrnoException).code === 'ENOENT') beginAgain();
        throw error;
      }
      standing = { ...standing, ...place, newest: name };
    }
  }

  function writePoint(head: number, takenAt: number): void {
    const isBase = isBaseDue || takenAt - basedAt >= BASE_EVERY_MS;
    if (isBase) tables = trackedTables(database);
    // Also if this fails: a number never stands for two points.
    number++;
    // Whatever fails from here on, the tables do not know what is written of them.
    isBaseDue = true;
    write({ name: pointSegmentName(timeline!, { number, takenAt, head }, isBase), number }, (writer) => {
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
      if (timeline !== undefined) await assertStanding(timeline);
      await publish();
      const found = version();
      settings = options.settings() ?? settings;
      const captured = () => ({ timeline: timeline!, records: shipped, otherWriter: others.latest() });
      if (found === seen && !isBaseDue && JSON.stringify(settings) === toldSettings) return captured();
      if (timeline === undefined) {
        timeline = await findTimeline();
        own.add(timeline);
        await others.look(own);
      }
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
      return captured();
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

/** A segment that is written: up to which record, or which point it is. */
type Written = { readonly name: string; readonly head: number } | { readonly name: string; readonly number: number };

interface Standing {
  /** The last record. */
  readonly head: number;
  /** The last point; 0: none. */
  readonly number: number;
  /** The segment that was published last. */
  readonly newest: string | undefined;
}

/** Whether everything up to there can be restored. */
const holds = (found: Timeline, { head, number }: Standing): boolean =>
  logSegmentsTo(found.log, head) !== undefined && (usableRuns(found).at(-1)?.at(-1)?.to ?? 0) >= number;

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
