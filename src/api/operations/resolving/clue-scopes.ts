import { playerNamesIndex } from '../../../../projections/player-names.ts';
import { teamNamesIndex } from '../../../../projections/team-names.ts';
import { findSport } from '../../../domain/catalogue.ts';
import type { OperationContext } from '../../calls/operation.ts';
import { requireSport } from '../../calls/scopes.ts';
import { judgeEventSports, judgeSportOf } from '../judging.ts';
import { isGiven } from './find-teams.ts';

interface ScopedClues {
  readonly sport?: string | null | undefined;
  readonly event_id?: number | null | undefined;
  readonly player_id?: number | null | undefined;
  readonly team_id?: number | null | undefined;
}

/** An unknown sport or id is no one's. @throws ApiError sport_scope_denied for a clue outside the caller's scopes */
export async function judgeClues(
  { sport, event_id, player_id, team_id }: ScopedClues,
  context: Pick<OperationContext, 'store' | 'principal'>,
): Promise<void> {
  if (isGiven(sport) && findSport(sport)) requireSport(context.principal, sport);
  if (isGiven(event_id)) await judgeEventSports([event_id], context);
  if (isGiven(player_id)) await judgeSportOf(playerNamesIndex.name, player_id, context);
  if (isGiven(team_id)) await judgeSportOf(teamNamesIndex.name, team_id, context);
}
