import { setTimeout } from 'node:timers/promises';
import { partitionOf } from '../domain/partition-of.ts';
import { isBefore, type Position } from '../domain/position.ts';
import type { LogRecord } from '../domain/record.ts';
import type { EventLog } from '../event-log/event-log.ts';
import type { FeedPartition } from './feed-partition.ts';

/** Records of one partition that wait to be handed over, at most; no page is asked for while there are more. */
const MOST_WAITING = 2000;
const PAGE = 500;
const LOOK_EVERY = 5;

/** Reads from the log what the topics do not have of these partitions, once for all of them. */
export async function readFromLog(
  log: Pick<EventLog, 'readAllFrom'>,
  count: number,
  partitions: readonly FeedPartition[],
  wake: () => void,
): Promise<void> {
  const byNumber = new Map(partitions.map((partition) => [partition.number, partition]));
  let after: Position | null | undefined;
  let to: Position | null = null;
  for (const partition of partitions) {
    partition.isReading = true;
    if (after === undefined || isBefore(partition.last, after)) after = partition.last;
    if (isBefore(to, partition.logTo)) to = partition.logTo;
  }
  for await (const page of log.readAllFrom(after ?? null, { batch: PAGE })) {
    const own = new Map<FeedPartition, LogRecord[]>();
    for (const record of page) {
      const partition = byNumber.get(partitionOf(record.meta.partition, count));
      if (!partition || isBefore(partition.logTo, record.position)) continue;
      own.set(partition, [...(own.get(partition) ?? []), record]);
    }
    for (const [partition, records] of own) partition.pushFromLog(records);
    wake();
    if (!isBefore(page.at(-1)!.position, to)) break;
    if (await allOver(partitions)) return;
  }
  for (const partition of partitions) partition.readToLogEnd();
}

/** Waits until there is room for more, or nobody wants it. */
async function allOver(partitions: readonly FeedPartition[]): Promise<boolean> {
  while (partitions.some(({ waiting, isOver }) => !isOver && waiting > MOST_WAITING)) await setTimeout(LOOK_EVERY);
  return partitions.every(({ isOver }) => isOver);
}
