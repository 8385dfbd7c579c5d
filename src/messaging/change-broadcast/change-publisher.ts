import type { Subscription } from 'rxjs';
import type { DocumentChangeSource, DocumentChanges } from '../../read-models/projector/document-changes.ts';
import type { BrokerClient, OutgoingMessage } from '../broker/broker-client.ts';
import { type Topics, topicsWithPrefix } from '../broker/topics.ts';
import { encodeChanges } from './change-message.ts';

/** How often it says which partitions it projects, in milliseconds: several times in the second in which it must be heard. */
const HEARTBEAT_EVERY = 250;
/** What waits for the broker, at most. Beyond it everything is dropped, and readers are told that they have missed some. */
const MOST_WAITING = 8 * 1024 * 1024;

interface ChangePublisherOptions {
  readonly broker: BrokerClient;
  /** What is told, after it was committed. */
  readonly changes: DocumentChangeSource['documentChanges'];
  /**
   * The partitions that are projected by this process, and where all that it has committed is told: by their names, each
   * perhaps with a colon and what changes whenever something may have been committed there that nobody was told of.
   */
  readonly projectedPartitions: () => readonly string[];
  /** Of this process, and of no other one ever. */
  readonly instance: string;
  readonly topics?: Topics;
  readonly onError: (error: unknown) => void;
}

interface ChangePublisher {
  /** What waits for the broker, in bytes. */
  readonly queuedBytes: number;
  /** Sends what waits, where the broker is there. */
  close(): Promise<void>;
}

/** The most that waits, for metrics. */
export const MAX_QUEUED_CHANGE_BYTES = MOST_WAITING;

/**
 * Tells all processes what this one's projections have changed, and that it lives. All of it goes to one partition, in
 * order, each message with a number: a reader knows by that when it has missed one.
 */
export function openChangePublisher(options: ChangePublisherOptions): ChangePublisher {
  const { broker, changes, projectedPartitions, instance, topics = topicsWithPrefix(), onError } = options;
  const producer = broker.openProducer();
  let waiting: OutgoingMessage[] = [];
  let bytes = 0;
  let number = 0;
  let sending: Promise<void> | undefined;
  let assignedBefore: ReadonlySet<string> = new Set();

  /** Readers learn by a number that is never sent that they have not heard everything. */
  function beatNow(): string {
    const own = projectedPartitions();
    if (own.some((one) => !assignedBefore.has(one))) number++;
    assignedBefore = new Set(own);
    return own.map((one) => one.split(':')[0]).join();
  }

  function add(value: Buffer | null): void {
    // A number that is never sent is a gap.
    if (bytes > MOST_WAITING) {
      waiting = [];
      bytes = 0;
      number++;
    }
    const beat = beatNow();
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
    // With what is told in the same turn.
    await Promise.resolve();
    while (waiting.length > 0) {
      const part = waiting;
      const partBytes = bytes;
      waiting = [];
      bytes = 0;
      try {
        await producer.send(part);
      } catch (error) {
        onError(error);
        waiting = [...part, ...waiting];
        bytes += partBytes;
        // The next beat tries again.
        return;
      }
    }
  }

  const tell = (committed: DocumentChanges) => {
    for (const value of encodeChanges(committed)) add(value);
  };
  const subscription: Subscription = changes.subscribe(tell);
  const beating = setInterval(() => {
    if (waiting.length < 2) add(null);
    else
      sending ??= send().finally(() => {
        sending = undefined;
      });
  }, HEARTBEAT_EVERY);
  return {
    get queuedBytes() {
      return bytes;
    },
    async close() {
      clearInterval(beating);
      subscription.unsubscribe();
      await sending;
      await producer.close();
    },
  };
}
