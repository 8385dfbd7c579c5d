import { useEffect, useState } from 'preact/hooks';
import type { LiveFeed, LiveFeeds } from '../../answers/live-page-answers.ts';
import { fetchFeeds } from '../net/server-api.ts';
import { clockTimeWithSeconds } from '../view-model/times.ts';
import { Time } from './shared/time.tsx';

const POLL_INTERVAL_MS = 15_000;

const FEED_STATE_WORDS: Readonly<Record<LiveFeed['state'], string>> = {
  starting: 'starting',
  ok: 'ok',
  refused: 'refuses this server',
  failing: 'failing',
  drift: 'answers have changed',
  exhausted: 'quota is used up',
  standby: 'another server polls',
};

/** The state of the live connectors, and whose feed is down. The server sets `data-feeds` on the page if it knows. */
export function FeedsStatus() {
  const [{ feeds, down = [] }, setFeeds] = useState<LiveFeeds>({ feeds: [] });
  useEffect(() => {
    if (!('feeds' in document.documentElement.dataset)) return;
    const leaving = new AbortController();
    const poll = () => {
      if (document.hidden) return;
      // Keep the last answer until the server is back: the connection status already shows the failure.
      fetchFeeds(leaving.signal).then(setFeeds, () => {});
    };
    poll();
    const timer = setInterval(poll, POLL_INTERVAL_MS);
    return () => {
      clearInterval(timer);
      leaving.abort();
    };
  }, []);
  return (
    <>
      {down.length === 0 ? null : (
        <p class="feeds-down" role="status">
          The feed is down:{' '}
          {down.map(({ league, stale_seconds }) => `${league} for ${spanOf(stale_seconds)}`).join(', ')}. Games that are
          live may be missing.
        </p>
      )}
      {feeds.length === 0 ? null : (
        <ul class="feeds" aria-label="Live feeds">
          {feeds.map(({ name, state, last_success_at, budget }) => (
            <li key={name} class={`feed feed-${state}`}>
              <b>{name}</b> {FEED_STATE_WORDS[state]}
              {last_success_at === null ? null : (
                <>
                  , last answer <Time at={last_success_at} write={clockTimeWithSeconds} />
                </>
              )}
              {budget === null ? null : `, ${budget.used} of ${budget.limit} credits used today`}
            </li>
          ))}
        </ul>
      )}
    </>
  );
}

const spanOf = (seconds: number): string => (seconds < 120 ? `${seconds} s` : `${Math.floor(seconds / 60)} min`);
