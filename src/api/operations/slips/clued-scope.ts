import { findLeague, findSport } from '../../../domain/catalogue.ts';
import type { SlipClues } from '../../../text/slips/leg.ts';
import { grantedSports, grantsSport } from '../../calls/scopes.ts';
import { findTeams, isGiven } from '../resolving/find-teams.ts';
import type { SlipReading } from './slip-reading.ts';
import { knownEvent } from './text-events.ts';
import type { TextScope } from './text-scope.ts';

/** What the clues leave, of the sports that the caller may see. What is not known leaves nothing. */
export async function cluedScope(
  { sport, league, event_id, team_id, team_text }: SlipClues,
  reading: SlipReading,
): Promise<TextScope> {
  const { principal } = reading.context;
  const event = isGiven(event_id) ? await knownEvent(reading, event_id) : undefined;
  const limits = [
    ...(isGiven(sport) ? [findSport(sport)?.slug] : []),
    ...(isGiven(league) ? [findLeague(league)?.sport] : []),
    ...(isGiven(event_id) ? [event && grantsSport(principal, event.sport) ? event.sport : undefined] : []),
  ];
  const sports = grantedSports(principal).filter((one) => limits.every((limit) => limit === one));
  const meant = isGiven(team_text) ? await findTeams(reading.context, team_text, isGiven(sport) ? { sport } : {}) : [];
  const sets = [
    ...(isGiven(team_id) ? [[team_id]] : []),
    ...(isGiven(team_text) ? [meant.map(({ entry }) => entry.id)] : []),
  ];
  return {
    sports,
    league: isGiven(league) ? league : null,
    teamIds: sets.length === 0 ? null : sets[0]!.filter((id) => sets.every((set) => set.includes(id))),
    event: event ?? null,
  };
}
