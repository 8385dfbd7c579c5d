import { DAY, HOUR, MINUTE } from '../../domain/primitives/time.ts';
import type { KnownEvent, LeagueView, ProviderRequest } from '../provider-base/provider.ts';
import { AHEAD_EVERY, currentDays, todayEvery } from '../provider-base/scoreboard-days.ts';
import type { DaysAhead } from './days-ahead.ts';
import { type EspnLeague, leagueAddress, leagueOfAddress } from './leagues.ts';

/** Seconds between two requests, by state of the league. */
const INJURIES = { live: 600, soon: 600, later: 3600, idle: 21_600 } as const;
const SUMMARY_IN_PLAY = 30;
const SUMMARY_BEFORE = 300;
const DAILY = DAY / 1000;
const ROSTERS_APART = 30;

/** How long before the start a summary begins to have lineups. */
const BEFORE_THE_START = 90 * MINUTE;
/** How long to wait for a game that should have begun. */
const OVERDUE = 6 * HOUR;
/** Time after the end at which the statistics of a game are final. */
const SETTLED = 10 * MINUTE;
/** A game that ended longer ago than this is not requested. */
const END_REQUESTED_FOR = 2 * HOUR;

const IN_PLAY = ['inprogress', 'suspended'];
const TO_COME = ['scheduled', 'delayed'];

/** All requests to ESPN. @param pace divides every wait */
export function espnRequests(
  leagues: readonly LeagueView[],
  now: number,
  pace: number,
  daysAhead: DaysAhead,
): ProviderRequest[] {
  const first = leagues.flatMap((league) => todayRequests(league, now));
  return [
    ...first,
    ...leagues.flatMap((league) =>
      otherRequests(league, now, daysAhead.datesOf(league.league, league.sport, now), pace),
    ),
  ];
}

function createRequests(
  route: EspnRoute,
  view: LeagueView,
  intervalSeconds: ProviderRequest['intervalSeconds'],
  of?: string,
  more: Partial<ProviderRequest> = {},
): ProviderRequest[] {
  const address = requestAddress(route, view.league, of);
  if (!address) return [];
  const key = ['espn', route, view.league, of].filter(Boolean).join(':');
  return [{ key, kind: route, league: view.league, ...address, intervalSeconds, urgency: view.state, ...more }];
}

/** Today's scoreboard, and yesterday's while one of its games is not over. */
const todayRequests = (view: LeagueView, now: number): ProviderRequest[] =>
  currentDays(view, now).flatMap(({ name }, index) =>
    createRequests('scoreboard', view, todayEvery(view, now), name, index === 0 ? { isPrerequisite: true } : {}),
  );

function otherRequests(view: LeagueView, now: number, ahead: readonly string[], pace: number): ProviderRequest[] {
  const tennis = view.sport === 'tennis';
  const idle: Partial<ProviderRequest> = { urgency: 'idle' };
  const rosters: Partial<ProviderRequest> = { ...idle, sequence: { name: 'espn:rosters', apart: ROSTERS_APART } };
  return [
    ...(tennis ? [] : view.events.flatMap((event) => summaryRequests(event, view, now, pace))),
    ...ahead.flatMap((dates) => createRequests('scoreboard', view, AHEAD_EVERY[view.state], dates)),
    // Tennis has players and rankings instead of teams.
    ...(tennis ? [] : createRequests('injuries', view, INJURIES[view.state])),
    ...createRequests(tennis ? 'rankings' : 'teams', view, DAILY, undefined, idle),
    ...(tennis ? [] : view.teamRefs.flatMap((ref) => createRequests('roster', view, DAILY, ref, rosters))),
  ];
}

function summaryRequests(event: KnownEvent, view: LeagueView, now: number, pace: number): ProviderRequest[] {
  const { ref, status, startsAt, overSince } = event;
  if (ref === undefined) return [];
  if (IN_PLAY.includes(status)) return createRequests('summary', view, SUMMARY_IN_PLAY, ref);
  const near = startsAt - now <= BEFORE_THE_START && now - startsAt <= OVERDUE;
  if (TO_COME.includes(status) && near) return createRequests('summary', view, SUMMARY_BEFORE, ref);
  if (status !== 'final' || overSince === undefined || now - overSince > END_REQUESTED_FOR) return [];
  const settled = overSince + SETTLED / pace;
  const [end] = createRequests('summary', view, 'once', ref);
  return end
    ? [
        { ...end, key: `${end.key}:end` },
        { ...end, key: `${end.key}:settled`, notBefore: settled },
      ]
    : [];
}

const BASE_PATH = '/apis/site/v2/sports';
/** Without a limit ESPN returns only a part of its lists. A limit of 600 or more shortens a scoreboard silently. */
export const SCOREBOARD_LIMIT = '500';
const TEAMS_LIMIT = '1000';
/** All of Division I: without a group ESPN returns only the games of ranked teams. */
const GROUPS: Readonly<Record<string, string>> = { ncaaf: '80', ncaab: '50' };

/** Kinds of requests to ESPN. */
type EspnRoute = 'scoreboard' | 'summary' | 'injuries' | 'teams' | 'rankings' | 'roster';

/** The address of a request; undefined for a league that ESPN does not have. @param of the day, the event's id, or the
 *  team's */
export function requestAddress(
  route: EspnRoute,
  league: string,
  of?: string,
): Pick<ProviderRequest, 'path' | 'query'> | undefined {
  const address = leagueAddress(league);
  if (address === undefined) return undefined;
  const path = `${BASE_PATH}/${address}/${route}`;
  switch (route) {
    case 'scoreboard':
      return { path, query: { dates: of!, limit: SCOREBOARD_LIMIT, ...groupOf(league) } };
    case 'summary':
      return { path, query: { event: of! } };
    case 'teams':
      return { path, query: { limit: TEAMS_LIMIT, ...groupOf(league) } };
    case 'roster':
      return { path: `${BASE_PATH}/${address}/teams/${encodeURIComponent(of!)}/roster`, query: {} };
    default:
      return { path, query: {} };
  }
}

const groupOf = (league: string): Record<string, string> => (GROUPS[league] ? { groups: GROUPS[league] } : {});

const PATH = /\/sports\/([a-z]+\/[a-z0-9.-]+)\/(scoreboard|summary|injuries|teams|rankings|teams\/[^/]+\/roster)\/?$/;

/** The request behind an address; undefined for an address that is not polled. */
export function parseRequest({ path, query }: Pick<ProviderRequest, 'path' | 'query'>) {
  const [, address, what] = PATH.exec(path) ?? [];
  const league: EspnLeague | undefined = leagueOfAddress(address ?? '');
  if (!league) return undefined;
  const route = (what!.endsWith('/roster') ? 'roster' : what) as EspnRoute;
  return { route, league, day: query['dates'] };
}
