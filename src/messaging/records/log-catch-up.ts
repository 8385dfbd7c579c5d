import { setTimeout } from 'node:timers/promises';
import { partitionOf } from '../../domain/event-sourcing/partition-of.ts';
import { isBefore, type Position } from '../../domain/event-sourcing/position.ts';
import type { LogRecord } from '../../domain/event-sourcing/record.ts';
import type { EventLog } from '../../event-log/port/event-log.ts';
import type { RecordFeedPartition } from './record-feed-partition.ts';

/** Records of one partition that wait to be handed over, at most; no page is asked for while there are more. */
const MOST_WAITING = 2000;
const PAGE = 500;
const LOOK_EVERY = 5;

/** Reads from the log what the topics do not have of these partitions, once for all of them. */
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
    const own = new Map<RecordFeedPartition, LogRecord[]>();
    for (const record of page) {
      const partition = byNumber.get(partitionOf(record.meta.partition, count));
      if (!partition || isBefore(partition.readLogTo, record.position)) continue;
      own.set(partition, [...(own.get(partition) ?? []), record]);
    }
    for (const [partition, records] of own) partition.pushFromLog(records);
    wake();
    if (!isBefore(page.at(-1)!.position, to)) break;
    if (await allOver(partitions)) return;
  }
  for (const partition of partitions) partition.finishLogRead();
}

/** Waits until there is room for more, or nobody wants it. */
async function allOver(partitions: readonly RecordFeedPartition[]): Promise<boolean> {
  while (partitions.some(({ queuedFromLog, isRevoked }) => !isRevoked && queuedFromLog > MOST_WAITING))
    await setTimeout(LOOK_EVERY);
  return partitions.every(({ isRevoked }) => isRevoked);
}
