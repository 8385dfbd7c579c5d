import { type Observable, Subject } from 'rxjs';
import { backoffAfter, type Delay } from '../../platform/async/retry.ts';
import { yieldToEventLoop } from '../../platform/async/yield-to-event-loop.ts';
import type {
  DocumentChange,
  DocumentChangeSource,
  DocumentChanges,
} from '../../read-models/projector/document-changes.ts';
import {
  type BrokerClient,
  type FetchedMessages,
  MAX_FETCH_WAIT_MS,
  type ReceivedMessage,
} from '../broker/broker-client.ts';
import { type Topics, topicsWithPrefix } from '../broker/topics.ts';
import { decodeChanges, type PublishedChanges } from './change-message.ts';
import { createPublisherTracker } from './publisher-tracker.ts';

const FETCH = { waitMs: MAX_FETCH_WAIT_MS, maxBytes: { each: 512 * 1024, all: 4 * 1024 * 1024 } } as const;

interface ChangeSubscriberOptions {
  readonly broker: BrokerClient;
  /** Reads the current document if it was too large for the broker. */
  readonly read: (
    projection: string,
    key: string,
  ) => Promise<{ readonly document: unknown; readonly position: bigint } | undefined>;
  readonly delay: Delay;
  readonly topics?: Topics;
  readonly partitions?: number;
  /** Called before each wait, so that no wait goes unreported. */
  readonly onRetry: (error: unknown, attempt: number) => void;
}

/** The documents that have changed, in the order of the messages. */
interface ReceivedChanges {
  readonly projection: string;
  readonly changes: readonly Pick<DocumentChange, 'key' | 'position'>[];
}

export interface ChangeSubscriber extends DocumentChangeSource {
  /** The same changes without their documents. Each comes before `documentChanges` has it. */
  readonly received: Observable<ReceivedChanges>;
  /** Some changes of any documents may never come: results made from documents before this must no longer be used. */
  readonly missed: Observable<void>;
  /**
   * Whether, in the last so many milliseconds, every partition was reported by a process that projects it. Only
   * processes count from which no message was missed since the last `missed`.
   */
  receivedWithin(milliseconds: number): boolean;
  /** Resolves when all messages have been processed that the broker has at this moment. */
  caughtUp(): Promise<void>;
  close(): Promise<void>;
}

/** The changes of all projecting processes, from the moment at which this resolves. @throws BrokerUnavailable */
export async function openChangeSubscriber(options: ChangeSubscriberOptions): Promise<ChangeSubscriber> {
  const { broker, read, delay, onRetry, topics = topicsWithPrefix() } = options;
  const { partitions = topics.partitions } = options;
  const subject = new Subject<DocumentChanges>();
  const received = new Subject<ReceivedChanges>();
  const missed = new Subject<void>();
  const all = Array.from({ length: partitions }, (_, partition) => ({ topic: topics.changes, partition }));
  const ending = new AbortController();
  const { signal } = ending;
  const reader = broker.openReader([topics.changes]);
  const offsets = await reader.offsets(all, 'written').catch(async (error: unknown) => {
    await reader.close();
    throw error;
  });
  const instances = createPublisherTracker(() => performance.now());
  const names = all.map(({ partition }) => String(partition));
  const waiters = new Set<() => void>();

  async function handleMessage(message: ReceivedMessage, isEnd: boolean): Promise<void> {
    const { instance, number, beat } = message.headers;
    const order = instances.receive(instance!, Number(number));
    if (order === 'again') return;
    if (order === 'missed') missed.next();
    if (message.value === null) {
      if (isEnd && beat) instances.heartbeat(beat.split(','));
      return;
    }
    const sent = decodeChanges(message.value);
    received.next(sent);
    // Note the heartbeat only now: a caller that sees it must also have seen these changes.
    if (isEnd && beat) instances.heartbeat(beat.split(','));
    if (!subject.observed) return;
    try {
      subject.next(await complete(sent));
    } catch (error) {
      // The change will not come again.
      onRetry(error, 1);
      missed.next();
    }
  }

  async function complete({
    projection,
    changes,
  }: PublishedChanges): Promise<{ projection: string; changes: DocumentChange[] }> {
    const completed: DocumentChange[] = [];
    for (const change of changes) {
      if ('document' in change) {
        completed.push({ ...change, document: change.document });
        continue;
      }
      const found = await read(projection, change.key);
      completed.push(found ? { key: change.key, ...found } : { ...change, document: undefined });
    }
    return { projection, changes: completed };
  }

  async function handleAll(fetched: readonly FetchedMessages[]): Promise<void> {
    for (const { partition, messages, next, isAtEnd } of fetched) {
      for (const message of messages) {
        await handleMessage(message, isAtEnd);
        await yieldToEventLoop();
      }
      offsets[partition] = next;
    }
    for (const check of waiters) check();
  }

  /** If the broker no longer has the next message, continue at the ends. */
  async function repairOffsets(): Promise<void> {
    const [firsts, ends] = [await reader.offsets(all, 'first'), await reader.offsets(all, 'written')];
    if (offsets.every((offset, i) => offset >= firsts[i]! && offset <= ends[i]!)) return;
    offsets.splice(0, offsets.length, ...ends);
    instances.reset();
    missed.next();
  }

  async function readUntilAborted(): Promise<void> {
    for (let attempt = 0; !signal.aborted; ) {
      try {
        await handleAll(
          await reader.fetch(
            all.map((one, i) => ({ ...one, offset: offsets[i]! })),
            FETCH,
          ),
        );
        attempt = 0;
      } catch (error) {
        if (signal.aborted) return;
        onRetry(error, ++attempt);
        await delay(backoffAfter(attempt), signal).catch(() => {});
        await repairOffsets().catch(() => {});
      }
    }
  }

  const reading = readUntilAborted();
  return {
    documentChanges: subject.asObservable(),
    received: received.asObservable(),
    missed: missed.asObservable(),
    receivedWithin: (milliseconds) => instances.receivedWithin(milliseconds, names),
    async caughtUp() {
      const asking = broker.openReader([topics.changes]);
      const ends = await asking.offsets(all, 'written').finally(() => asking.close());
      const isThere = () => signal.aborted || ends.every((end, i) => offsets[i]! >= end);
      await new Promise<void>((resolve) => {
        const check = () => {
          if (!isThere()) return;
          waiters.delete(check);
          resolve();
        };
        waiters.add(check);
        check();
      });
    },
    async close() {
      ending.abort();
      await reader.close();
      await reading;
      for (const check of waiters) check();
      subject.complete();
      received.complete();
      missed.complete();
    },
  };
}
