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

/** A member that sends no heartbeat for this long loses its partitions; milliseconds. */
const SESSION_MS = 10_000;
const HEARTBEATS_PER_SESSION = 5;
/** The maximum size of one fetch. */
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
  /** Called before each wait, so that no wait goes unreported. */
  readonly onRetry: (error: unknown, attempt: number) => void;
  /** Called with the letters of a batch, once they are written: nobody else hears of a message that was refused here. */
  readonly onDeadLetters?: (letters: readonly DeadLetter[]) => void;
}

export interface IngestConsumer {
  /** Rejects when the consumer cannot continue (`PartitionsChanged`). */
  readonly ended: Promise<void>;
  /**
   * The lag of this process in its partitions when messages last came; 0 if none have come since it has the partitions.
   */
  lags(): readonly ConsumerLag[];
  /** The number of partitions of this process, by group. */
  assignedPartitions(): ReadonlyMap<string, number>;
  close(): Promise<void>;
}

/**
 * The consumer of feed messages that come in a topic. All processes with this consumer form one group. The group's
 * offset moves only when the accepted messages are on disk; a message that comes again is `unchanged`.
 */
export function openIngestConsumer(options: IngestConsumerOptions): IngestConsumer {
  const { broker, intake, delay, partitionCountStore, onRetry, onDeadLetters } = options;
  const { topics = topicsWithPrefix(), partitions = topics.partitions, sessionMs = SESSION_MS } = options;
  const group = topics.ingest;
  const ending = new AbortController();
  const { signal } = ending;
  const letters = createDeadLetterWriter(broker, topics, group);
  let consumption: RunningConsumer | undefined;
  const working = new Set<Promise<void>>();
  /**
   * Each lag with the partitions that this process had then. An earlier lag of a partition that another member had
   * meanwhile says nothing.
   */
  const lags = new Map<number, { readonly messages: number; readonly partitions: readonly number[] | undefined }>();

  /** Repeats the work until it succeeds, or this process must no longer do it. */
  async function retryWhileWanted(isWanted: () => boolean, work: () => Promise<void>): Promise<boolean> {
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

  async function processBatch(batch: ConsumedBatch): Promise<void> {
    const heartbeat = createHeartbeat(batch, sessionMs / HEARTBEATS_PER_SESSION);
    const isWanted = () => !signal.aborted && batch.isAssigned() && heartbeat.failure === undefined;
    try {
      await processWhileWanted(isWanted, batch);
    } finally {
      await heartbeat.end();
    }
    if (heartbeat.failure) throw heartbeat.failure.error;
  }

  async function processWhileWanted(isWanted: () => boolean, batch: ConsumedBatch): Promise<void> {
    let refused: readonly DeadLetter[] = [];
    const isIngested = await retryWhileWanted(isWanted, async () => {
      refused = await ingestBatch(intake, batch);
    });
    if (!isIngested) return;
    // If the commit is refused, do not retry: the group has given the partition to another member.
    if (refused.length === 0) await batch.commit();
    else if (await retryWhileWanted(isWanted, () => letters.write(batch, refused))) {
      batch.markCommitted();
      onDeadLetters?.(refused);
    }
  }

  async function begin(): Promise<void> {
    await retryWhileWanted(
      () => !signal.aborted,
      () => makeTopics(broker, topics, ['ingest'], { partitions, kept: partitionCountStore }),
    );
    if (signal.aborted) return;
    consumption = broker.consume({
      group,
      topic: topics.ingest,
      sessionMs,
      maxBytes: FETCH_BYTES,
      onError: (error) => onRetry(error, 1),
      async onBatch(batch) {
        const { partition, end, next, messages } = batch;
        const note = (lag: number) => lags.set(partition, { messages: lag, partitions: consumption?.partitions });
        note(end - next + messages.length);
        const processing = processBatch(batch);
        working.add(processing);
        await processing.finally(() => working.delete(processing));
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
        const messages = known && known.partitions === consumption?.partitions ? known.messages : 0;
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

/** @returns the refused messages */
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

/** Sends heartbeats to the group while this member works. */
function createHeartbeat(batch: ConsumedBatch, everyMs: number) {
  let last: Promise<void> = Promise.resolve();
  const heartbeat = {
    failure: undefined as { readonly error: unknown } | undefined,
    async end() {
      clearInterval(timer);
      await last;
    },
  };
  const timer = setInterval(() => {
    last = batch.heartbeat().catch((error: unknown) => {
      heartbeat.failure ??= { error };
    });
  }, everyMs);
  return heartbeat;
}
