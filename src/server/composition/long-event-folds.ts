import type { LogRecord } from '../../domain/event-sourcing/record.ts';
import type { DomainRecord } from '../../domain/streams/domain-events.ts';
import { followRecordFeed } from '../../event-log/subscription/follow-record-feed.ts';
import type { RecordFeed } from '../../event-log/subscription/record-feed.ts';
import { createDelay } from '../../platform/async/retry.ts';
import type { SetTimer } from '../../platform/async/timer.ts';
import { DEFAULT_SIZES } from '../../read-models/as-of/sealed-parts.ts';

interface LongEventFoldsParts {
  readonly feed: RecordFeed;
  readonly setTimer: SetTimer;
  /** Folds what is asked of an event with a long history, so that it is stored. */
  readonly fold: (eventId: number) => Promise<void>;
  /** Records of odds after which an event is folded again. */
  readonly every?: number;
  readonly onError: (error: unknown) => void;
}

const TYPES: ReadonlySet<string> = new Set<DomainRecord['type']>(['PricesChanged', 'PricesReconfirmed']);
/** Nothing waits for what nobody announced. */
const POLL_MS = 60_000;
/** More events than can be folded while they come: the others are folded when they are asked for. */
const MAX_WAITING = 1000;

/**
 * Folds events while their odds come, one at a time, so that the first question about a long event finds most of it
 * folded. What came while no server ran is folded by the first who asks.
 */
export function followLongEvents({ feed, setTimer, fold, every = DEFAULT_SIZES.from, onError }: LongEventFoldsParts) {
  const stopping = new AbortController();
  const { signal } = stopping;
  const waiting = new Set<number>();
  let working: Promise<void> | undefined;

  async function work(): Promise<void> {
    for (const id of waiting) {
      if (signal.aborted) return;
      waiting.delete(id);
      await fold(id).catch(onError);
    }
  }

  function note({ revision, data }: LogRecord): void {
    if ((revision + 1) % every !== 0 || waiting.size >= MAX_WAITING) return;
    waiting.add((data as Extract<DomainRecord, { type: 'PricesChanged' }>['data']).eventId);
  }

  const reading = { readers: 'all', after: 'now', types: TYPES, batchSize: 500, bufferLimit: 5000 } as const;
  const options = { ...reading, pollInterval: POLL_MS, setTimer, signal, delay: createDelay(setTimer) };
  const following = followRecordFeed(feed, { ...options, onRetry: onError }, (message) => {
    if (message.kind !== 'records') return;
    for (const record of message.records) if (TYPES.has(record.type)) note(record);
    if (waiting.size > 0) {
      working ??= work().finally(() => {
        working = undefined;
      });
    }
  }).catch(onError);

  return {
    async close(): Promise<void> {
      stopping.abort();
      await following;
      await working;
    },
  };
}
