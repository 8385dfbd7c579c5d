import { SPORTS } from '../../domain/catalogue/catalogue.ts';
import type { Operation } from './operation/operation.ts';

/** How old the feeds are from which answers are made. */
export interface FeedAges {
  /** Null for a league of which no feed is meant to come. */
  ofLeague(league: string): { readonly seconds: number; readonly isDown: boolean } | null;
  /** The league of an event that is near; undefined for others. */
  leagueOf(eventId: number): string | undefined;
}

/** For a server that polls nothing. */
export const NO_FEEDS: FeedAges = { ofLeague: () => null, leagueOf: () => undefined };

/** The age of the feeds of an answer. */
export interface AnswerFeedAge {
  /** Of the league whose feed is oldest; null if no feed is meant to come of any of them. */
  readonly seconds: number | null;
  /** Leagues whose feed is down: that nothing is live there may not be true. */
  readonly down: readonly string[];
}

/** Operations whose answers change while games are played: lists of events, scores, odds. */
const ABOUT_GAMES = /^\/v1\/(events(\/|$)|intelligence\/(ev|arbitrage|forecasts)$)/;
const ALL_LEAGUES = SPORTS.flatMap(({ leagues }) => leagues.map(({ slug }) => slug));

/** Undefined for an operation whose answers do not depend on feeds, and if this process does not know how old they are. */
export function feedAgeOf(
  { path }: Pick<Operation, 'path'>,
  input: Readonly<Record<string, unknown>>,
  ages: FeedAges | undefined,
): AnswerFeedAge | undefined {
  if (!ages || !ABOUT_GAMES.test(path)) return undefined;
  const known = leaguesOf(input, ages).flatMap((league) => {
    const age = ages.ofLeague(league);
    return age === null ? [] : [{ league, ...age }];
  });
  return {
    seconds: known.length === 0 ? null : Math.max(...known.map(({ seconds }) => seconds)),
    down: known.flatMap(({ league, isDown }) => (isDown ? [league] : [])),
  };
}

/** The leagues that an answer to this input is about. */
function leaguesOf(input: Readonly<Record<string, unknown>>, { leagueOf }: FeedAges): readonly string[] {
  const events = [input['id'], input['event_id'], input['event_ids'], input['ids']].flat().filter(isNumber);
  if (events.length > 0) return [...new Set(events.flatMap((id) => leagueOf(id) ?? []))];
  const leagues = [input['league'], input['leagues']].flat().filter(isText);
  if (leagues.length > 0) return leagues;
  const sports = [input['sport'], input['sports']].flat().filter(isText);
  if (sports.length === 0) return ALL_LEAGUES;
  return SPORTS.flatMap((sport) => (sports.includes(sport.slug) ? sport.leagues.map(({ slug }) => slug) : []));
}

const isNumber = (value: unknown): value is number => typeof value === 'number';
const isText = (value: unknown): value is string => typeof value === 'string';
