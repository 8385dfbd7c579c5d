import type { OperationContext } from '../../../api/calls/operation/operation.ts';
import { getTeam } from '../../../api/operations/directory/team-operations.ts';
import { getInjuries } from '../../../api/operations/events/get-injuries.ts';
import type { BrowsePage } from '../browse-page.ts';
import type { KeylessCall } from '../keyless-calls.ts';
import { readClosingLines } from '../shared/against-close.ts';
import { readResults, readUpcoming } from '../shared/event-lists.ts';
import { type TeamView, teamPage } from './team-page.ts';

const [RESULTS, UPCOMING] = [10, 12];

export async function readTeamPage(call: KeylessCall, context: OperationContext, id: number): Promise<BrowsePage> {
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
  return { title: team.name, content: teamPage({ team, upcoming, results, injuries }) };
}
