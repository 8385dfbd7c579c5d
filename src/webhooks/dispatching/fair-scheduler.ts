import type { EndpointHealth, SubscriberQueue } from './subscriber-queue.ts';

export interface ConcurrencyLimits {
  readonly total: number;
  /** To endpoints that were not slow recently. */
  readonly fast: number;
  /** To endpoints that were slow recently or have not answered yet. The rest is reserved for endpoints that answer. */
  readonly unproven: number;
  /** To endpoints that were slow recently. */
  readonly suspect: number;
}

/** Each attempt has its own connection. */
export const DEFAULT_CONCURRENCY: ConcurrencyLimits = { total: 1024, fast: 1024, unproven: 992, suspect: 928 };
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
type StartAttempt = (lane: SubscriberQueue, places: number) => 'begun' | 'idle' | 'last';

/** An attempt older than this no longer takes a slot of the fast ones. Milliseconds. */
export const SLOW_AFTER_MS = 2000;

/** Decides which queue may send next: in turns, one message a turn, within the free slots. */
export function createFairScheduler(given: Partial<ConcurrencyLimits> = {}) {
  const most = { ...DEFAULT_CONCURRENCY, ...given };
  const waiting = {
    proven: new Set<SubscriberQueue>(),
    unproven: new Set<SubscriberQueue>(),
    suspect: new Set<SubscriberQueue>(),
  };
  /** Oldest first. */
  const underWay = new Set<RunningAttempt>();
  const taken = { proven: 0, unproven: 0, suspect: 0 };

  function free(kind: EndpointHealth): number {
    const inAll = most.total - underWay.size;
    const unproven = most.unproven - taken.unproven - taken.suspect;
    if (kind === 'suspect') return Math.min(inAll, unproven, most.suspect - taken.suspect);
    const quick = Math.min(inAll, most.fast - taken.proven - taken.unproven);
    return kind === 'proven' ? quick : Math.min(quick, unproven);
  }

  /** @returns whether more attempts may start */
  function next(kind: EndpointHealth, start: StartAttempt): boolean {
    const lanes = waiting[kind];
    for (const lane of lanes) {
      const left = free(kind);
      if (left <= 0) return true;
      // A Set iterates over elements added during the iteration, so a queue that has sent gets its next turn after all
      // others.
      lanes.delete(lane);
      const begun = start(lane, Math.min(MAX_PER_QUEUE, Math.ceil(left / FREE_SLOTS_DIVISOR)));
      if (begun !== 'idle') lanes.add(lane);
      if (begun === 'last') return false;
    }
    return true;
  }

  function leave(lane: SubscriberQueue): void {
    for (const lanes of Object.values(waiting)) lanes.delete(lane);
  }

  return {
    get size() {
      return underWay.size;
    },

    /** The queue may have something to send. */
    enter(lane: SubscriberQueue): void {
      const own = waiting[lane.health];
      if (own.has(lane)) return;
      leave(lane);
      own.add(lane);
    },

    leave,

    run(start: StartAttempt): void {
      if (next('proven', start) && next('unproven', start)) next('suspect', start);
    },

    begin(queue: SubscriberQueue, startedAt: number): RunningAttempt {
      const attempt = { queue, startedAt, health: queue.health };
      underWay.add(attempt);
      taken[attempt.health]++;
      return attempt;
    },

    end(attempt: RunningAttempt): void {
      underWay.delete(attempt);
      taken[attempt.health]--;
    },

    /**
     * Moves attempts that turn out slow to the slow slots, which frees fast slots. Until they end, there may be more
     * slow attempts than slots.
     */
    setSlowAside(now: number): void {
      for (const attempt of underWay) {
        if (attempt.startedAt > now - SLOW_AFTER_MS) return;
        if (attempt.health === 'suspect') continue;
        taken[attempt.health]--;
        taken.suspect++;
        attempt.health = 'suspect';
        const { queue } = attempt;
        const isWaiting = waiting[queue.health].delete(queue);
        queue.health = 'suspect';
        if (isWaiting) waiting.suspect.add(queue);
      }
    },
  };
}
