import { tournamentSlug } from '../../src/domain/catalogue/catalogue.ts';
import { scheduledSeasonId } from '../../src/domain/catalogue/scheduled-season.ts';
import { isTennis } from '../../src/domain/catalogue/sport-rules.ts';
import type { Projection } from '../../src/domain/event-sourcing/projection.ts';
import { timeOf } from '../../src/domain/observations/observation.ts';
import { applySides, type EventSides, newSides } from '../../src/domain/side-profiles.ts';
import {
  type CalendarRevision,
  calendarFactsOf,
  nextCalendarRevision,
} from '../../src/domain/sports-events/calendar-revision.ts';
import {
  comparableEventParts,
  type EventProvenance,
  updateProvenance,
} from '../../src/domain/sports-events/provenance.ts';
import { newSportsEvent, type SportsEvent } from '../../src/domain/sports-events/sports-event.ts';
import { type DomainRecord, streams } from '../../src/domain/streams/domain-events.ts';
import { applyEventRecord, eventIdentityOf } from './event-documents.ts';

/** A sports event with its schedule and score, as shown in lists, details, scores and the stream. */
export interface EventDocument extends EventSides {
  id: number;
  sport: string;
  league: string;
  event: SportsEvent;
  /** Times of injury checks that found nothing new, sorted. */
  checks: string[];
  /** When the server recorded the last message about the event. */
  updatedAt: string;
  /** `at` of the newest score message; absent before the first. */
  scoredAt?: string;
  /** The records that last changed the state of the event. */
  grounds: EventProvenance;
  calendar: CalendarRevision;
}

export const events: Projection<EventDocument> = {
  name: 'events',
  version: 5,
  types: [
    'EventScheduled',
    'ScheduleReconfirmed',
    'ScoreChanged',
    'ScoreReconfirmed',
    'ParticipantDescribed',
    'InjuriesChecked',
  ],
  key: ({ data }) => String(data.eventId),
  apply(document, untyped) {
    const record = untyped as DomainRecord;
    const next = document ?? newDocument(record);
    const before = document && comparableEventParts(document.event);
    const shown = document && { facts: calendarFactsOf(document), revision: document.calendar };
    next.event = applyEventRecord(next.event, record);
    switch (record.type) {
      case 'EventScheduled':
        updateProvenance(next.grounds, before, next.event, record);
        next.updatedAt = record.recordedAt;
        break;
      case 'ScoreChanged':
        updateProvenance(next.grounds, before, next.event, record);
        noteScore(next, record.data.at);
        next.updatedAt = record.recordedAt;
        break;
      case 'ScoreReconfirmed':
        noteScore(next, record.data.at);
        next.updatedAt = record.recordedAt;
        break;
      case 'ScheduleReconfirmed':
        next.updatedAt = record.recordedAt;
        break;
      case 'InjuriesChecked':
        next.checks = [...next.checks, record.data.at].sort((a, b) => timeOf(a) - timeOf(b));
        break;
    }
    applySides(next, record);
    next.calendar = nextCalendarRevision(shown, next, record.recordedAt);
    return next;
  },
  fields: {
    sport: { kind: 'string', of: ({ sport }) => sport },
    league: { kind: 'string', of: ({ league }) => league },
    status: { kind: 'string', of: ({ event }) => event.status },
    season_id: { kind: 'number', of: seasonIdOf },
    starts_at: { kind: 'number', of: ({ event }) => (event.schedule ? timeOf(event.schedule.starts_at) : null) },
    team_ids: { kind: 'many', of: participatingTeamIds },
    tournament: { kind: 'string', of: tournamentOf },
    player_ids: { kind: 'many', of: (document) => idsOf(document, 'player') },
  },
  indexes: [
    ['starts_at'],
    ['sport', 'starts_at'],
    ['league', 'starts_at'],
    ['status', 'starts_at'],
    ['sport', 'status', 'starts_at'],
    ['league', 'status', 'starts_at'],
    ['season_id', 'starts_at'],
    ['team_ids', 'starts_at'],
    // A team has thousands of events, but few in one season or upcoming.
    ['team_ids', 'season_id', 'starts_at'],
    ['team_ids', 'status', 'starts_at'],
    ['player_ids', 'starts_at'],
    ['league', 'tournament', 'starts_at'],
  ],
  streams: (key) => [streams.event(key)],
};

function newDocument(record: DomainRecord): EventDocument {
  return {
    ...eventIdentityOf(record),
    event: newSportsEvent(),
    checks: [],
    updatedAt: record.recordedAt,
    grounds: {},
    calendar: { sequence: 0, at: record.recordedAt },
    ...newSides(),
  };
}

/** Sort key by start, for an event with a schedule. */
export const startSortKey = ({ id, event }: EventDocument) => ({ value: timeOf(event.schedule!.starts_at), id });

interface SeasonedEvent {
  readonly league: string;
  readonly event: { readonly schedule: Pick<NonNullable<SportsEvent['schedule']>, 'starts_at' | 'season'> | null };
}

/** The season from the schedule, else from the start; null before a schedule. */
export function seasonIdOf({ league, event }: SeasonedEvent): number | null {
  return event.schedule && scheduledSeasonId(league, event.schedule);
}

/** A late score may be older than others. */
function noteScore(document: EventDocument, at: string): void {
  const { scoredAt } = document;
  if (scoredAt === undefined || timeOf(scoredAt) < timeOf(at)) document.scoredAt = at;
}

/** Whether the event is a tennis doubles match, even if the schedule does not say so. */
export const isDoubles = ({ sides, event }: Pick<EventDocument, 'sides' | 'event'>): boolean =>
  event.schedule?.draw_type === 'doubles' || (sides?.some(({ key }) => key.startsWith('pair:')) ?? false);

/** The tournament of a singles match; null for all other events. */
function tournamentOf(document: EventDocument): string | null {
  const name = document.event.schedule?.competition?.name;
  if (!isTennis(document.sport) || name === undefined || isDoubles(document)) return null;
  return tournamentSlug(name);
}

/** The ids of the teams that play. */
export function participatingTeamIds(event: Pick<EventSides, 'sides'>): number[] {
  return idsOf(event, 'team');
}

function idsOf({ sides }: Pick<EventSides, 'sides'>, kind: 'team' | 'player'): number[] {
  const ids = new Set<number>();
  for (const side of sides ?? []) {
    if (side.id !== null && side.key.startsWith(`${kind}:`)) ids.add(side.id);
    if (kind === 'player') for (const member of side.members ?? []) ids.add(member.id);
  }
  return [...ids];
}
