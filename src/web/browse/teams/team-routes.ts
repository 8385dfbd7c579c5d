import type { OperationContext } from '../../../api/calls/operation/operation.ts';
import { getTeam } from '../../../api/operations/directory/team-operations.ts';
import { getInjuries } from '../../../api/operations/events/get-injuries.ts';
import { getIntelligence } from '../../../api/operations/intelligence/get-intelligence.ts';
import { findLeague, seasonYear } from '../../../domain/catalogue/catalogue.ts';
import type { BrowsePage } from '../browse-page.ts';
import type { KeylessCall } from '../keyless-calls.ts';
import { readStandings } from '../leagues/league-routes.ts';
import { readClosingLines } from '../shared/against-close.ts';
import { readResults, readUpcoming } from '../shared/event-lists.ts';
import type { ReadSeasonOutlook } from '../shared/season-outlook.ts';
import { type TeamView, teamPage } from './team-page.ts';

/** So many results, and so many games ahead: more than half a season of most leagues. */
const [RESULTS, UPCOMING] = [10, 40];

export async function readTeamPage(
  call: KeylessCall,
  context: OperationContext,
  id: number,
  readOutlook: ReadSeasonOutlook,
): Promise<BrowsePage> {
  const team = await call(getTeam, { id });
  const [finished, upcoming] = await Promise.all([
    readResults(call, context, id, RESULTS),
    readUpcoming(call, id, context.now(), UPCOMING),
  ]);
  const results: TeamView['results'][number][] = [];
  // One after the other: each may fold the prices of a game.
  for (const event of finished) results.push({ event, close: await readClosingLines(call, event.id) });
  const [next] = upcoming;
  const injuries = next && (await call(getInjuries, { id: next.id }));
  const outlook = next && (await call(getIntelligence, { id: next.id })).bets;
  const standing = await readStanding(call, team.league, id, context.now());
  const league = findLeague(team.league);
  const season = league && (await readOutlook(league.slug, seasonYear(league, context.now())));
  return { title: team.name, content: teamPage({ team, standing, season, upcoming, outlook, results, injuries }) };
}

/** Where the team stands in its table; undefined where there is none, or it has not played. */
async function readStanding(
  call: KeylessCall,
  slug: string,
  id: number,
  now: number,
): Promise<TeamView['standing'] | undefined> {
  const league = findLeague(slug);
  const table = league && (await readStandings(call, slug, seasonYear(league, now)));
  for (const { name, rows } of table?.groups ?? []) {
    const row = rows.find(({ team_id }) => team_id === id);
    if (row) return { row, group: name, teams: rows.length };
  }
  return undefined;
}
