import type { Subscription } from 'rxjs';
import type { DocumentChangeSource, DocumentChanges } from '../../read-models/projector/document-changes.ts';
import type { BrokerClient, OutgoingMessage } from '../broker/broker-client.ts';
import { type Topics, topicsWithPrefix } from '../broker/topics.ts';
import { encodeChanges } from './change-message.ts';

/**
 * How often the publisher reports the partitions that it projects, in milliseconds. Readers expect a report each
 * second. Each wakes every process of the cluster. If one is late, readers ask the read store.
 */
const HEARTBEAT_INTERVAL_MS = 500;
/** Maximum bytes that wait for the broker. Beyond it all are dropped, and readers learn that they have missed some. */
const MAX_WAITING_BYTES = 8 * 1024 * 1024;

interface ChangePublisherOptions {
  readonly broker: BrokerClient;
  /** The changes to publish, after they were committed. */
  readonly changes: DocumentChangeSource['documentChanges'];
  /**
   * The names of the partitions that this process projects and whose commits are all published.
   * A name may be followed by a colon and a token. The token changes whenever changes may have been committed there
   * that were not published.
   */
  readonly projectedPartitions: () => readonly string[];
  /** Identifies this process. No other process ever has the same value. */
  readonly instance: string;
  readonly topics?: Topics;
  readonly onError: (error: unknown) => void;
}

interface ChangePublisher {
  /** Bytes that wait for the broker. */
  readonly queuedBytes: number;
  /** Sends the waiting changes if the broker is there. */
  close(): Promise<void>;
}

/** The maximum of `queuedBytes`, for metrics. */
export const MAX_QUEUED_CHANGE_BYTES = MAX_WAITING_BYTES;

/**
 * Publishes the changes of this process's projections to all processes, with heartbeats. All messages go to one
 * partition, in order, and are numbered. By the numbers a reader notices a missed message.
 */
export function openChangePublisher(options: ChangePublisherOptions): ChangePublisher {
  const { broker, changes, projectedPartitions, instance, topics = topicsWithPrefix(), onError } = options;
  const producer = broker.openProducer();
  let waiting: OutgoingMessage[] = [];
  let bytes = 0;
  let number = 0;
  let sending: Promise<void> | undefined;
  let assignedBefore: ReadonlySet<string> = new Set();

  /** The partitions to report. A new name skips a number, so that readers know that they have missed changes. */
  function nextHeartbeat(): string {
    const projected = projectedPartitions();
    if (projected.some((one) => !assignedBefore.has(one))) number++;
    assignedBefore = new Set(projected);
    return projected.map((one) => one.split(':')[0]).join();
  }

  function add(value: Buffer | null): void {
    // A skipped number is a gap that readers notice.
    if (bytes > MAX_WAITING_BYTES) {
      waiting = [];
      bytes = 0;
      number++;
    }
    const beat = nextHeartbeat();
    waiting.push({
      topic: topics.changes,
      key: instance,
      value,
      headers: { instance, number: String(number++), beat },
    });
    bytes += value?.length ?? 0;
    sending ??= send().finally(() => {
      sending = undefined;
    });
  }

  async function send(): Promise<void> {
    // Wait for the changes of the same turn of the event loop.
    await Promise.resolve();
    while (waiting.length > 0) {
      const batch = waiting;
      const batchBytes = bytes;
      waiting = [];
      bytes = 0;
      try {
        await producer.send(batch);
      } catch (error) {
        onError(error);
        waiting = [...batch, ...waiting];
        bytes += batchBytes;
        // The next heartbeat tries again.
        return;
      }
    }
  }

  const publish = (committed: DocumentChanges) => {
    for (const value of encodeChanges(committed)) add(value);
  };
  const subscription: Subscription = changes.subscribe(publish);
  const heartbeatTimer = setInterval(() => {
    if (waiting.length < 2) add(null);
    else
      sending ??= send().finally(() => {
        sending = undefined;
      });
  }, HEARTBEAT_INTERVAL_MS);
  return {
    get queuedBytes() {
      return bytes;
    },
    async close() {
      clearInterval(heartbeatTimer);
      subscription.unsubscribe();
      await sending;
      await producer.close();
    },
  };
}
