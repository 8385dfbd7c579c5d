import type { Projection } from '../../src/domain/event-sourcing/projection.ts';
import { timeOf } from '../../src/domain/observations/observation.ts';
import { newSportsEvent, type SportsEvent } from '../../src/domain/sports-events/sports-event.ts';
import { type DomainRecord, streams } from '../../src/domain/streams/domain-events.ts';
import { applyEventRecord, eventIdentityOf } from './event-documents.ts';
import { participatingTeamIds, seasonIdOf } from './events.ts';

/** The filter and sort values of an event, with its last published intelligence. The rest is in `events`. */
export interface IntelligenceDocument {
  id: number;
  sport: string;
  league: string;
  /** The part of its state to which the next record is applied. */
  event: Pick<SportsEvent, 'status' | 'statusSources'>;
  schedule: Pick<NonNullable<SportsEvent['schedule']>, 'starts_at' | 'season' | 'season_year'> | null;
  teamIds: readonly number[];
  /** Absent: nothing published yet. */
  published?: {
    readonly hasRecommend: boolean | null;
    /** Time of the observation that changed it. */
    readonly at: string;
    readonly modelVersion: string | null;
  };
}

/**
 * Separate from `events`: intelligence changes all the time, and cached answers about events stay valid until `events`
 * changes.
 */
export const intelligence: Projection<IntelligenceDocument> = {
  name: 'intelligence',
  version: 2,
  types: ['EventScheduled', 'ScoreChanged', 'IntelligencePublished'],
  key: ({ data }) => String(data.eventId),
  apply(document, untyped) {
    const record = untyped as DomainRecord;
    const next = document ?? newDocument(record);
    switch (record.type) {
      case 'IntelligencePublished': {
        const { has_recommend: hasRecommend, at, model_version: modelVersion } = record.data;
        next.published = { hasRecommend, at, modelVersion };
        break;
      }
      case 'EventScheduled': {
        const { late, content } = record.data;
        setEvent(next, applyEventRecord(eventOf(next), record));
        next.teamIds = participatingTeamIds({ sides: late ? (late.schedule?.sides ?? null) : content.sides });
        break;
      }
      case 'ScoreChanged':
        setEvent(next, applyEventRecord(eventOf(next), record));
    }
    return next;
  },
  fields: {
    sport: { kind: 'string', of: ({ sport }) => sport },
    league: { kind: 'string', of: ({ league }) => league },
    status: { kind: 'string', of: ({ event }) => event.status },
    season_id: { kind: 'number', of: ({ league, schedule }) => seasonIdOf({ league, event: { schedule } }) },
    starts_at: { kind: 'number', of: ({ schedule }) => (schedule ? timeOf(schedule.starts_at) : null) },
    team_ids: { kind: 'many', of: ({ teamIds }) => teamIds },
    has_recommend: { kind: 'boolean', of: ({ published }) => published?.hasRecommend ?? null },
  },
  indexes: [['has_recommend', 'starts_at']],
  streams: (key) => [streams.event(key), streams.intelligence(key)],
};

function newDocument(record: DomainRecord): IntelligenceDocument {
  const { status, statusSources } = newSportsEvent();
  return { ...eventIdentityOf(record), event: { status, statusSources }, schedule: null, teamIds: [] };
}

const eventOf = ({ event, schedule }: IntelligenceDocument): SportsEvent => ({
  ...newSportsEvent(),
  ...event,
  schedule,
});

function setEvent(document: IntelligenceDocument, { status, statusSources, schedule }: SportsEvent): void {
  document.event = { status, statusSources: [...statusSources] };
  document.schedule = schedule && {
    starts_at: schedule.starts_at,
    ...(schedule.season && { season: schedule.season }),
    ...(schedule.season_year !== undefined && { season_year: schedule.season_year }),
  };
}
