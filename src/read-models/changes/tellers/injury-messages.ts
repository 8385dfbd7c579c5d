import { injuries } from '../../../../projections/injuries.ts';
import type { DomainRecord } from '../../../domain/domain-events.ts';
import { availabilityOf } from '../../../domain/injuries.ts';
import { timeOf } from '../../../domain/observation.ts';
import { startKnownAt } from '../../../domain/sports-event.ts';
import { sideName } from '../../rendering/event.ts';
import { foldStreams } from '../folded-streams.ts';
import { nextEventOf } from '../next-event.ts';
import type { Tell, Teller, TellerParts } from '../teller.ts';

export const injuryTeller: Teller = {
  tells: ['injury'],
  recordTypes: ['InjuryReported'],
  open: injuryMessages,
};

/**
 * `injury`: one for a report that is material or critical for the team's next event that is not over. Reports that
 * repeat the status, and those that come after a later one, change nothing.
 */
function injuryMessages(parts: TellerParts): Tell {
  const { log, places, breathe } = parts;
  const documents = foldStreams(injuries, log, places, breathe);
  const nextEvent = nextEventOf(parts);
  return async (record, isWanted, committed) => {
    const { data, recordedAt, position } = record as Extract<DomainRecord, { type: 'InjuryReported' }>;
    const { sport, teamId, at } = data;
    if (!isWanted('injury', sport)) return [];
    const { playerId, reports } = await documents.after(record);
    if (reports.at(-1)?.revision !== record.revision) return [];
    const event = await nextEvent(teamId, timeOf(at), position, committed);
    if (!event || !isWanted('injury', sport, event.id)) return [];
    const availability = availabilityOf(reports, (time) => timeOf(startKnownAt(event.event, time)!));
    if (!availability || availability.severity === 'info') return [];
    const { player, ...rest } = availability;
    const team = sideName(event, event.sides![0].id === teamId ? 0 : 1);
    const told = { event_id: event.id, player, player_id: playerId, team, team_id: teamId, ...rest };
    const base = { eventId: event.id, sport, league: event.league, observedAt: at, at: recordedAt, position };
    return [{ ...base, eventType: 'injury', data: told, index: 0 }];
  };
}
