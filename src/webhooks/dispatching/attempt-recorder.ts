import { type Delay, retryWithBackoff } from '../../platform/async/retry.ts';
import type { SetTimer } from '../../platform/async/timer.ts';
import { LeaseLost, shardOf } from '../store/webhook-shards.ts';
import type { DeliveryAttempt, WebhookStore } from '../store/webhook-store.ts';

interface AttemptRecorderParts {
  readonly store: Pick<WebhookStore, 'record'>;
  /** Milliseconds. */
  readonly now: () => number;
  readonly setTimer: SetTimer;
  /** Calls back after the present turn of the event loop. */
  readonly defer: (callback: () => void) => void;
  readonly delay: Delay;
  readonly signal: AbortSignal;
  readonly onError: (error: unknown) => void;
  /** The attempts are stored. */
  readonly onRecorded: (attempts: readonly DeliveryAttempt[]) => void;
  /** The attempts will never be stored: other dispatchers send their messages by now. */
  readonly onLost: (attempts: readonly DeliveryAttempt[], error: LeaseLost) => void;
}

/** Writes attempts to the store. */
interface AttemptRecorder {
  /** @param epoch of the lease under which the attempt began */
  add(attempt: DeliveryAttempt, epoch: number): void;
  /** How many attempts are not stored yet. */
  readonly pendingCount: number;
  /** Resolves when all attempts are stored, or the signal is aborted. */
  flush(): Promise<void>;
}

/** Attempts per write. A thousand attempts that end together must not block everyone else. */
const ATTEMPTS_PER_WRITE = 128;
/**
 * The pause after a write, as a multiple of its duration. Without a pause, a disk that takes 10 ms to flush would use
 * all the time of this process while attempts keep ending. With fewer writes each write stores more; if a write was
 * full already, a longer pause gains little.
 */
const REST_FACTOR = { full: 0.5, less: 2 };
/** Milliseconds. */
const MAX_REST_MS = 250;

interface AttemptBatch {
  readonly epoch: number;
  attempts: DeliveryAttempt[];
}

/**
 * Batches the attempts and runs one write at a time. All attempts that end in one turn, or during a write, share the
 * next write, in the order in which they ended. If the process dies, attempts that were sent but not recorded are sent
 * again by the next process.
 */
export function createAttemptRecorder(parts: AttemptRecorderParts): AttemptRecorder {
  const { store, now, setTimer, defer, delay, signal, onError, onRecorded, onLost } = parts;
  /** Each batch belongs to one lease. */
  const batches: AttemptBatch[] = [];
  let isScheduled = false;
  let writing: Promise<void> | undefined;
  let writingCount = 0;
  let restsUntil = Number.NEGATIVE_INFINITY;

  function scheduleWrite(): void {
    if (isScheduled || writing || batches.length === 0) return;
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
    const batch = batches.shift();
    const startedAt = now();
    if (batch) await writeBatch(batch);
    const endedAt = now();
    const rest =
      (endedAt - startedAt) * (batch?.attempts.length === ATTEMPTS_PER_WRITE ? REST_FACTOR.full : REST_FACTOR.less);
    restsUntil = endedAt + Math.min(rest, MAX_REST_MS);
    writing = undefined;
    scheduleWrite();
  }

  async function writeBatch({ epoch, attempts }: AttemptBatch): Promise<void> {
    writingCount = attempts.length;
    const isFinal = (error: unknown) => error instanceof LeaseLost;
    try {
      await retryWithBackoff(() => store.record(attempts, epoch), { delay, signal, onRetry: onError, isFinal });
      writingCount = 0;
      onRecorded(attempts);
    } catch (error) {
      writingCount = 0;
      if (error instanceof LeaseLost) dropLost({ epoch, attempts }, error);
      // The retries end only if the dispatcher stops.
      else if (!signal.aborted) onError(error);
    }
  }

  function dropLost({ epoch, attempts }: AttemptBatch, error: LeaseLost): void {
    const isLost = ({ message }: DeliveryAttempt) => error.shards.has(shardOf(message.subscriptionId));
    const remaining = attempts.filter((attempt) => !isLost(attempt));
    if (remaining.length > 0) batches.unshift({ epoch, attempts: remaining });
    onLost(attempts.filter(isLost), error);
  }

  return {
    add(attempt, epoch) {
      const last = batches.at(-1);
      if (last?.epoch === epoch && last.attempts.length < ATTEMPTS_PER_WRITE) last.attempts.push(attempt);
      else batches.push({ epoch, attempts: [attempt] });
      scheduleWrite();
    },
    get pendingCount() {
      return batches.reduce((sum, { attempts }) => sum + attempts.length, writingCount);
    },
    async flush() {
      while ((writing || batches.length > 0) && !signal.aborted) {
        writing ??= write();
        await writing;
      }
    },
  };
}
