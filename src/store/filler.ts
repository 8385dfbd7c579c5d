import type { LogRecord } from '../domain/record.ts';
import type { EventLog } from '../log/event-log.ts';
import type { Advance } from './advance.ts';
import { isBefore, type Lane } from './projection-lane.ts';
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

/** What of a stretch is held in memory before it is committed, at most. */
const MOST = { documents: 5_000, characters: 48 * 1024 * 1024 };
/** Reads are short, so that requests are served between them. */
const PAGE = 500;

interface Page {
  readonly records: readonly LogRecord[];
  /** Nothing more, for now. */
  readonly isLast: boolean;
}

/** Brings lanes to the limit, or to the end of the log, by reading it apart from everyone else. */
export async function fill(lanes: readonly Lane[], options: FillOptions): Promise<void> {
  const { advance, signal, onProgress } = options;
  let read = 0;
  for (;;) {
    signal.throwIfAborted();
    const open = lanes.filter(({ stopped }) => stopped === null);
    if (open.length === 0) return;
    const stretches = open.map((lane) => advance.begin(lane));
    // Documents that are read should not lag behind for long.
    const most = open.every(({ awaitsActivation }) => awaitsActivation) ? options.stretchRecords : options.batchSize;
    let isLast: boolean;
    try {
      isLast = await foldOnto(stretches, hindmost(open), most);
    } finally {
      // Also what was folded before the log failed: it would never get past a stretch in which that happens.
      if (!signal.aborted) await advance.commit(stretches);
    }
    const spoiled = open.filter((_, index) => stretches[index]!.spoiled);
    if (spoiled.length > 0) await fillByPages(spoiled, options);
    else if (isLast) return;
  }

  /** As much as fits in memory. True at the limit, or at the end of the log. */
  async function foldOnto(stretches: readonly Stretch[], after: bigint | null, most: number): Promise<boolean> {
    let from = after;
    for (let count = 0; count < most && !stretches.some(isLarge); ) {
      signal.throwIfAborted();
      const { records, isLast } = await readPage(options, from);
      if (records.length > 0) {
        await advance.fold(stretches, records);
        from = records.at(-1)!.position;
        count += records.length;
        read += records.length;
        onProgress?.(read, from);
      }
      if (isLast) return true;
      if (stretches.every(({ spoiled, lane }) => spoiled || lane.stopped !== null)) return false;
    }
    return false;
  }
}

/** Page by page, each committed: up to just before a record that cannot be folded. */
async function fillByPages(lanes: readonly Lane[], options: FillOptions): Promise<void> {
  for (;;) {
    options.signal.throwIfAborted();
    const open = lanes.filter(({ stopped }) => stopped === null);
    if (open.length === 0) return;
    const { records, isLast } = await readPage(options, hindmost(open));
    if (records.length > 0) await options.advance.records(open, records);
    if (isLast) return;
  }
}

async function readPage({ log, limit, batchSize }: FillOptions, from: bigint | null): Promise<Page> {
  const to = limit();
  if (to !== undefined && !isBefore(from, to)) return { records: [], isLast: true };
  const size = Math.min(batchSize, PAGE);
  const found = await log.readAll(from, size);
  // Further than the limit would be ahead of the lanes that the others read: what they see would go back in time.
  const records = to === undefined ? found : found.filter(({ position }) => position <= to!);
  // With a limit the log is known to go that far: a short page is not taken for its end.
  return { records, isLast: records.length === 0 || (to === undefined && found.length < size) };
}

const isLarge = ({ changed, characters }: Stretch): boolean =>
  changed >= MOST.documents || characters >= MOST.characters;

function hindmost(lanes: readonly Lane[]): bigint | null {
  let from = lanes[0]!.position;
  for (const { position } of lanes) if (isBefore(position, from)) from = position;
  return from;
}
