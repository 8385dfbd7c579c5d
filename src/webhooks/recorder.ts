import { type Delay, withRetries } from '../time/retry.ts';
import { LeaseLost, shardOf } from './store/shards.ts';
import type { Attempted, WebhookStore } from './store/webhook-store.ts';

export interface RecorderParts {
  readonly store: Pick<WebhookStore, 'record'>;
  /** Calls back when whoever runs now is done. */
  readonly later: (callback: () => void) => void;
  readonly delay: Delay;
  readonly signal: AbortSignal;
  readonly onError: (error: unknown) => void;
  /** They are stored. */
  readonly onRecorded: (attempts: readonly Attempted[]) => void;
  /** They never will be: others send their messages by now. */
  readonly onLost: (attempts: readonly Attempted[], error: LeaseLost) => void;
}

/** Brings what attempts came to into the store. */
export interface Recorder {
  /** @param epoch of the lease under which the attempt was begun */
  add(attempted: Attempted, epoch: number): void;
  /** How many are not stored yet. */
  readonly waiting: number;
  /** Resolves when all are stored, or the signal is aborted. */
  flush(): Promise<void>;
}

interface Group {
  readonly epoch: number;
  attempts: Attempted[];
}

/**
 * One write at a time: all attempts that end in one turn, or while a write is under way, share the next one, in the order
 * in which they ended. What is sent and not recorded yet when the process dies is sent again by the next one.
 */
export function createRecorder(parts: RecorderParts): Recorder {
  const { store, later, delay, signal, onError, onRecorded, onLost } = parts;
  /** Of one lease each; more than one only where a lease was lost with attempts under way. */
  let groups: Group[] = [];
  let isScheduled = false;
  let writing: Promise<void> | undefined;
  let underWay = 0;

  function soon(): void {
    if (isScheduled || writing || groups.length === 0) return;
    isScheduled = true;
    later(() => {
      isScheduled = false;
      writing ??= write();
    });
  }

  async function write(): Promise<void> {
    const [group, ...others] = groups;
    groups = others;
    if (group) await writeGroup(group);
    writing = undefined;
    soon();
  }

  async function writeGroup({ epoch, attempts }: Group): Promise<void> {
    underWay = attempts.length;
    const isFinal = (error: unknown) => error instanceof LeaseLost;
    try {
      await withRetries(() => store.record(attempts, epoch), { delay, signal, onRetry: onError, isFinal });
      underWay = 0;
      onRecorded(attempts);
    } catch (error) {
      underWay = 0;
      if (error instanceof LeaseLost) dropLost({ epoch, attempts }, error);
      // Only a stop ends the retries.
      else if (!signal.aborted) onError(error);
    }
  }

  function dropLost({ epoch, attempts }: Group, error: LeaseLost): void {
    const isLost = ({ message }: Attempted) => error.shards.has(shardOf(message.subscriptionId));
    const kept = attempts.filter((attempted) => !isLost(attempted));
    if (kept.length > 0) groups.unshift({ epoch, attempts: kept });
    onLost(attempts.filter(isLost), error);
  }

  return {
    add(attempted, epoch) {
      const last = groups.at(-1);
      if (last?.epoch === epoch) last.attempts.push(attempted);
      else groups.push({ epoch, attempts: [attempted] });
      soon();
    },
    get waiting() {
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
