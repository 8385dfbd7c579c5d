import { type Delay, retryWithBackoff } from '../../platform/async/retry.ts';
import type { SetTimer } from '../../platform/async/timer.ts';
import { LeaseLost, shardOf } from '../store/webhook-shards.ts';
import type { DeliveryAttempt, WebhookStore } from '../store/webhook-store.ts';

interface AttemptRecorderParts {
  readonly store: Pick<WebhookStore, 'record'>;
  /** Milliseconds. */
  readonly now: () => number;
  readonly setTimer: SetTimer;
  /** Calls back when whoever runs now is done. */
  readonly defer: (callback: () => void) => void;
  readonly delay: Delay;
  readonly signal: AbortSignal;
  readonly onError: (error: unknown) => void;
  /** They are stored. */
  readonly onRecorded: (attempts: readonly DeliveryAttempt[]) => void;
  /** They never will be: others send their messages by now. */
  readonly onLost: (attempts: readonly DeliveryAttempt[], error: LeaseLost) => void;
}

/** Brings what attempts came to into the store. */
interface AttemptRecorder {
  /** @param epoch of the lease under which the attempt was begun */
  add(attempted: DeliveryAttempt, epoch: number): void;
  /** How many are not stored yet. */
  readonly pendingCount: number;
  /** Resolves when all are stored, or the signal is aborted. */
  flush(): Promise<void>;
}

/** Attempts of one write: a thousand that end together must not hold up everyone else. */
const ATTEMPTS_PER_WRITE = 128;
/**
 * After a write others have their turn, for so many times as long as it took: with attempts that end all the time, a disk
 * that takes 10 ms to flush would else have all of the time of this process. With fewer writes each brings more; where
 * one was full already, there is little to gain.
 */
const REST_FACTOR = { full: 0.5, less: 2 };
/** Milliseconds. */
const MAX_REST_MS = 250;

interface AttemptBatch {
  readonly epoch: number;
  attempts: DeliveryAttempt[];
}

/**
 * One write at a time: all attempts that end in one turn, or while a write is under way, share the next one, in the order
 * in which they ended. What is sent and not recorded yet when the process dies is sent again by the next one.
 */
export function createAttemptRecorder(parts: AttemptRecorderParts): AttemptRecorder {
  const { store, now, setTimer, defer, delay, signal, onError, onRecorded, onLost } = parts;
  /** Of one lease each. */
  const groups: AttemptBatch[] = [];
  let isScheduled = false;
  let writing: Promise<void> | undefined;
  let underWay = 0;
  let restsUntil = Number.NEGATIVE_INFINITY;

  function soon(): void {
    if (isScheduled || writing || groups.length === 0) return;
    isScheduled = true;
    const begin = () => {
      isScheduled = false;
      writing ??= write();
    };
    const rest = restsUntil - now();
    if (rest > 0) setTimer(begin, Math.min(rest, MAX_REST_MS));
    else defer(begin);
  }

  async function write(): Promise<void> {
    const group = groups.shift();
    const begunAt = now();
    if (group) await writeGroup(group);
    const endedAt = now();
    const rest =
      (endedAt - begunAt) * (group?.attempts.length === ATTEMPTS_PER_WRITE ? REST_FACTOR.full : REST_FACTOR.less);
    restsUntil = endedAt + Math.min(rest, MAX_REST_MS);
    writing = undefined;
    soon();
  }

  async function writeGroup({ epoch, attempts }: AttemptBatch): Promise<void> {
    underWay = attempts.length;
    const isFinal = (error: unknown) => error instanceof LeaseLost;
    try {
      await retryWithBackoff(() => store.record(attempts, epoch), { delay, signal, onRetry: onError, isFinal });
      underWay = 0;
      onRecorded(attempts);
    } catch (error) {
      underWay = 0;
      if (error instanceof LeaseLost) dropLost({ epoch, attempts }, error);
      // Only a stop ends the retries.
      else if (!signal.aborted) onError(error);
    }
  }

  function dropLost({ epoch, attempts }: AttemptBatch, error: LeaseLost): void {
    const isLost = ({ message }: DeliveryAttempt) => error.shards.has(shardOf(message.subscriptionId));
    const kept = attempts.filter((attempted) => !isLost(attempted));
    if (kept.length > 0) groups.unshift({ epoch, attempts: kept });
    onLost(attempts.filter(isLost), error);
  }

  return {
    add(attempted, epoch) {
      const last = groups.at(-1);
      if (last?.epoch === epoch && last.attempts.length < ATTEMPTS_PER_WRITE) last.attempts.push(attempted);
      else groups.push({ epoch, attempts: [attempted] });
      soon();
    },
    get pendingCount() {
      return groups.reduce((sum, { attempts }) => sum + attempts.length, underWay);
    },
    async flush() {
      while ((writing || groups.length > 0) && !signal.aborted) {
        writing ??= write();
        await writing;
      }
    },
  };
}
