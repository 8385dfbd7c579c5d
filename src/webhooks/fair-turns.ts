import type { Lane } from './subscriber-queue.ts';

export interface AttemptsAtOnce {
  /** To endpoints that answer. */
  readonly quick: number;
  /** To those that were slow of late: they delay each other, and nobody else. */
  readonly suspect: number;
}

/** An attempt under way. */
export interface Underway {
  readonly lane: Lane;
  readonly startedAt: number;
  isSlow: boolean;
}

/** An attempt this old takes no place of the quick ones any more. Milliseconds. */
export const SLOW = 2000;

/** Who may send next: each lane in its turn, one message a turn, within the places that there are. */
export function createTurns(most: AttemptsAtOnce) {
  const waiting = { quick: new Set<Lane>(), suspect: new Set<Lane>() };
  /** The oldest first. */
  const underWay = new Set<Underway>();
  const taken = { quick: 0, suspect: 0 };

  function next(kind: 'quick' | 'suspect', start: (lane: Lane) => boolean): void {
    const lanes = waiting[kind];
    for (const lane of lanes) {
      if (taken[kind] >= most[kind]) return;
      // A set goes on with what is added behind: a lane that has sent comes round again after all others.
      lanes.delete(lane);
      if (start(lane)) lanes.add(lane);
    }
  }

  return {
    get size() {
      return underWay.size;
    },

    /** It may have something to send. */
    enter(lane: Lane): void {
      waiting[lane.isSuspect ? 'quick' : 'suspect'].delete(lane);
      waiting[lane.isSuspect ? 'suspect' : 'quick'].add(lane);
    },

    leave(lane: Lane): void {
      waiting.quick.delete(lane);
      waiting.suspect.delete(lane);
    },

    /** @param start begins one attempt of the lane; false: it has nothing that could be sent now */
    run(start: (lane: Lane) => boolean): void {
      next('quick', start);
      next('suspect', start);
    },

    begin(lane: Lane, startedAt: number): Underway {
      const attempt = { lane, startedAt, isSlow: lane.isSuspect };
      underWay.add(attempt);
      taken[attempt.isSlow ? 'suspect' : 'quick']++;
      return attempt;
    },

    end(attempt: Underway): void {
      underWay.delete(attempt);
      taken[attempt.isSlow ? 'suspect' : 'quick']--;
    },

    /** Those that turn out to be slow make room. There are then more slow ones than places, until they end. */
    setSlowAside(now: number): void {
      for (const attempt of underWay) {
        if (attempt.startedAt > now - SLOW) return;
        if (attempt.isSlow) continue;
        attempt.isSlow = true;
        taken.quick--;
        taken.suspect++;
        attempt.lane.isSuspect = true;
        if (waiting.quick.delete(attempt.lane)) waiting.suspect.add(attempt.lane);
      }
    },
  };
}
