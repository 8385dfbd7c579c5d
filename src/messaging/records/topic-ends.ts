import { setTimeout } from 'node:timers/promises';
import { isBefore, type Position } from '../../domain/event-sourcing/position.ts';
import type { BrokerReader, FetchedMessages, TopicPartition } from '../broker/broker-client.ts';
import { decodeRecordMessage, type RecordMessage } from './record-message.ts';

/** An open transaction is soon ended by its writer, or by the broker if the writer is dead; milliseconds. */
const MAX_TRANSACTION_MS = 2000;
const POLL_INTERVAL_MS = 5;
/** How many offsets to go back first when searching the last message. The ends of transactions have offsets too. */
const FIRST_STEP = 16;
const STEP_FACTOR = 8;
const FETCH = { waitMs: 0, maxBytes: { each: 512 * 1024, all: 8 * 1024 * 1024 } } as const;

interface TopicEnd extends TopicPartition {
  /** Offsets: of the first message that the broker keeps, and of the end of the committed messages. */
  readonly first: number;
  readonly end: number;
  /** Absent if the broker keeps no message. */
  readonly last?: RecordMessage;
}

/** The ends of these partitions. They include messages whose transaction was open when this was called. */
export async function readTopicEnds(
  reader: BrokerReader,
  partitions: readonly TopicPartition[],
): Promise<readonly TopicEnd[]> {
  const firsts = await reader.offsets(partitions, 'first');
  const ends = await committedEnds(reader, partitions);
  const found = new Map<number, RecordMessage>();
  const open = () => partitions.flatMap((_, i) => (found.has(i) || ends[i]! <= firsts[i]! ? [] : [i]));
  for (let step = FIRST_STEP, left = open(); left.length > 0; step *= STEP_FACTOR) {
    const spots = left.map((i) => ({ ...partitions[i]!, offset: Math.max(firsts[i]!, ends[i]! - step) }));
    const lasts = await lastMessages(
      reader,
      spots,
      left.map((i) => ends[i]!),
    );
    for (const [at, i] of left.entries()) {
      const last = lasts[at];
      if (last) found.set(i, last);
    }
    left = open().filter((i) => ends[i]! - step > firsts[i]!);
  }
  return partitions.map((partition, i) => ({ ...partition, first: firsts[i]!, end: ends[i]!, last: found.get(i) }));
}

async function committedEnds(reader: BrokerReader, partitions: readonly TopicPartition[]): Promise<number[]> {
  const written = await reader.offsets(partitions, 'written');
  const deadline = performance.now() + MAX_TRANSACTION_MS;
  for (;;) {
    const committed = await reader.offsets(partitions, 'committed');
    if (performance.now() > deadline || committed.every((end, i) => end >= written[i]!)) return committed;
    await setTimeout(POLL_INTERVAL_MS);
  }
}

/** Reads each partition from its offset to its end. Returns the last message of each. */
async function lastMessages(
  reader: BrokerReader,
  spots: readonly (TopicPartition & { readonly offset: number })[],
  ends: readonly number[],
): Promise<(RecordMessage | undefined)[]> {
  const lasts: (RecordMessage | undefined)[] = spots.map(() => undefined);
  const offsets = spots.map(({ offset }) => offset);
  for (;;) {
    const left = spots.flatMap((_, i) => (offsets[i]! < ends[i]! ? [i] : []));
    if (left.length === 0) return lasts;
    const fetched = await reader.fetch(
      left.map((i) => ({ ...spots[i]!, offset: offsets[i]! })),
      FETCH,
    );
    for (const one of fetched) {
      const i = spots.findIndex((spot) => isSame(spot, one));
      const message = one.messages.at(-1);
      if (message) lasts[i] = decodeRecordMessage(message);
      offsets[i] = one.isAtEnd ? ends[i]! : one.next;
    }
  }
}

const isSame = (a: TopicPartition, b: TopicPartition) => a.topic === b.topic && a.partition === b.partition;

export interface ReadStart {
  readonly offset: number;
  /** The broker has dropped records after the position. Only the log has all records up to here (inclusive). */
  readonly readLogTo?: Position;
}

/**
 * The offsets to read from, so that no record after the wanted position is skipped. An offset may be earlier than
 * necessary.
 * @param written the position up to which all topics are written
 */
export async function findReadStarts(
  reader: BrokerReader,
  wanted: readonly { readonly end: TopicEnd; readonly place: Position | null }[],
  written: Position | null,
): Promise<readonly ReadStart[]> {
  const starts = new Map<number, ReadStart>();
  for (const [i, { end, place }] of wanted.entries()) {
    if (end.last && !isBefore(place, end.last.position)) starts.set(i, { offset: end.end });
    else if (!end.last)
      starts.set(i, { offset: end.end, ...(end.end > 0 && written !== null && { readLogTo: written }) });
  }
  for (let step = FIRST_STEP; starts.size < wanted.length; step *= STEP_FACTOR) {
    const left = wanted.flatMap((one, i) => (starts.has(i) ? [] : [{ i, ...one, offset: backFrom(one.end, step) }]));
    const spots = left.map(({ end, offset }) => ({ topic: end.topic, partition: end.partition, offset }));
    const firsts = await firstMessages(reader, spots);
    for (const [at, { i, end, place, offset }] of left.entries()) {
      const first = firsts[at];
      if (first && !isBefore(place, first.position)) starts.set(i, { offset });
      else if (offset === end.first)
        starts.set(i, { offset, ...(end.first > 0 && first && { readLogTo: first.position }) });
    }
  }
  return wanted.map((_, i) => starts.get(i)!);
}

const backFrom = ({ first, end }: TopicEnd, step: number) => Math.max(first, end - step);

async function firstMessages(
  reader: BrokerReader,
  spots: readonly (TopicPartition & { readonly offset: number })[],
): Promise<(RecordMessage | undefined)[]> {
  const firsts: (RecordMessage | undefined)[] = spots.map(() => undefined);
  let left = spots.map((spot, i) => ({ ...spot, i }));
  while (left.length > 0) {
    const fetched = await reader.fetch(left, FETCH);
    const remaining: typeof left = [];
    for (const spot of left) {
      const one = fetched.find((other) => isSame(spot, other)) as FetchedMessages;
      const [message] = one.messages;
      if (message) firsts[spot.i] = decodeRecordMessage(message);
      else if (!one.isAtEnd) remaining.push({ ...spot, offset: one.next });
    }
    left = remaining;
  }
  return firsts;
}
