import type { LogRecord } from '../domain/record.ts';
import type { EventLog } from './event-log.ts';

/** Records of one read. */
const PAGE = 5000;

/**
 * The records that were recorded at this time or later, in order, in pages, up to the end of the log; with some from
 * just before. What lies before is not read: a log of many years is as fast as a new one.
 * @param time milliseconds
 */
export async function* recordsSince(log: EventLog, time: number): AsyncGenerator<readonly LogRecord[]> {
  const head = await log.head();
  if (head === null) return;
  let after = await placeBefore(log, head, time);
  for (;;) {
    const records = await log.readAll(after, PAGE);
    if (records.length > 0) yield records;
    if (records.length < PAGE) return;
    after = records.at(-1)!.position;
  }
}

/** A place before the first record of this time or later. Recorded times never decrease along the logs of one process,
 *  and their positions are numbers that can be halved. */
async function placeBefore(log: EventLog, head: bigint, time: number): Promise<bigint | null> {
  let low = 0n;
  let high = head;
  while (low < high) {
    const middle = (low + high) / 2n;
    const [record] = await log.readAll(middle, 1);
    if (record && Date.parse(record.recordedAt) < time) low = record.position;
    else high = middle;
  }
  return low === 0n ? null : low;
}
