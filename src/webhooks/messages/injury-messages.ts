import { type EventDocument, events } from '../../../projections/events.ts';
import { injuries } from '../../../projections/injuries.ts';
import type { DomainRecord } from '../../domain/domain-events.ts';
import { availabilityOf } from '../../domain/injuries.ts';
import { timeOf } from '../../domain/observation.ts';
import { startKnownAt } from '../../domain/sports-event.ts';
import { sideName } from '../../rendering/event.ts';
import { followStream } from './followed-stream.ts';
import type { Tell, Teller, TellerParts } from './teller.ts';

export const injuryTeller: Teller = {
  tells: ['injury'],
  recordTypes: ['InjuryReported'],
  open: injuryMessages,
};

/** Statuses of an event to come or under way. */
const NOT_OVER = ['scheduled', 'delayed', 'inprogress', 'suspended', 'postponed'];

/**
 * `injury`: one for a report that is material or critical for the team's next event that is not over. Reports that
 * repeat the status, and those that come after a later one, change nothing.
 */
function injuryMessages({ log, store, breathe }: TellerParts): Tell {
  const documents = followStream(injuries, log, breathe);
  return async (record, isWanted) => {
    const { data } = record as Extract<DomainRecord, { type: 'InjuryReported' }>;
    const { sport, teamId } = data;
    if (!isWanted('injury', sport)) return [];
    const { playerId, reports } = await documents.after(record);
    if (reports.at(-1)?.revision !== record.revision) return [];
    const event = await nextEvent(teamId);
    if (!event || !isWanted('injury', sport, event.id)) return [];
    const availability = availabilityOf(reports, (at) => timeOf(startKnownAt(event.event, at)!));
    if (!availability || availability.severity === 'info') return [];
    const { player, ...rest } = availability;
    const team = sideName(event, event.sides![0].id === teamId ? 0 : 1);
    const told = { event_id: event.id, player, player_id: playerId, team, team_id: teamId, ...rest };
    const base = { eventId: event.id, sport, at: record.recordedAt, position: record.position };
    return [{ ...base, eventType: 'injury', data: told, index: 0 }];
  };

  /** By its start, as the read models have it: a restart may find another one, and the message keeps its name. */
  async function nextEvent(teamId: number): Promise<EventDocument | undefined> {
    const found = await Promise.all(
      NOT_OVER.map((status) =>
        store.find<EventDocument>(events.name, {
          where: { team_ids: teamId, status },
          order: { field: 'starts_at', direction: 'asc' },
          limit: 1,
        }),
      ),
    );
    const all = found.flat().map(({ document }) => document);
    const startOf = ({ event }: EventDocument): number => timeOf(event.schedule!.starts_at);
    return all.filter(({ event }) => event.schedule).sort((a, b) => startOf(a) - startOf(b))[0];
  }
}
