import type { EventLog } from '../log/event-log.ts';
import type { Advance } from './advance.ts';
import { isBefore, type Lane } from './lane.ts';

export interface FillOptions {
  readonly log: EventLog;
  readonly advance: Advance;
  readonly batchSize: number;
  readonly signal: AbortSignal;
  /** Does not fold beyond this place, which may move on while it fills; null: nothing; undefined: the log's end. */
  readonly limit: () => bigint | null | undefined;
  /** After each batch: records read so far, and the place reached. */
  readonly onProgress?: (records: number, position: bigint) => void;
}

/** Brings lanes to the limit, or to the end of the log, by reading it apart from everyone else. */
export async function fill(lanes: readonly Lane[], options: FillOptions): Promise<void> {
  const { log, advance, batchSize, signal, limit, onProgress } = options;
  let read = 0;
  for (;;) {
    signal.throwIfAborted();
    const open = lanes.filter(({ stopped }) => stopped === null);
    if (open.length === 0) return;
    let from = open[0]!.position;
    for (const { position } of open) if (isBefore(position, from)) from = position;
    const to = limit();
    if (to !== undefined && !isBefore(from, to)) return;
    const found = await log.readAll(from, batchSize);
    // Further than the limit would be ahead of the lanes that the others read: what they see would go back in time.
    const records = to === undefined ? found : found.filter(({ position }) => position <= to!);
    if (records.length === 0) return;
    await advance.records(open, records);
    read += records.length;
    onProgress?.(read, records.at(-1)!.position);
    if (to === undefined && found.length < batchSize) return;
  }
}
