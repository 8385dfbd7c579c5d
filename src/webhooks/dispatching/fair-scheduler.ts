import type { EndpointHealth, SubscriberQueue } from './subscriber-queue.ts';

export interface ConcurrencyLimits {
  readonly total: number;
  /** To endpoints that were not slow recently. */
  readonly notSlow: number;
  /** To endpoints that were slow recently or have not answered yet. The rest is reserved for endpoints that answer. */
  readonly notFast: number;
  /** To endpoints that were slow recently. */
  readonly slow: number;
}

/** Each attempt has its own connection. */
export const DEFAULT_CONCURRENCY: ConcurrencyLimits = { total: 1024, notSlow: 1024, notFast: 992, slow: 928 };
/** Per subscription. */
const MAX_PER_QUEUE = 16;
/**
 * A subscription gets at most this fraction of the free slots, so that many hanging endpoints leave some for the
 * others.
 */
const FREE_SLOTS_DIVISOR = 4;

/** A running attempt. */
interface RunningAttempt {
  readonly queue: SubscriberQueue;
  readonly startedAt: number;
  health: EndpointHealth;
}

/**
 * Starts one attempt of the queue, if fewer attempts than `slots` are running. `idle`: the queue has nothing to send
 * now. `last`: an attempt was started, and no more may start.
 */
type StartAttempt = (queue: SubscriberQueue, slots: number) => 'started' | 'idle' | 'last';

/** An attempt older than this no longer takes a slot of the fast ones. Milliseconds. */
export const SLOW_AFTER_MS = 2000;

/** Decides which queue may send next: in turns, one message a turn, within the free slots. */
export function createFairScheduler(given: Partial<ConcurrencyLimits> = {}) {
  const limits = { ...DEFAULT_CONCURRENCY, ...given };
  const waiting = {
    fast: new Set<SubscriberQueue>(),
    unknown: new Set<SubscriberQueue>(),
    slow: new Set<SubscriberQueue>(),
  };
  /** Oldest first. */
  const running = new Set<RunningAttempt>();
  const used = { fast: 0, unknown: 0, slow: 0 };

  function freeSlots(health: EndpointHealth): number {
    const inAll = limits.total - running.size;
    const notFast = limits.notFast - used.unknown - used.slow;
    if (health === 'slow') return Math.min(inAll, notFast, limits.slow - used.slow);
    const notSlow = Math.min(inAll, limits.notSlow - used.fast - used.unknown);
    return health === 'fast' ? notSlow : Math.min(notSlow, notFast);
  }

  /** @returns whether more attempts may start */
  function startWaiting(health: EndpointHealth, start: StartAttempt): boolean {
    const queues = waiting[health];
    for (const queue of queues) {
      const left = freeSlots(health);
      if (left <= 0) return true;
      // A Set iterates over elements added during the iteration, so a queue that has sent gets its next turn after all
      // others.
      queues.delete(queue);
      const result = start(queue, Math.min(MAX_PER_QUEUE, Math.ceil(left / FREE_SLOTS_DIVISOR)));
      if (result !== 'idle') queues.add(queue);
      if (result === 'last') return false;
    }
    return true;
  }

  function remove(queue: SubscriberQueue): void {
    for (const queues of Object.values(waiting)) queues.delete(queue);
  }

  return {
    get size() {
      return running.size;
    },

    /** The queue may have something to send. */
    add(queue: SubscriberQueue): void {
      const own = waiting[queue.health];
      if (own.has(queue)) return;
      remove(queue);
      own.add(queue);
    },

    remove,

    run(start: StartAttempt): void {
      if (startWaiting('fast', start) && startWaiting('unknown', start)) startWaiting('slow', start);
    },

    startAttempt(queue: SubscriberQueue, startedAt: number): RunningAttempt {
      const attempt = { queue, startedAt, health: queue.health };
      running.add(attempt);
      used[attempt.health]++;
      return attempt;
    },

    endAttempt(attempt: RunningAttempt): void {
      running.delete(attempt);
      used[attempt.health]--;
    },

    /**
     * Moves attempts that turn out slow to the slow slots, which frees fast slots. Until they end, there may be more
     * slow attempts than slots.
     */
    moveSlowAside(now: number): void {
      for (const attempt of running) {
        if (attempt.startedAt > now - SLOW_AFTER_MS) return;
        if (attempt.health === 'slow') continue;
        used[attempt.health]--;
        used.slow++;
        attempt.health = 'slow';
        const { queue } = attempt;
        const isWaiting = waiting[queue.health].delete(queue);
        queue.health = 'slow';
        if (isWaiting) waiting.slow.add(queue);
      }
    },
  };
}
