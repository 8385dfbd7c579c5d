import { isUtf8 } from 'node:buffer';
import type { Rejection } from '../domain/feed/rejection.ts';
import type { Intake, IntakeItem } from '../ingest/intake/intake.ts';
import { backoffAfter, type Delay } from '../platform/async/retry.ts';
import type { BrokerClient, ConsumedBatch, ConsumerLag, RunningConsumer } from './broker/broker-client.ts';
import {
  makeTopics,
  type PartitionCountStore,
  PartitionsChanged,
  type Topics,
  topicsWithPrefix,
} from './broker/topics.ts';
import { createDeadLetterWriter, type DeadLetter } from './dead-letter-writer.ts';

/** A member that is silent for so long has its partitions taken away; milliseconds. */
const SESSION = 10_000;
const HEARTBEATS = 5;
/** Of one request for messages. */
const FETCH_BYTES = 1024 * 1024;

interface IngestConsumerOptions {
  readonly broker: BrokerClient;
  readonly intake: Intake;
  readonly delay: Delay;
  readonly partitionCountStore?: PartitionCountStore;
  readonly topics?: Topics;
  readonly partitions?: number;
  /** Milliseconds. */
  readonly sessionMs?: number;
  /** Before each wait, so that nothing waits unseen. */
  readonly onRetry: (error: unknown, attempt: number) => void;
}

export interface IngestConsumer {
  /** Rejects with what it cannot go on with (`PartitionsChanged`). */
  readonly ended: Promise<void>;
  /** How far this process was behind in its partitions when messages last came; nothing has come since it has them, 0. */
  lags(): readonly ConsumerLag[];
  /** How many partitions this process has of its group. */
  assignedPartitions(): ReadonlyMap<string, number>;
  close(): Promise<void>;
}

/**
 * The door for feed messages that come by a topic, which all processes with this door share. The group's place moves
 * when what was accepted is on disk; what comes again is `unchanged`.
 */
export function openIngestConsumer(options: IngestConsumerOptions): IngestConsumer {
  const { broker, intake, delay, partitionCountStore, onRetry } = options;
  const { topics = topicsWithPrefix(), partitions = topics.partitions, sessionMs = SESSION } = options;
  const group = topics.ingest;
  const ending = new AbortController();
  const { signal } = ending;
  const letters = createDeadLetterWriter(broker, topics, group);
  let consumption: RunningConsumer | undefined;
  const working = new Set<Promise<void>>();
  /** Each with the partitions that this process had then: what it had before another one took messages tells nothing. */
  const lags = new Map<number, { readonly messages: number; readonly had: readonly number[] | undefined }>();

  /** Tries until it is done, or this process is not to do it any more. */
  async function persist(isWanted: () => boolean, work: () => Promise<void>): Promise<boolean> {
    for (let attempt = 1; isWanted(); attempt++) {
      try {
        await work();
        return true;
      } catch (error) {
        if (error instanceof PartitionsChanged) throw error;
        onRetry(error, attempt);
        await delay(backoffAfter(attempt), signal).catch(() => {});
      }
    }
    return false;
  }

  async function take(batch: ConsumedBatch): Promise<void> {
    const beating = createHeartbeat(batch, sessionMs / HEARTBEATS);
    const isWanted = () => !signal.aborted && batch.isAssigned() && beating.failure === undefined;
    try {
      await takeWhile(isWanted, batch);
    } finally {
      await beating.end();
    }
    if (beating.failure) throw beating.failure.error;
  }

  async function takeWhile(isWanted: () => boolean, batch: ConsumedBatch): Promise<void> {
    let refused: readonly DeadLetter[] = [];
    const isTaken = await persist(isWanted, async () => {
      refused = await ingestBatch(intake, batch);
    });
    if (!isTaken) return;
    // Not tried again here when it is refused: then the group has given the partition to another member.
    if (refused.length === 0) await batch.commit();
    else if (await persist(isWanted, () => letters.write(batch, refused))) batch.markCommitted();
  }

  async function begin(): Promise<void> {
    await persist(
      () => !signal.aborted,
      () => makeTopics(broker, topics, ['ingest'], { partitions, kept: partitionCountStore }),
    );
    if (signal.aborted) return;
    consumption = broker.consume({
      ...{ group, topic: topics.ingest, sessionMs, maxBytes: FETCH_BYTES },
      onError: (error) => onRetry(error, 1),
      async onBatch(batch) {
        const { partition, end, next, messages } = batch;
        const note = (behind: number) => lags.set(partition, { messages: behind, had: consumption?.partitions });
        note(end - next + messages.length);
        const taking = take(batch);
        working.add(taking);
        await taking.finally(() => working.delete(taking));
        if (batch.isAssigned()) note(end - next);
      },
    });
  }

  const begun = begin();
  const ended = begun.then(
    () => new Promise<void>((resolve) => signal.addEventListener('abort', () => resolve(), { once: true })),
  );
  ended.catch(() => {});
  return {
    ended,
    lags: () =>
      (consumption?.partitions ?? []).map((partition) => {
        const known = lags.get(partition);
        const messages = known && known.had === consumption?.partitions ? known.messages : 0;
        return { group, topic: topics.ingest, partition, messages };
      }),
    assignedPartitions: () => new Map([[group, consumption?.partitions.length ?? 0]]),
    async close() {
      ending.abort();
      await begun.catch(() => {});
      await Promise.allSettled(working);
      await consumption?.close();
      await letters.close();
    },
  };
}

const EMPTY: Rejection = { code: 'invalid_json', message: 'the message is empty', path: '' };
const NOT_UTF8: Rejection = { code: 'invalid_utf8', message: 'the message is not UTF-8', path: '' };

/** @returns those that were refused */
async function ingestBatch(intake: Intake, { messages }: ConsumedBatch): Promise<DeadLetter[]> {
  const refused: DeadLetter[] = [];
  const items: IntakeItem[] = [];
  for (const [index, message] of messages.entries()) {
    const { value } = message;
    if (value === null || value.length === 0) refused.push({ message, rejection: EMPTY });
    else if (!isUtf8(value)) refused.push({ message, rejection: NOT_UTF8 });
    else items.push({ line: index, text: value.toString('utf8') });
  }
  if (items.length === 0) return refused;
  for (const outcome of (await intake.accept(items)).outcomes) {
    if (outcome.status === 'rejected') refused.push({ message: messages[outcome.line]!, rejection: outcome });
  }
  return refused.sort((a, b) => a.message.offset - b.message.offset);
}

/** Tells the group that this member lives, while it works. */
function createHeartbeat(batch: ConsumedBatch, everyMs: number) {
  let last: Promise<void> = Promise.resolve();
  const beating = {
    failure: undefined as { readonly error: unknown } | undefined,
    async end() {
      clearInterval(timer);
      await last;
    },
  };
  const timer = setInterval(() => {
    last = batch.heartbeat().catch((error: unknown) => {
      beating.failure ??= { error };
    });
  }, everyMs);
  return beating;
}
