import { isOver } from '../../domain/sports-event.ts';
import { DAY, HOUR } from '../../domain/time.ts';
import type { KnownEvent, LeagueView, Question } from '../importing/connector.ts';

export interface OddsApiSettings {
  /** `us`, `eu`, ... */
  readonly regions: readonly string[];
  /** Asked for every event of a league. */
  readonly markets: readonly string[];
  /** Asked for each event that is in play or starts within 24 hours, one by one; none are asked where it is empty. */
  readonly eventMarkets: readonly string[];
  /** Nobody else tells the scores. */
  readonly scores: boolean;
}

/** What the provider's answers have told so far, as far as asking depends on it. */
export interface KnownKeys {
  /** The keys of a league that are in season, beside the league's own: tournaments, preseasons. */
  ofLeague(league: string): readonly string[];
  /** The key under which the provider lists an event. */
  ofEvent(ref: string): string | undefined;
}

/** Seconds between two askings, by the state of the league. */
const ODDS = { live: 60, soon: 300, later: 3600 } as const;
const EVENT_ODDS = { live: 120, soon: 600 } as const;
const EVENTS = { live: 600, soon: 600, later: 3600, idle: 21_600 } as const;
const SPORTS = 21_600;
const SCORES = 60;

/** With the games of this many days that are over: without it, an event that ends is not told of any more. */
const SCORE_DAYS = '1';
/** Credits: a request for scores of games that are over costs one more. */
const SCORES_COST = 2;

const AHEAD = DAY;
/** How long an event that has not been told to be over is taken to be in play. */
const IN_PLAY_FOR = 6 * HOUR;

const BELOW = '/v4/sports';

/** Everything that is asked of The Odds API. */
export function oddsApiQuestions(
  leagues: readonly LeagueView[],
  now: number,
  settings: OddsApiSettings,
  keys: KnownKeys,
): Question[] {
  return [SPORTS_LIST, ...leagues.flatMap((league) => leagueQuestions(league, now, settings, keys))];
}

const SPORTS_LIST: Question = {
  key: 'the-odds-api:sports',
  kind: 'sports',
  league: undefined,
  path: BELOW,
  query: {},
  every: SPORTS,
  urgency: 'soon',
  isFirst: true,
};

function leagueQuestions(view: LeagueView, now: number, settings: OddsApiSettings, keys: KnownKeys): Question[] {
  return keys.ofLeague(view.league).flatMap((sportKey) => {
    const asked = (kind: string, every: number, path: string, query: Record<string, string>, cost?: number) => ({
      key: `the-odds-api:${kind}:${path}`,
      kind,
      league: view.league,
      path: `${BELOW}/${sportKey}/${path}`,
      query: { dateFormat: 'iso', ...query },
      every,
      urgency: view.state,
      ...(cost === undefined ? {} : { cost }),
    });
    const prices = (markets: readonly string[]) => ({
      regions: settings.regions.join(','),
      markets: markets.join(','),
      oddsFormat: 'american',
    });
    const questions: Question[] = [asked('events', EVENTS[view.state], 'events', {})];
    if (view.state !== 'idle') {
      questions.push(
        asked('odds', ODDS[view.state], 'odds', prices(settings.markets), costOf(settings.markets, settings)),
      );
    }
    // No scores of tennis are told.
    if (settings.scores && view.state === 'live' && view.sport !== 'tennis') {
      questions.push(asked('scores', SCORES, 'scores', { daysFrom: SCORE_DAYS }, SCORES_COST));
    }
    if (settings.eventMarkets.length > 0 && (view.state === 'live' || view.state === 'soon')) {
      const every = EVENT_ODDS[view.state];
      for (const ref of view.events.flatMap((event) => nearRef(event, now))) {
        if (keys.ofEvent(ref) !== sportKey) continue;
        const path = `events/${encodeURIComponent(ref)}/odds`;
        questions.push(
          asked('event-odds', every, path, prices(settings.eventMarkets), costOf(settings.eventMarkets, settings)),
        );
      }
    }
    return questions.map((question) => ({ ...question, key: `${question.key}@${sportKey}` }));
  });
}

/** The provider's formula: a credit for each market in each region. */
const costOf = (markets: readonly string[], { regions }: OddsApiSettings): number => markets.length * regions.length;

/** The provider's id of an event that is in play or starts within a day. */
function nearRef({ ref, status, startsAt }: KnownEvent, now: number): string[] {
  const near = startsAt <= now + AHEAD && (startsAt >= now - IN_PLAY_FOR || status === 'inprogress');
  return ref !== undefined && near && !isOver(status) && status !== 'postponed' ? [ref] : [];
}
