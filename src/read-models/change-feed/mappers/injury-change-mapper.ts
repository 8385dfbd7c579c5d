import type { EventDocument } from '../../../../projections/sports-events/events.ts';
import { injuries } from '../../../../projections/sports-events/injuries.ts';
import {
  monthNumber,
  type TeamMonth,
  teamEntry,
  teamStarts,
} from '../../../../projections/sports-events/team-starts.ts';
import { timeOf } from '../../../domain/observations/observation.ts';
import { DAY } from '../../../domain/primitives/time.ts';
import { availabilityOf } from '../../../domain/sports-events/injury-reports.ts';
import { isOver, startKnownAt } from '../../../domain/sports-events/sports-event.ts';
import { type DomainRecord, streams } from '../../../domain/streams/domain-events.ts';
import { sideName } from '../../rendering/render-event.ts';
import type { ChangeMapper, ChangeMapperParts, MapRecord } from '../change-mapper.ts';
import { createFoldedStreams } from '../folded-streams.ts';

export const injuryChangeMapper: ChangeMapper = {
  changeTypes: ['injury'],
  recordTypes: ['InjuryReported'],
  create: mapInjuries,
};

/**
 * `injury`: one for a report that is material or critical for the next unfinished event of the team. A report that
 * repeats the status, or comes after a later one, changes nothing.
 */
function mapInjuries(parts: ChangeMapperParts): MapRecord {
  const { log, foldCache, breathe } = parts;
  const documents = createFoldedStreams(injuries, log, foldCache, breathe);
  const nextEvent = createNextEventFinder(parts);
  return async (record, isWanted, committed) => {
    const { data, recordedAt, position } = record as Extract<DomainRecord, { type: 'InjuryReported' }>;
    const { sport, teamId, at } = data;
    if (!isWanted('injury', sport)) return [];
    const { playerId, reports } = await documents.after(record);
    if (reports.at(-1)?.revision !== record.revision) return [];
    const event = await nextEvent(teamId, timeOf(at), { position, recordedAt: Date.parse(recordedAt) }, committed);
    if (!event || !isWanted('injury', sport, event.id)) return [];
    const availability = availabilityOf(reports, (time) => timeOf(startKnownAt(event.event, time)!));
    if (!availability || availability.severity === 'info') return [];
    const { player, ...rest } = availability;
    const team = sideName(event, event.sides![0].id === teamId ? 0 : 1);
    const injury = { event_id: event.id, player, player_id: playerId, team, team_id: teamId, ...rest };
    const base = { eventId: event.id, sport, league: event.league, observedAt: at, at: recordedAt, position };
    return [{ ...base, eventType: 'injury', data: injury, index: 0 }];
  };
}

/** An event that began longer ago and was never reported as over counts as forgotten, not as under way. */
const MAX_EVENT_AGE = 7 * DAY;
/** A month of the schedule is one document: mostly the first month has the event. */
const MONTHS_AT_ONCE = 2;

/**
 * Finds the next or current event of a team, in the state before a position of the log: among the events that were not
 * over and began at most a week before `time`, the one with the earliest start; with equal starts, the smallest id.
 * @param time milliseconds
 * @param before the record of the report: its position, and when it was recorded in milliseconds
 * @param committed a position that the log already has, at this position or later
 */
type FindNextEvent = (
  teamId: number,
  time: number,
  before: { readonly position: bigint; readonly recordedAt: number },
  committed: bigint,
) => Promise<EventDocument | undefined>;

function createNextEventFinder({ log, store, events, waitUntilProjected }: ChangeMapperParts): FindNextEvent {
  return async (teamId, time, { position, recordedAt }, committed) => {
    await waitUntilProjected(position);
    const from = time - MAX_EVENT_AGE;
    const checked = new Set<string>();
    let next: { readonly document: EventDocument; readonly start: number } | undefined;
    for (let month = monthNumber(from); ; ) {
      const months = await store.find<TeamMonth>(teamStarts.name, {
        where: { entry: teamEntry(teamId) },
        range: { field: 'month', from: month },
        order: { field: 'month', direction: 'asc' },
        limit: MONTHS_AT_ONCE,
      });
      const candidates = months
        .flatMap(({ document }) => Object.entries(document.events))
        .map(([id, starts]) => ({ id, earliest: starts.find((start) => start >= from) ?? Number.POSITIVE_INFINITY }))
        .sort((a, b) => a.earliest - b.earliest || Number(a.id) - Number(b.id));
      for (const { id, earliest } of candidates) {
        if (next && earliest > next.start) break;
        if (checked.has(id) || earliest === Number.POSITIVE_INFINITY) continue;
        checked.add(id);
        const stream = log.replacements.current(streams.event(Number(id)), recordedAt);
        const document = await events.beforePosition(stream, id, position, committed);
        const start = document && upcomingStartOf(document, teamId);
        if (start === undefined || start < from) continue;
        if (!next || start < next.start || (start === next.start && document!.id < next.document.id)) {
          // The document is safe to keep: the next lookup changes only documents of another stream.
          next = { document: document!, start };
        }
      }
      const last = months.at(-1)?.document.month;
      if (last === undefined || months.length < MONTHS_AT_ONCE || (next && monthNumber(next.start) <= last)) {
        return next?.document;
      }
      month = last + 1;
    }
  };
}

/** The start of the event; undefined if it is over or is not an event of the team. */
function upcomingStartOf({ event, sides }: EventDocument, teamId: number): number | undefined {
  if (!event.schedule || isOver(event.status)) return undefined;
  const isIn = sides?.some(({ key, id }) => id === teamId && key.startsWith('team:'));
  return isIn ? timeOf(event.schedule.starts_at) : undefined;
}
