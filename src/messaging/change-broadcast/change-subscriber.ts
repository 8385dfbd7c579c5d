import { type Observable, Subject } from 'rxjs';
import { backoffAfter, type Delay } from '../../platform/async/retry.ts';
import { yieldToEventLoop } from '../../platform/async/yield-to-event-loop.ts';
import type {
  DocumentChange,
  DocumentChangeSource,
  DocumentChanges,
} from '../../read-models/projector/document-changes.ts';
import type { BrokerClient, FetchedMessages, ReceivedMessage } from '../broker/broker-client.ts';
import { type Topics, topicsWithPrefix } from '../broker/topics.ts';
import { decodeChanges, type PublishedChanges } from './change-message.ts';
import { createPublisherTracker } from './publisher-tracker.ts';

const FETCH = { waitMs: 250, maxBytes: { each: 512 * 1024, all: 4 * 1024 * 1024 } } as const;

interface ChangeSubscriberOptions {
  readonly broker: BrokerClient;
  /** For a document that is too large for the broker: as it is by now. */
  readonly read: (
    projection: string,
    key: string,
  ) => Promise<{ readonly document: unknown; readonly position: bigint } | undefined>;
  readonly delay: Delay;
  readonly topics?: Topics;
  readonly partitions?: number;
  /** Before each wait, so that nothing waits unseen. */
  readonly onRetry: (error: unknown, attempt: number) => void;
}

/** Which documents have changed, in the order in which that was told. */
interface ReceivedChanges {
  readonly projection: string;
  readonly changes: readonly Pick<DocumentChange, 'key' | 'position'>[];
}

export interface ChangeSubscriber extends DocumentChangeSource {
  /** The same without the documents, each before `changes` has it. */
  readonly received: Observable<ReceivedChanges>;
  /** Some changes may never come, of whatever: what was made of documents before must not be used any more. */
  readonly missed: Observable<void>;
  /** Whether in the last so many milliseconds every partition was told to be projected, by a process that this one has
   *  heard everything of since `missed` told last. */
  receivedWithin(milliseconds: number): boolean;
  /** Resolves when everything is told that the broker has at this moment. */
  caughtUp(): Promise<void>;
  close(): Promise<void>;
}

/** What all projecting processes have changed, from when this resolves on. @throws BrokerAway */
export async function openChangeSubscriber(options: ChangeSubscriberOptions): Promise<ChangeSubscriber> {
  const { broker, read, delay, onRetry, topics = topicsWithPrefix() } = options;
  const { partitions = topics.partitions } = options;
  const subject = new Subject<DocumentChanges>();
  const heard = new Subject<ReceivedChanges>();
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

  async function take(message: ReceivedMessage, isEnd: boolean): Promise<void> {
    const { instance, number, beat } = message.headers;
    const taken = instances.receive(instance!, Number(number));
    if (taken === 'again') return;
    if (taken === 'missed') missed.next();
    if (message.value === null) {
      if (isEnd && beat) instances.heartbeat(beat.split(','));
      return;
    }
    const sent = decodeChanges(message.value);
    heard.next(sent);
    // Who is told that all was heard has heard this too.
    if (isEnd && beat) instances.heartbeat(beat.split(','));
    if (!subject.observed) return;
    try {
      subject.next(await complete(sent));
    } catch (error) {
      // It does not come again.
      onRetry(error, 1);
      missed.next();
    }
  }

  async function complete({
    projection,
    changes,
  }: PublishedChanges): Promise<{ projection: string; changes: DocumentChange[] }> {
    const whole: DocumentChange[] = [];
    for (const change of changes) {
      if ('document' in change) {
        whole.push({ ...change, document: change.document });
        continue;
      }
      const found = await read(projection, change.key);
      if (found) whole.push({ key: change.key, ...found });
    }
    return { projection, changes: whole };
  }

  async function takeAll(fetched: readonly FetchedMessages[]): Promise<void> {
    for (const { partition, messages, next, isAtEnd } of fetched) {
      for (const message of messages) {
        await take(message, isAtEnd);
        await yieldToEventLoop();
      }
      offsets[partition] = next;
    }
    for (const check of waiters) check();
  }

  /** Where what it had come to is no longer there, it begins at the ends. */
  async function findAgain(): Promise<void> {
    const [firsts, ends] = [await reader.offsets(all, 'first'), await reader.offsets(all, 'written')];
    if (offsets.every((offset, i) => offset >= firsts[i]! && offset <= ends[i]!)) return;
    offsets.splice(0, offsets.length, ...ends);
    instances.reset();
    missed.next();
  }

  async function readOn(): Promise<void> {
    for (let attempt = 0; !signal.aborted; ) {
      try {
        await takeAll(
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
        await findAgain().catch(() => {});
      }
    }
  }

  const reading = readOn();
  return {
    documentChanges: subject.asObservable(),
    received: heard.asObservable(),
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
      heard.complete();
      missed.complete();
    },
  };
}
