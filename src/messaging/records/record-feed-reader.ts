import type { Position } from '../../domain/event-sourcing/position.ts';
import type { LogRecord } from '../../domain/event-sourcing/record.ts';
import type { EventLog } from '../../event-log/port/event-log.ts';
import type {
  RecordFeedMessage,
  RecordFeedOptions,
  RecordFeedSubscription,
} from '../../event-log/subscription/record-feed.ts';
import type { BrokerClient, ConsumerLag, FetchedMessages, GroupMember } from '../broker/broker-client.ts';
import type { Topics } from '../broker/topics.ts';
import { catchUpFromLog } from './log-catch-up.ts';
import { RecordFeedPartition } from './record-feed-partition.ts';
import { decodeRecordMessage } from './record-message.ts';
import { findReadStarts, readTopicEnds } from './topic-ends.ts';

/** How long the broker keeps a request that it has nothing for. What is assigned meanwhile waits as long. */
const WAIT = 200;
const FETCH_BYTES = { each: 128 * 1024, all: 2 * 1024 * 1024 } as const;
/** Of one topic of one partition: no more is fetched while so much waits to be handed over. */
const ENOUGH_BYTES = 64 * 1024;
/** What a reader holds at most of so many partitions of topics: what is enough, and what one more request brings. */
export const maxBufferedBytes = (partitions: number): number => partitions * (ENOUGH_BYTES + FETCH_BYTES.each);
/** What belongs before a message comes within moments; later than that it is looked up in the log. */
const MISSING = 500;

/** What the readers of a feed share. */
export interface RecordFeedParts {
  readonly broker: BrokerClient;
  /** What the broker has dropped is read from there. */
  readonly log: Pick<EventLog, 'readAllFrom' | 'head'>;
  readonly upcast: (record: LogRecord) => LogRecord;
  readonly topics: Topics;
  readonly partitions: number;
  /** Milliseconds. */
  readonly sessionMs: number;
  readonly openReaders: Set<RecordFeedReaderStatus>;
}

/** What is to be known of a reader, for metrics. */
interface RecordFeedReaderStatus {
  readonly bytes: number;
  readonly group: string | undefined;
  readonly partitions: number;
  lags(): readonly ConsumerLag[];
}

/** One reader of the feed: every partition, or those that its group gives it. */
export function createRecordFeedReader(feed: RecordFeedParts, options: RecordFeedOptions): RecordFeedSubscription {
  const { signal, readers } = options;
  const { topics, broker, log } = feed;
  const held = new Map<number, RecordFeedPartition>();
  const ending = new AbortController();
  const reader = broker.openReader(topics.facts);
  let turn = 0;
  let wake = () => {};
  let wakeFetch = () => {};
  let failure: { readonly error: unknown } | undefined;
  let member: GroupMember | undefined;
  let running: Promise<unknown> | undefined;
  let ended: Promise<void> | undefined;
  const own: RecordFeedReaderStatus = {
    group: readers === 'all' ? undefined : readers.group,
    get bytes() {
      return [...held.values()].reduce((sum, { bytes }) => sum + bytes, 0);
    },
    get partitions() {
      return held.size;
    },
    lags(): ConsumerLag[] {
      const { group } = own;
      if (group === undefined) return [];
      return [...held.values()].flatMap(({ number, offsets, ends }) =>
        offsets.map((offset, index) => ({
          ...{ group, topic: topics.facts[index]!, partition: number },
          messages: Math.max(0, ends[index]! - offset),
        })),
      );
    },
  };

  function fail(error: unknown): void {
    if (ending.signal.aborted) return;
    failure ??= { error };
    wake();
  }

  function begin(): void {
    feed.openReaders.add(own);
    const head = options.after === 'now' ? log.head() : undefined;
    head?.catch(() => {});
    const placeOf = async (name: string) => (options.after === 'now' ? (await head)! : options.after(name));
    const onAssigned = (numbers: readonly number[]) => assign(numbers, placeOf);
    if (readers === 'all') onAssigned(Array.from({ length: feed.partitions }, (_, number) => number));
    else {
      const group = topics.prefix + readers.group;
      const { sessionMs } = feed;
      member = broker.joinGroup({ group, topic: topics.facts[0]!, sessionMs, onAssigned, onLost: fail });
    }
    running = fetchOn().catch(fail);
  }

  function assign(numbers: readonly number[], placeOf: (name: string) => Promise<Position | null>): void {
    if (ending.signal.aborted) return;
    const given = new Set(numbers);
    for (const [number, partition] of held) {
      if (given.has(number)) continue;
      partition.isRevoked = true;
      held.delete(number);
    }
    options.onAssigned?.(new Set(numbers.map(String)));
    const added = numbers.filter((number) => !held.has(number));
    const partitions = added.map(
      (number) => new RecordFeedPartition(number, topics.facts.length, options, feed.upcast),
    );
    for (const partition of partitions) held.set(partition.number, partition);
    if (partitions.length > 0) place(partitions, placeOf).catch(fail);
  }

  /** Finds where each goes on, and what of it only the log has. */
  async function place(
    partitions: readonly RecordFeedPartition[],
    placeOf: (name: string) => Promise<Position | null>,
  ): Promise<void> {
    const places = await Promise.all(partitions.map(({ name }) => placeOf(name)));
    const all = topics.facts.flatMap((topic) => partitions.map(({ number }) => ({ topic, partition: number })));
    const ends = await readTopicEnds(reader, all);
    let written: Position | null = null;
    for (const { last } of ends) if (last && (written === null || written < last.position)) written = last.position;
    const wanted = ends.map((end, i) => ({ end, place: places[i % partitions.length]! }));
    const starts = await findReadStarts(reader, wanted, written);
    for (const [i, partition] of partitions.entries()) {
      const at = topics.facts.map((_, topic) => topic * partitions.length + i);
      partition.start(
        places[i]!,
        at.map((one) => starts[one]!),
        at.map((one) => ends[one]!.last?.position ?? null),
      );
    }
    wake();
    wakeFetch();
    await readLog(partitions.filter(({ readLogTo }) => readLogTo !== null));
  }

  async function readLog(partitions: readonly RecordFeedPartition[]): Promise<void> {
    if (partitions.length === 0) return;
    await catchUpFromLog(log, feed.partitions, partitions, () => wake());
    wake();
    wakeFetch();
  }

  async function fetchOn(): Promise<void> {
    while (!ending.signal.aborted) {
      const spots = [...held.values()].flatMap((partition) =>
        topics.facts.flatMap((topic, index) =>
          partition.needsMore(index, ENOUGH_BYTES)
            ? [{ topic, partition: partition.number, offset: partition.offsets[index]! }]
            : [],
        ),
      );
      if (spots.length === 0) {
        await new Promise<void>((resolve) => {
          wakeFetch = resolve;
          ending.signal.addEventListener('abort', () => resolve(), { once: true });
        });
        continue;
      }
      for (const one of await reader.fetch(spots, { waitMs: WAIT, maxBytes: FETCH_BYTES })) {
        const asked = spots.find(({ topic, partition }) => topic === one.topic && partition === one.partition);
        took(one, asked!.offset);
      }
    }
  }

  /** The partition may have been taken away meanwhile, and have come back. */
  function took({ topic, partition: number, messages, next, end: last }: FetchedMessages, offset: number): void {
    const partition = held.get(number);
    const index = topics.facts.indexOf(topic);
    if (!partition?.needsMore(index, ENOUGH_BYTES)) return;
    partition.push(index, offset, { next, end: last }, messages.map(decodeRecordMessage));
    if (messages.length > 0) wake();
  }

  /** What can be handed over now; each partition in turn. */
  function produce(): RecordFeedMessage | undefined {
    const partitions = [...held.values()];
    for (let tries = 0; tries < partitions.length; tries++) {
      const partition = partitions[(turn + tries) % partitions.length]!;
      const message = partition.nextMessage(performance.now() - MISSING);
      if (partition.readLogTo !== null && !partition.isReadingLog) readLog([partition]).catch(fail);
      if (!message) continue;
      turn = (turn + tries + 1) % partitions.length;
      wakeFetch();
      return message;
    }
    return undefined;
  }

  function end(): Promise<void> {
    ended ??= (async () => {
      ending.abort();
      signal?.removeEventListener('abort', end);
      for (const partition of held.values()) partition.isRevoked = true;
      held.clear();
      feed.openReaders.delete(own);
      wake();
      await Promise.all([member?.leave(), reader.close(), running]);
    })();
    return ended;
  }

  if (signal?.aborted) void end();
  else signal?.addEventListener('abort', end);

  return {
    async next() {
      if (!running && !ending.signal.aborted) begin();
      while (!ending.signal.aborted) {
        let message: RecordFeedMessage | undefined;
        try {
          if (failure) throw failure.error;
          message = produce();
        } catch (error) {
          await end();
          throw error;
        }
        if (message) return { done: false, value: message };
        await wokenOrTimeout((resolve) => {
          wake = resolve;
        }, MISSING / 2);
      }
      return { done: true, value: undefined };
    },
    async return() {
      await end();
      return { done: true, value: undefined };
    },
    [Symbol.asyncIterator]() {
      return this;
    },
  };
}

/** Resolves when the function that `begin` is given is called, or after so many milliseconds. */
function wokenOrTimeout(begin: (resolve: () => void) => void, milliseconds: number): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, milliseconds);
    begin(() => {
      clearTimeout(timer);
      resolve();
    });
  });
}
