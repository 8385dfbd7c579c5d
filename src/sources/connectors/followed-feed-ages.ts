import type { SharedFeedAge, SharedFeedAges } from './store/shared-feed-ages.ts';

/** How old what is known of each league is. */
export interface LeagueFeedAges {
  /** Whole seconds since any connector told of it, and whether that is too long; null if none is asked about it. */
  ofLeague(league: string): { readonly seconds: number; readonly isDown: boolean } | null;
}

export interface FollowedFeedAges extends LeagueFeedAges {
  close(): void;
}

/**
 * The ages of feeds that another process polls. They go on growing if that process tells nothing any more.
 * @param now milliseconds of the clock that all processes share
 * @throws UnavailableError if they cannot be read now
 */
export async function followFeedAges(shared: SharedFeedAges, now: () => number): Promise<FollowedFeedAges> {
  let known = new Map<string, SharedFeedAge>();
  const take = (ages: readonly SharedFeedAge[]): void => {
    known = new Map(ages.map((age) => [age.league, age]));
  };
  take(await shared.read());
  const end = shared.follow(take);
  return {
    ofLeague(league) {
      const age = known.get(league);
      if (!age) return null;
      const seconds = Math.max(0, Math.round((now() - age.answeredAt) / 1000));
      return { seconds, isDown: age.downFrom !== null && now() > age.downFrom };
    },
    close: end,
  };
}
