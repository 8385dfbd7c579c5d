import type { EndpointHealth, SubscriberQueue } from './subscriber-queue.ts';

export interface ConcurrencyLimits {
  readonly total: number;
  /** To endpoints that were not slow of late. */
  readonly fast: number;
  /** To those that were slow of late, and those that have not answered yet: what is left is for those that answer. */
  readonly unproven: number;
  /** To those that were slow of late. */
  readonly suspect: number;
}

/** Each attempt has a connection of its own. */
export const DEFAULT_CONCURRENCY: ConcurrencyLimits = { total: 1024, fast: 1024, unproven: 992, suspect: 928 };
/** Of one subscription. */
const MAX_PER_QUEUE = 16;
/** A subscription takes at most this part of the places that are free: many that hang leave some to those that do not. */
const FREE_SLOTS_DIVISOR = 4;

/** An attempt under way. */
interface RunningAttempt {
  readonly queue: SubscriberQueue;
  readonly startedAt: number;
  health: EndpointHealth;
}

/**
 * Begins one attempt of the lane, if it has fewer under way than places. `idle`: it has nothing that could be sent now;
 * `last`: it has begun one, and nothing more is to begin.
 */
type StartAttempt = (lane: SubscriberQueue, places: number) => 'begun' | 'idle' | 'last';

/** An attempt this old takes no place of the quick ones any more. Milliseconds. */
export const SLOW_AFTER_MS = 2000;

/** Who may send next: each lane in its turn, one message a turn, within the places that there are. */
export function createFairScheduler(given: Partial<ConcurrencyLimits> = {}) {
  const most = { ...DEFAULT_CONCURRENCY, ...given };
  const waiting = {
    proven: new Set<SubscriberQueue>(),
    unproven: new Set<SubscriberQueue>(),
    suspect: new Set<SubscriberQueue>(),
  };
  /** The oldest first. */
  const underWay = new Set<RunningAttempt>();
  const taken = { proven: 0, unproven: 0, suspect: 0 };

  function free(kind: EndpointHealth): number {
    const inAll = most.total - underWay.size;
    const unproven = most.unproven - taken.unproven - taken.suspect;
    if (kind === 'suspect') return Math.min(inAll, unproven, most.suspect - taken.suspect);
    const quick = Math.min(inAll, most.fast - taken.proven - taken.unproven);
    return kind === 'proven' ? quick : Math.min(quick, unproven);
  }

  /** @returns whether more may begin */
  function next(kind: EndpointHealth, start: StartAttempt): boolean {
    const lanes = waiting[kind];
    for (const lane of lanes) {
      const left = free(kind);
      if (left <= 0) return true;
      // A set goes on with what is added behind: a lane that has sent comes round again after all others.
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

    /** It may have something to send. */
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

    /** Those that turn out to be slow make room, as far as there is any beside them. There are then more slow ones than
     *  places, until they end. */
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
