import type { OperationContext } from '../../../api/calls/operation/operation.ts';
import { getTeam } from '../../../api/operations/directory/team-operations.ts';
import { getInjuries } from '../../../api/operations/events/get-injuries.ts';
import { getIntelligence } from '../../../api/operations/intelligence/get-intelligence.ts';
import { findLeague, seasonYear } from '../../../domain/catalogue/catalogue.ts';
import { timeOf } from '../../../domain/observations/observation.ts';
import type { BrowsePage } from '../browse-page.ts';
import type { KeylessCall } from '../keyless-calls.ts';
import { readStandings } from '../leagues/league-routes.ts';
import { readClosingLines } from '../shared/against-close.ts';
import { readResults, readUpcoming } from '../shared/event-lists.ts';
import { nearestStart } from '../shared/nearest-start.ts';
import type { ReadSeasonOutlook } from '../shared/season-outlook.ts';
import { type TeamView, teamPage } from './team-page.ts';

/** So many results, and so many games ahead: more than half a season of most leagues. */
const [RESULTS, UPCOMING] = [10, 40];

/** @param before of the results, in milliseconds; undefined: the newest */
export async function readTeamPage(
  call: KeylessCall,
  context: OperationContext,
  id: number,
  readOutlook: ReadSeasonOutlook,
  before: number | undefined,
): Promise<BrowsePage> {
  const team = await call(getTeam, { id });
  const [finished, upcoming] = await Promise.all([
    readResults(call, context, id, { wanted: RESULTS, before }),
    readUpcoming(call, id, context.now(), UPCOMING),
  ]);
  const results: TeamView['results'][number][] = [];
  // One after the other: each may fold the prices of a game.
  for (const event of finished) results.push({ event, close: await readClosingLines(call, event.id) });
  const [next] = upcoming;
  const injuries = next && (await call(getInjuries, { id: next.id }));
  const outlook = next && (await call(getIntelligence, { id: next.id })).bets;
  const league = findLeague(team.league);
  const year = league && seasonYear(league, context.now());
  const oldest = finished.at(-1);
  const older = oldest && timeOf(oldest.starts_at);
  const hasOlder =
    older !== undefined && (await nearestStart(context, { team_ids: id }, 'before', older)) !== undefined;
  const [last] = finished;
  const lastYear = league && last && seasonYear(league, timeOf(last.starts_at));
  const standing =
    (await readStanding(call, team.league, id, year, year)) ??
    (lastYear === year ? undefined : await readStanding(call, team.league, id, lastYear, year));
  const season = league && (await readOutlook(league.slug, year!));
  const pages = { isNewest: before === undefined, older: hasOlder ? older : undefined };
  const view: TeamView = { team, standing, season, upcoming, outlook, results, pages, injuries };
  return { title: team.name, content: teamPage(view), isUnlisted: before !== undefined };
}

/**
 * Where the team stands in the table of a season; undefined where there is none, or it has not played.
 * @param now the season of today
 */
async function readStanding(
  call: KeylessCall,
  slug: string,
  id: number,
  year: number | undefined,
  now: number | undefined,
): Promise<TeamView['standing'] | undefined> {
  const table = year === undefined ? undefined : await readStandings(call, slug, year);
  for (const { name, rows } of table?.groups ?? []) {
    const row = rows.find(({ team_id }) => team_id === id);
    if (row)
      return { row, group: name, teams: rows.length, pastSeason: table!.season === now ? undefined : table!.season };
  }
  return undefined;
}
