import type { Kind, Lane } from './subscriber-queue.ts';

export interface AttemptsAtOnce {
  readonly inAll: number;
  /** To endpoints that were not slow of late. */
  readonly quick: number;
  /** To those that were slow of late, and those that have not answered yet: what is left is for those that answer. */
  readonly unproven: number;
  /** To those that were slow of late. */
  readonly suspect: number;
}

/** Each attempt has a connection of its own. */
export const AT_ONCE: AttemptsAtOnce = { inAll: 1024, quick: 1024, unproven: 992, suspect: 928 };
/** Of one subscription. */
const MOST_OF_ONE = 16;
/** A subscription takes at most this part of the places that are free: many that hang leave some to those that do not. */
const SHARE = 4;

/** An attempt under way. */
export interface Underway {
  readonly lane: Lane;
  readonly startedAt: number;
  kind: Kind;
}

/**
 * Begins one attempt of the lane, if it has fewer under way than places. `idle`: it has nothing that could be sent now;
 * `last`: it has begun one, and nothing more is to begin.
 */
export type Start = (lane: Lane, places: number) => 'begun' | 'idle' | 'last';

/** An attempt this old takes no place of the quick ones any more. Milliseconds. */
export const SLOW = 2000;

/** Who may send next: each lane in its turn, one message a turn, within the places that there are. */
export function createFairTurns(given: Partial<AttemptsAtOnce> = {}) {
  const most = { ...AT_ONCE, ...given };
  const waiting = { proven: new Set<Lane>(), unproven: new Set<Lane>(), suspect: new Set<Lane>() };
  /** The oldest first. */
  const underWay = new Set<Underway>();
  const taken = { proven: 0, unproven: 0, suspect: 0 };

  function free(kind: Kind): number {
    const inAll = most.inAll - underWay.size;
    const unproven = most.unproven - taken.unproven - taken.suspect;
    if (kind === 'suspect') return Math.min(inAll, unproven, most.suspect - taken.suspect);
    const quick = Math.min(inAll, most.quick - taken.proven - taken.unproven);
    return kind === 'proven' ? quick : Math.min(quick, unproven);
  }

  /** @returns whether more may begin */
  function next(kind: Kind, start: Start): boolean {
    const lanes = waiting[kind];
    for (const lane of lanes) {
      const left = free(kind);
      if (left <= 0) return true;
      // A set goes on with what is added behind: a lane that has sent comes round again after all others.
      lanes.delete(lane);
      const begun = start(lane, Math.min(MOST_OF_ONE, Math.ceil(left / SHARE)));
      if (begun !== 'idle') lanes.add(lane);
      if (begun === 'last') return false;
    }
    return true;
  }

  function leave(lane: Lane): void {
    for (const lanes of Object.values(waiting)) lanes.delete(lane);
  }

  return {
    get size() {
      return underWay.size;
    },

    /** It may have something to send. */
    enter(lane: Lane): void {
      const own = waiting[lane.kind];
      if (own.has(lane)) return;
      leave(lane);
      own.add(lane);
    },

    leave,

    run(start: Start): void {
      if (next('proven', start) && next('unproven', start)) next('suspect', start);
    },

    begin(lane: Lane, startedAt: number): Underway {
      const attempt = { lane, startedAt, kind: lane.kind };
      underWay.add(attempt);
      taken[attempt.kind]++;
      return attempt;
    },

    end(attempt: Underway): void {
      underWay.delete(attempt);
      taken[attempt.kind]--;
    },

    /** Those that turn out to be slow make room, as far as there is any beside them. There are then more slow ones than
     *  places, until they end. */
    setSlowAside(now: number): void {
      for (const attempt of underWay) {
        if (attempt.startedAt > now - SLOW) return;
        if (attempt.kind === 'suspect') continue;
        taken[attempt.kind]--;
        taken.suspect++;
        attempt.kind = 'suspect';
        const { lane } = attempt;
        const isWaiting = waiting[lane.kind].delete(lane);
        lane.kind = 'suspect';
        if (isWaiting) waiting.suspect.add(lane);
      }
    },
  };
}
