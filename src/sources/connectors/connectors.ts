import type { CacheSize } from '../../domain/primitives/size-in-memory.ts';
import { MINUTE } from '../../domain/primitives/time.ts';
import type { Intake } from '../../ingest/intake/intake.ts';
import type { SetTimer } from '../../platform/async/timer.ts';
import { guardScores } from '../provider-base/guarded-provider.ts';
import type { Provider } from '../provider-base/provider.ts';
import { createScoreGuard } from '../provider-base/score-guard.ts';
import { type AnswerArchive, openAnswerArchive } from './answer-archive.ts';
import { type ConnectorFigures, type ConnectorHealth, createConnectorFigures } from './connector-figures.ts';
import { createFeedAgeWriter } from './feed-age-writer.ts';
import type { LeagueFeedAges } from './followed-feed-ages.ts';
import { createHostLimiters } from './host-limiter.ts';
import { createLeagueAnswers } from './league-answers.ts';
import type { LeagueViews } from './league-views.ts';
import { createPollingLease } from './polling-lease.ts';
import { createAnswerCache } from './provider-answer-cache.ts';
import { createProviderBudget } from './provider-budget.ts';
import type { ProviderClient } from './provider-client.ts';
import { createProviderPoller, type ProviderPoller } from './provider-poller.ts';
import { createRecentMessages } from './recent-messages.ts';
import { createStandIn } from './stand-in.ts';
import type { ConnectorStore } from './store/connector-store.ts';
import type { SharedFeedAges } from './store/shared-feed-ages.ts';

/** A provider to poll, with the operator's settings. */
export interface PolledProvider {
  readonly provider: Provider;
  /** Used instead of the provider's own address; without a slash at its end. */
  readonly address: string;
  readonly key?: { readonly name: string; readonly value: string } | undefined;
  /** Credits per UTC day. */
  readonly budget?: number | undefined;
  /** A second source: it is asked only while the connector of this name is silent, or a game stands still there. */
  readonly standsInFor?: string;
  /** Name of the connector, if it is not that of its provider. */
  readonly name?: string;
}

const nameOf = ({ name, provider }: PolledProvider): string => name ?? provider.name;

interface ConnectorsParts {
  readonly providers: readonly PolledProvider[];
  /** Slugs of the leagues that are polled. */
  readonly leagues: readonly string[];
  readonly client: ProviderClient;
  readonly intake: Intake;
  /** @param onChange must be called whenever the views have changed */
  readonly views: (onChange: () => void) => LeagueViews;
  readonly connectorStore: ConnectorStore;
  /** Tells other processes how old the feeds are; absent: there are none. */
  readonly sharedAges?: SharedFeedAges | undefined;
  /** Identifies this process among those that share the store. */
  readonly owner: string;
  readonly pace: number;
  /** A folder for raw answers. */
  readonly archive?: string | undefined;
  /** The wall clock, in milliseconds. */
  readonly now: () => number;
  /** A monotonic clock, and its timers. */
  readonly steadyNow: () => number;
  readonly setTimer: SetTimer;
  readonly random: () => number;
  /** @param what the action that failed */
  readonly onError: (error: unknown, what: string) => void;
}

/** Polls live providers for as long as it runs. */
export interface Connectors {
  start(): Promise<void>;
  /** Ordered by name. */
  health(): readonly ConnectorHealth[];
  readonly feedAges: LeagueFeedAges;
  /** By name. */
  readonly figures: ReadonlyMap<string, ConnectorFigures>;
  /** A connector has been failing, drifting or exhausted for more than five minutes at pace 1, or was refused. */
  readonly isDegraded: boolean;
  /** Memory of cached answers and recent messages, by name. */
  readonly caches: Readonly<Record<string, () => CacheSize>>;
  /** Sends no more requests, ingests the answers that have arrived, and releases the lease. */
  close(): Promise<void>;
}

/** Milliseconds in a bad state until the server is degraded, at pace 1. A refusal does not pass by itself. */
const BAD_FOR_MS: Readonly<Record<string, number>> = {
  refused: 0,
  failing: 5 * MINUTE,
  drift: 5 * MINUTE,
  exhausted: 5 * MINUTE,
};
/** Interval for reading the views again: time alone brings events near. */
const VIEWS_EVERY_MS = 10 * MINUTE;
const PACK_EVERY_MS = MINUTE;
/** Maximum wait even if nothing is due: the lease must be renewed, and long timers are inexact. */
const LONGEST_WAIT_MS = 5000;

export async function openConnectors(parts: ConnectorsParts): Promise<Connectors> {
  const { connectorStore, pace, now, steadyNow, setTimer, onError } = parts;
  const hosts = createHostLimiters(pace);
  const lease = createPollingLease(parts);
  const answerCache = createAnswerCache();
  const recentMessages = createRecentMessages();
  const figures = new Map<string, ConnectorFigures>();
  const archives: AnswerArchive[] = [];
  const guard = createScoreGuard(pace);
  const answers = createLeagueAnswers(pace, steadyNow());
  const ages =
    parts.sharedAges &&
    createFeedAgeWriter({
      ...parts,
      shared: parts.sharedAges,
      answers,
      onError: (error) => onError(error, 'the ages of the feeds could not be told to other processes'),
    });
  let wasHeld = false;
  const providersSize = (): CacheSize =>
    parts.providers.reduce(
      (sum, { provider: { memory: own = { bytes: 0, limit: 0 } } }) => ({
        bytes: sum.bytes + own.bytes,
        limit: (sum.limit ?? 0) + own.limit,
      }),
      { bytes: 0, limit: 0 } as CacheSize,
    );
  /** Since when each connector is bad, in milliseconds of the monotonic clock. */
  const badSince = new Map<string, number>();
  let cancelTimer = (): void => {};
  let isSoon = false;
  let mustRepeat = false;
  let isClosed = false;
  let polling: Promise<void> | undefined;
  let viewsAt = Number.NEGATIVE_INFINITY;
  let packAt = Number.NEGATIVE_INFINITY;
  let isStarted = false;
  const pollers: ProviderPoller[] = [];
  /** The providers' names by connector. */
  const standIns = new Set(parts.providers.filter(({ standsInFor }) => standsInFor !== undefined).map(nameOf));
  const polledLeagues = new Set(parts.leagues);
  const sources = new Map(parts.providers.map((polled) => [nameOf(polled), polled.provider.name]));
  const views = parts.views(() => {
    for (const poller of pollers) poller.leaguesChanged();
    pollSoon();
  });
  for (const polled of [...parts.providers].sort((a, b) => (nameOf(a) < nameOf(b) ? -1 : 1))) {
    pollers.push(await open(polled));
  }

  async function open(polled: PolledProvider): Promise<ProviderPoller> {
    const { address, key, budget, standsInFor } = polled;
    const name = nameOf(polled);
    const provider = guarded(polled);
    const own = createConnectorFigures();
    figures.set(name, own);
    const error = (what: string) => (cause: unknown) => onError(cause, `${name}: ${what}`);
    const archive =
      parts.archive === undefined
        ? undefined
        : openAnswerArchive(`${parts.archive}/${name}`, error('an answer could not be archived'));
    if (archive) archives.push(archive);
    return createProviderPoller({
      ...parts,
      name,
      provider,
      answers,
      isStandIn: standsInFor !== undefined,
      address,
      key,
      answerCache,
      recentMessages,
      archive,
      figures: own,
      guard,
      host: hosts(new URL(address).host),
      leagues: () => views.viewsFor(provider.name),
      budget: budget === undefined ? undefined : createProviderBudget(budget, await connectorStore.readBudget(name)),
      onRequestEnd: pollSoon,
      onError: error('what a provider answered could not be taken'),
    });
  }

  /** A provider whose answers are believed with care; a second source is asked only when it is needed. */
  function guarded(polled: PolledProvider): Provider {
    const { provider: given, standsInFor: first } = polled;
    const connector = nameOf(polled);
    const provider = guardScores(given, guard, connector, (source, ref) => {
      const eventId = views.eventIdOf(source, ref);
      return eventId === undefined ? `${source} ${ref}` : `event ${eventId}`;
    });
    if (first === undefined) return provider;
    return createStandIn({
      provider,
      connector,
      first,
      isSilent: (league) => answers.isSilent(first, league, steadyNow()),
      guard,
      refOf: (name, eventId) => views.refOf(sources.get(name) ?? name, eventId),
      pace,
    });
  }

  /** Not at once: one poll serves everything that ends at the same moment. */
  function pollSoon(): void {
    if (isSoon || isClosed || !isStarted) return;
    isSoon = true;
    wake(0);
  }

  function wake(milliseconds: number): void {
    cancelTimer();
    cancelTimer = isClosed ? () => {} : setTimer(() => void poll(), milliseconds);
  }

  async function poll(): Promise<void> {
    isSoon = false;
    if (polling) {
      // The change may have come too late for the current refresh.
      mustRepeat = true;
      return polling;
    }
    polling = pollOnce().finally(() => {
      polling = undefined;
      if (mustRepeat) pollSoon();
      mustRepeat = false;
    });
    return polling;
  }

  async function pollOnce(): Promise<void> {
    if (isClosed) return;
    await lease.renew().catch((error) => onError(error, 'the lease of the connectors could not be kept'));
    if (isClosed) return;
    const time = steadyNow();
    let next = time + LONGEST_WAIT_MS;
    if (lease.isHeld && !wasHeld) {
      await ages?.takeOver();
      answers.restart(time);
    }
    wasHeld = lease.isHeld;
    if (lease.isHeld) {
      if (time >= viewsAt) await refreshViews(time);
      if (isClosed) return;
      for (const poller of pollers) next = Math.min(next, poller.poll());
      ages?.tell();
    }
    if (time >= packAt) {
      packAt = time + PACK_EVERY_MS;
      for (const archive of archives) archive.pack(now());
    }
    noteBad(time);
    if (!isSoon) wake(Math.max(1, Math.min(next, lease.renewAt) - steadyNow()));
  }

  async function refreshViews(time: number): Promise<void> {
    viewsAt = time + VIEWS_EVERY_MS;
    await views.refresh().catch((error) => {
      viewsAt = time + LONGEST_WAIT_MS;
      onError(error, 'what the log knows could not be read for the connectors');
    });
    for (const poller of pollers) poller.leaguesChanged();
  }

  function noteBad(time: number): void {
    for (const { name, state, isAsking } of pollers) {
      if (!lease.isHeld || !isAsking || BAD_FOR_MS[state] === undefined) badSince.delete(name);
      else if (!badSince.has(name)) badSince.set(name, time);
    }
  }

  return {
    start() {
      isStarted = true;
      return poll();
    },
    figures,
    health: () =>
      pollers
        .map((poller) => poller.health(!lease.isHeld))
        .filter(({ name, requests }) => !standIns.has(name) || requests > 0),
    feedAges: {
      ofLeague(league) {
        if (!polledLeagues.has(league)) return null;
        const time = steadyNow();
        const seconds = Math.max(0, Math.round((time - answers.answeredAt(league)) / 1000));
        return { seconds, isDown: time > answers.downFrom(league) };
      },
    },
    get isDegraded() {
      const time = steadyNow();
      noteBad(time);
      return pollers.some(({ name, state }) => {
        const since = badSince.get(name);
        return since !== undefined && time - since >= (BAD_FOR_MS[state] ?? Number.POSITIVE_INFINITY) / pace;
      });
    },
    caches: {
      'feed-answers': () => answerCache.size,
      'feed-messages': () => recentMessages.size,
      'feed-providers': providersSize,
      'feed-scores': () => ({ bytes: guard.bytes, limit: guard.limit }),
    },
    async close() {
      isClosed = true;
      cancelTimer();
      await polling;
      await Promise.all(pollers.map((poller) => poller.stop()));
      views.close();
      await Promise.all(archives.map((archive) => archive.close()));
      await lease.release().catch((error) => onError(error, 'the lease of the connectors could not be given back'));
    },
  };
}
