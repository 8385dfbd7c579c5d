import { isBefore, placeOf } from '../../domain/position.ts';
import type { LogRecord } from '../../domain/record.ts';
import { allTypesBut } from '../../domain/upcasters.ts';
import type { EventLog } from '../../event-log/event-log.ts';
import type { Advance } from './advance.ts';
import type { Lane } from './projection-lane.ts';
import type { Stretch } from './stretch.ts';

export interface FillOptions {
  readonly log: EventLog;
  readonly advance: Advance;
  /** Most records of one read. */
  readonly batchSize: number;
  /** Most records that are folded into a build that nobody reads before its documents are committed. */
  readonly stretchRecords: number;
  readonly signal: AbortSignal;
  /** Does not fold beyond this place, which may move on while it fills; null: nothing; undefined: the log's end. */
  readonly limit: () => bigint | null | undefined;
  /** After each read: records read so far, and the place reached. */
  readonly onProgress?: (records: number, position: bigint) => void;
}

/**
 * What all stretches together hold in memory before they are committed, at most, in characters of JSON. Where many
 * events are priced in turn, a stretch that is too short for all of them writes each document many times over: it has
 * room for the documents of thousands of events at once.
 */
const MOST_CHARACTERS = 128 * 1024 * 1024;
/** Documents of one stretch, at most. Those that are read meanwhile should not lag behind for long. */
const MOST_DOCUMENTS = { read: 5_000, unread: 100_000 };
/** Reads are short, so that requests are served between them. */
const PAGE = 500;

/** Brings lanes to the limit, or to the end of the log, by reading it apart from everyone else. */
export async function fill(lanes: readonly Lane[], options: FillOptions): Promise<void> {
  const { advance, signal, onProgress } = options;
  let read = 0;
  for (;;) {
    signal.throwIfAborted();
    const open = lanes.filter(({ stopped }) => stopped === null);
    if (open.length === 0) return;
    const stretches = open.map((lane) => advance.begin(lane));
    const isUnread = open.every(({ awaitsActivation }) => awaitsActivation);
    let isLast: boolean;
    try {
      isLast = await foldOnto(stretches, hindmost(open), isUnread);
    } finally {
      // Also what was folded before the log failed: it would never get past a stretch in which that happens.
      if (!signal.aborted) await advance.commit(stretches);
    }
    // A stop ends the reading without an error, and what was folded is not committed: that must not pass for filled.
    signal.throwIfAborted();
    const spoiled = open.filter((_, index) => stretches[index]!.spoiled);
    if (spoiled.length > 0) await fillByPages(spoiled, options);
    else if (isLast) return;
  }

  /** As much as fits in memory. True at the limit, or at the end of the log. */
  async function foldOnto(stretches: readonly Stretch[], after: bigint | null, isUnread: boolean): Promise<boolean> {
    const most = isUnread ? options.stretchRecords : options.batchSize;
    let count = 0;
    for await (const records of pagesUpToLimit(options, after, unwantedBy(stretches.map(({ lane }) => lane)))) {
      await advance.fold(stretches, records);
      count += records.length;
      read += records.length;
      onProgress?.(read, records.at(-1)!.position);
      if (stretches.every(({ spoiled, lane }) => spoiled || lane.stopped !== null)) return false;
      if (count >= most || areLarge(stretches, isUnread)) return false;
    }
    return true;
  }
}

/** Page by page, each committed: up to just before a record that cannot be folded. */
async function fillByPages(lanes: readonly Lane[], options: FillOptions): Promise<void> {
  for await (const records of pagesUpToLimit(options, hindmost(lanes), unwantedBy(lanes))) {
    const open = lanes.filter(({ stopped }) => stopped === null);
    if (open.length === 0) return;
    await options.advance.records(open, records);
  }
}

/** Pages after this place and up to the limit, wherever that is by then, or to the end of the log. */
async function* pagesUpToLimit(
  { log, limit, batchSize, signal }: FillOptions,
  after: bigint | null,
  unwanted: ReadonlyMap<string, number>,
): AsyncGenerator<readonly LogRecord[]> {
  const pageOptions = { batch: Math.min(batchSize, PAGE), unwanted, signal };
  const isReached = (place: bigint | null, to: bigint | null | undefined) => to !== undefined && !isBefore(place, to);
  let from = after;
  // Again where the limit has moved beyond what was the end of the log when that was reached.
  for (let begun: bigint | null | undefined; begun !== from && !isReached(from, limit()); ) {
    begun = from;
    for await (const found of log.readAllFrom(placeOf(from), pageOptions)) {
      const to = limit();
      // Further than the limit would be ahead of the lanes that the others read: what they see would go back in time.
      const records = to === undefined ? found : found.filter(({ position }) => !isBefore(to, position));
      if (records.length === 0) return;
      yield records;
      from = records.at(-1)!.position;
      if (records.length < found.length || isReached(from, limit())) return;
    }
    if (limit() === undefined) return;
  }
}

/** What none of them folds. */
const unwantedBy = (lanes: readonly Lane[]): ReadonlyMap<string, number> =>
  allTypesBut(lanes.flatMap(({ projection }) => projection.types));

function areLarge(stretches: readonly Stretch[], isUnread: boolean): boolean {
  let characters = 0;
  for (const stretch of stretches) {
    if (stretch.changed >= MOST_DOCUMENTS[isUnread ? 'unread' : 'read']) return true;
    characters += stretch.characters;
  }
  return characters >= MOST_CHARACTERS;
}

function hindmost(lanes: readonly Lane[]): bigint | null {
  let from = lanes[0]!.position;
  for (const { position } of lanes) if (isBefore(position, from)) from = position;
  return from;
}
