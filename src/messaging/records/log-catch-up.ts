import { setTimeout } from 'node:timers/promises';
import { partitionOf } from '../../domain/event-sourcing/partition-of.ts';
import { isBefore, type Position } from '../../domain/event-sourcing/position.ts';
import type { LogRecord } from '../../domain/event-sourcing/record.ts';
import type { EventLog } from '../../event-log/port/event-log.ts';
import type { RecordFeedPartition } from './record-feed-partition.ts';

/** The maximum number of undelivered log records of one partition. No page is read while a partition has more. */
const MAX_QUEUED_RECORDS = 2000;
const PAGE = 500;
const POLL_INTERVAL_MS = 5;

/** Reads the log once for all these partitions, up to where their topics have every record. */
export async function catchUpFromLog(
  log: Pick<EventLog, 'readAllFrom'>,
  count: number,
  partitions: readonly RecordFeedPartition[],
  wake: () => void,
): Promise<void> {
  const byNumber = new Map(partitions.map((partition) => [partition.number, partition]));
  let after: Position | null | undefined;
  let to: Position | null = null;
  for (const partition of partitions) {
    partition.isReadingLog = true;
    if (after === undefined || isBefore(partition.last, after)) after = partition.last;
    if (isBefore(to, partition.readLogTo)) to = partition.readLogTo;
  }
  for await (const page of log.readAllFrom(after ?? null, { batch: PAGE })) {
    const recordsOf = new Map<RecordFeedPartition, LogRecord[]>();
    for (const record of page) {
      const partition = byNumber.get(partitionOf(record.meta.partition, count));
      if (!partition || isBefore(partition.readLogTo, record.position)) continue;
      recordsOf.set(partition, [...(recordsOf.get(partition) ?? []), record]);
    }
    for (const [partition, records] of recordsOf) partition.pushFromLog(records);
    wake();
    if (!isBefore(page.at(-1)!.position, to)) break;
    if (await waitForRoom(partitions)) return;
  }
  for (const partition of partitions) partition.finishLogRead();
}

/** Waits until every partition has room for more records. Returns true if all partitions were revoked. */
async function waitForRoom(partitions: readonly RecordFeedPartition[]): Promise<boolean> {
  while (partitions.some(({ queuedFromLog, isRevoked }) => !isRevoked && queuedFromLog > MAX_QUEUED_RECORDS))
    await setTimeout(POLL_INTERVAL_MS);
  return partitions.every(({ isRevoked }) => isRevoked);
}
