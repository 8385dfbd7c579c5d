import { DAY, HOUR } from '../../domain/primitives/time.ts';
import { isOver } from '../../domain/sports-events/sports-event.ts';
import type { KnownEvent, LeagueView, ProviderRequest } from '../provider-base/provider.ts';

export interface OddsApiSettings {
  /** `us`, `eu`, ... */
  readonly regions: readonly string[];
  /** Requested for all events of a league. */
  readonly markets: readonly string[];
  /** Requested separately for each event that is in play or starts within 24 hours; nothing is requested if this is
   *  empty. */
  readonly eventMarkets: readonly string[];
  /** No other source has the scores. */
  readonly scores: boolean;
}

/** Facts from the provider's answers that requests depend on. */
interface KnownKeys {
  /** The keys of a league that are in season, apart from the league's own: tournaments, preseasons. */
  ofLeague(league: string): readonly string[];
  /** The key under which the provider lists an event. */
  ofEvent(ref: string): string | undefined;
}

/** Seconds between two requests, by state of the league. */
const ODDS = { live: 60, soon: 300, later: 3600 } as const;
const EVENT_ODDS = { live: 120, soon: 600 } as const;
const EVENTS = { live: 600, soon: 600, later: 3600, idle: 21_600 } as const;
const SPORTS = 21_600;
const SCORES = 60;

/** Includes finished games of this many days: without them the answer would drop an event as soon as it ends. */
const SCORE_DAYS = '1';
/** Credits: a scores request with finished games costs one credit more. */
const SCORES_COST = 2;

const AHEAD = DAY;
/** How long an event counts as in play if no source reports its end. */
const IN_PLAY_FOR = 6 * HOUR;

const BASE_PATH = '/v4/sports';

/** All requests to The Odds API. */
export function oddsApiRequests(
  leagues: readonly LeagueView[],
  now: number,
  settings: OddsApiSettings,
  keys: KnownKeys,
): ProviderRequest[] {
  return [SPORTS_LIST, ...leagues.flatMap((league) => leagueRequests(league, now, settings, keys))];
}

const SPORTS_LIST: ProviderRequest = {
  key: 'the-odds-api:sports',
  kind: 'sports',
  league: undefined,
  path: BASE_PATH,
  query: {},
  intervalSeconds: SPORTS,
  urgency: 'soon',
  isPrerequisite: true,
};

function leagueRequests(view: LeagueView, now: number, settings: OddsApiSettings, keys: KnownKeys): ProviderRequest[] {
  return keys.ofLeague(view.league).flatMap((sportKey) => {
    const createRequest = (
      kind: string,
      intervalSeconds: number,
      path: string,
      query: Record<string, string>,
      cost?: number,
    ) => ({
      key: `the-odds-api:${kind}:${path}`,
      kind,
      league: view.league,
      path: `${BASE_PATH}/${sportKey}/${path}`,
      query: { dateFormat: 'iso', ...query },
      intervalSeconds,
      urgency: view.state,
      ...(cost === undefined ? {} : { cost }),
    });
    const prices = (markets: readonly string[]) => ({
      regions: settings.regions.join(','),
      markets: markets.join(','),
      oddsFormat: 'american',
    });
    const requests: ProviderRequest[] = [createRequest('events', EVENTS[view.state], 'events', {})];
    if (view.state !== 'idle') {
      requests.push(
        createRequest('odds', ODDS[view.state], 'odds', prices(settings.markets), costOf(settings.markets, settings)),
      );
    }
    // The provider has no scores of tennis.
    if (settings.scores && view.state === 'live' && view.sport !== 'tennis') {
      requests.push(createRequest('scores', SCORES, 'scores', { daysFrom: SCORE_DAYS }, SCORES_COST));
    }
    if (settings.eventMarkets.length > 0 && (view.state === 'live' || view.state === 'soon')) {
      const every = EVENT_ODDS[view.state];
      for (const ref of view.events.flatMap((event) => nearRef(event, now))) {
        if (keys.ofEvent(ref) !== sportKey) continue;
        const path = `events/${encodeURIComponent(ref)}/odds`;
        requests.push(
          createRequest(
            'event-odds',
            every,
            path,
            prices(settings.eventMarkets),
            costOf(settings.eventMarkets, settings),
          ),
        );
      }
    }
    return requests.map((request) => ({ ...request, key: `${request.key}@${sportKey}` }));
  });
}

/** The provider's formula: one credit for each market in each region. */
const costOf = (markets: readonly string[], { regions }: OddsApiSettings): number => markets.length * regions.length;

/** The provider's id of an event that is in play or starts within a day. */
function nearRef({ ref, status, startsAt }: KnownEvent, now: number): string[] {
  const near = startsAt <= now + AHEAD && (startsAt >= now - IN_PLAY_FOR || status === 'inprogress');
  return ref !== undefined && near && !isOver(status) && status !== 'postponed' ? [ref] : [];
}

/** Kinds of requests to The Odds API. */
type OddsApiRoute = 'sports' | 'odds' | 'events' | 'scores' | 'event-odds';

export interface OddsApiRequest {
  readonly route: OddsApiRoute;
  /** The provider's key of the sport; undefined for the list of sports. */
  readonly sportKey: string | undefined;
  /** The provider's keys of the requested markets. */
  readonly markets: readonly string[];
  readonly oddsFormat: string | undefined;
}

const PATH = /\/v4\/sports(?:\/([a-z0-9_]+)\/(?:(odds|events|scores)|events\/[^/]+\/(odds)))?\/?$/;

/** The request behind an address; undefined for an address that is not polled. */
export function parseRequest({ path, query }: Pick<ProviderRequest, 'path' | 'query'>): OddsApiRequest | undefined {
  const found = PATH.exec(path);
  if (!found) return undefined;
  const [, sportKey, list, ofEvent] = found;
  const route = sportKey === undefined ? 'sports' : ofEvent ? 'event-odds' : (list as OddsApiRoute);
  const markets = (query['markets'] ?? '').split(',').filter(Boolean);
  return { route, sportKey, markets, oddsFormat: query['oddsFormat'] };
}
