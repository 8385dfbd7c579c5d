import type { EventDocument } from '../../../projections/events.ts';
import { grantedSports, grantsSport } from '../../calls/scopes.ts';
import { findLeague, findSport, type SportSlug } from '../../domain/catalogue.ts';
import type { SlipClues } from '../../slips/leg.ts';
import { findTeams, isGiven } from '../resolving/find-teams.ts';
import type { SlipReading } from './bind-text-bets.ts';
import { knownEvent } from './text-events.ts';

/** In what the names and events of all legs of a text are looked for. */
export interface TextScope {
  readonly sports: readonly SportSlug[];
  /** Of the events; null: any. */
  readonly league: string | null;
  /** One of these is the team of the leg, or plays in its match; null: any. */
  readonly teamIds: readonly number[] | null;
  /** The event of the clue; null where none is given. */
  readonly event: EventDocument | null;
}

/** What the clues leave, of the sports that the caller may see. What is not known leaves nothing. */
export async function textScope(
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

/** The sports that are left by the words of a bet too. */
export const narrowed = (scope: TextScope, sports: readonly SportSlug[] | null): TextScope =>
  sports === null ? scope : { ...scope, sports: scope.sports.filter((sport) => sports.includes(sport)) };
