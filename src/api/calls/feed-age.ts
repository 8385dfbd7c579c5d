import { SPORTS } from '../../domain/catalogue/catalogue.ts';
import type { Operation } from './operation/operation.ts';

/** How old the feeds are from which answers are made. */
export interface FeedAges {
  /** Null for a league of which no feed is meant to come. */
  ofLeague(league: string): { readonly seconds: number; readonly isDown: boolean } | null;
}

/** For a server that polls nothing. */
export const NO_FEEDS: FeedAges = { ofLeague: () => null };

/** The age of the feeds of an answer. */
export interface AnswerFeedAge {
  /** Of the league whose feed is oldest; null if no feed is meant to come of any of them. */
  readonly seconds: number | null;
  /** Leagues whose feed is down: that nothing is live there may not be true. */
  readonly down: readonly string[];
}

/** The league of an event; undefined if there is no such event. */
export type ReadEventLeague = (eventId: number) => Promise<string | undefined>;

type Input = Readonly<Record<string, unknown>>;

/** Operations whose answers change while games are played: lists of events, scores, odds. */
const ABOUT_GAMES = /^\/v1\/(events(\/|$)|intelligence\/(ev|arbitrage|forecasts)$)/;
const ALL_LEAGUES = SPORTS.flatMap(({ leagues }) => leagues.map(({ slug }) => slug));

/** Undefined for an operation whose answers do not depend on feeds. */
export async function feedAgeOf(
  { path, feedLeagues }: Pick<Operation, 'path' | 'feedLeagues'>,
  input: Input,
  ages: FeedAges,
  leagueOfEvent: ReadEventLeague,
): Promise<AnswerFeedAge | undefined> {
  const own = feedLeagues?.(input);
  if (!own && !ABOUT_GAMES.test(path)) return undefined;
  if (ages === NO_FEEDS) return { seconds: null, down: [] };
  const known = (own ?? (await leaguesOf(input, leagueOfEvent))).flatMap((league) => {
    const age = ages.ofLeague(league);
    return age === null ? [] : [{ league, ...age }];
  });
  return {
    seconds: known.length === 0 ? null : Math.max(...known.map(({ seconds }) => seconds)),
    down: known.flatMap(({ league, isDown }) => (isDown ? [league] : [])),
  };
}

/** The leagues that an answer to this input is about. */
async function leaguesOf(input: Input, leagueOfEvent: ReadEventLeague): Promise<readonly string[]> {
  const events = [input['id'], input['event_id'], input['event_ids'], input['ids']].flat().filter(isNumber);
  if (events.length > 0) {
    const found = await Promise.all([...new Set(events)].map(leagueOfEvent));
    return [...new Set(found.filter(isText))];
  }
  const leagues = [input['league'], input['leagues']].flat().filter(isText);
  if (leagues.length > 0) return leagues;
  const sports = [input['sport'], input['sports']].flat().filter(isText);
  return sports.length === 0 ? ALL_LEAGUES : leaguesOfSports(sports);
}

/** Slugs of the leagues of these sports. */
const leaguesOfSports = (sports: readonly string[]): readonly string[] =>
  SPORTS.flatMap((sport) => (sports.includes(sport.slug) ? sport.leagues.map(({ slug }) => slug) : []));

const isNumber = (value: unknown): value is number => typeof value === 'number';
const isText = (value: unknown): value is string => typeof value === 'string';
