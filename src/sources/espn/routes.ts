import type { Question } from '../importing/connector.ts';
import { addressOf, type EspnLeague, leagueAt } from './leagues.ts';

const BELOW = '/apis/site/v2/sports';
/** Far more than a league plays on a day, or has teams: ESPN gives a part of its lists where no limit is named. */
const SCOREBOARD_LIMIT = '500';
const TEAMS_LIMIT = '1000';
/** All of Division I: without a group ESPN gives the ranked teams' games alone. */
const GROUPS: Readonly<Record<string, string>> = { ncaaf: '80', ncaab: '50' };

/** What of ESPN's is asked for. */
export type EspnRoute = 'scoreboard' | 'summary' | 'injuries' | 'teams' | 'rankings' | 'roster';

/** Where it is asked; undefined for a league that ESPN has not. @param of the day, the event's id, or the team's */
export function addressFor(
  route: EspnRoute,
  league: string,
  of?: string,
): Pick<Question, 'path' | 'query'> | undefined {
  const place = addressOf(league);
  if (place === undefined) return undefined;
  const path = `${BELOW}/${place}/${route}`;
  switch (route) {
    case 'scoreboard':
      return { path, query: { dates: of!, limit: SCOREBOARD_LIMIT, ...groupOf(league) } };
    case 'summary':
      return { path, query: { event: of! } };
    case 'teams':
      return { path, query: { limit: TEAMS_LIMIT, ...groupOf(league) } };
    case 'roster':
      return { path: `${BELOW}/${place}/teams/${encodeURIComponent(of!)}/roster`, query: {} };
    default:
      return { path, query: {} };
  }
}

const groupOf = (league: string): Record<string, string> => (GROUPS[league] ? { groups: GROUPS[league] } : {});

const PATH = /\/sports\/([a-z]+\/[a-z0-9.-]+)\/(scoreboard|summary|injuries|teams|rankings|teams\/[^/]+\/roster)\/?$/;

/** What was asked, from where it was asked; undefined where it is none of ESPN's places that are asked. */
export function askedAt({ path, query }: Pick<Question, 'path' | 'query'>) {
  const [, place, what] = PATH.exec(path) ?? [];
  const league: EspnLeague | undefined = leagueAt(place ?? '');
  if (!league) return undefined;
  const route = (what!.endsWith('/roster') ? 'roster' : what) as EspnRoute;
  return { route, league, day: query['dates'] };
}
