import type { FeedAges } from '../../../api/calls/feed-age.ts';
import type { FeedHealth } from '../../../api/calls/operation/operation.ts';
import { SPORTS } from '../../../domain/catalogue/catalogue.ts';
import type { LiveFeed, LiveFeeds } from './live-page-answers.ts';

interface FeedsParts {
  /** The state of the live connectors; absent if this process has none. */
  readonly feeds?: (() => readonly FeedHealth[]) | undefined;
  /** How old the feeds are, whichever process polls; absent if none does. */
  readonly feedAges?: FeedAges | undefined;
}

/** The state of the live connectors, and the leagues whose feed is down. */
export function readLiveFeeds({ feeds, feedAges }: FeedsParts): LiveFeeds {
  const liveFeeds = (feeds?.() ?? []).map(
    ({ name, state, last_success_at, budget }): LiveFeed => ({
      name,
      state,
      last_success_at,
      budget: budget && { used: budget.used, limit: budget.limit },
    }),
  );
  const down = SPORTS.flatMap(({ leagues }) => leagues).flatMap(({ slug, name }) => {
    const age = feedAges?.ofLeague(slug);
    return age?.isDown ? [{ league: name, stale_seconds: age.seconds }] : [];
  });
  return { feeds: liveFeeds, ...(down.length > 0 && { down }) };
}
