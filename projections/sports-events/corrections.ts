import { firstIdAt } from '../../src/domain/event-sourcing/position.ts';
import type { Projection, TableRow } from '../../src/domain/event-sourcing/projection.ts';
import { timeOf } from '../../src/domain/observations/observation.ts';
import { formatTime } from '../../src/domain/primitives/time.ts';
import {
  CORRECTED_FIELDS,
  type Correction,
  findCorrections,
} from '../../src/domain/sports-events/event-corrections.ts';
import {
  applySchedule,
  applyScore,
  newSportsEvent,
  type ScheduleContent,
  type SportsEvent,
} from '../../src/domain/sports-events/sports-event.ts';
import { type DomainRecord, streams } from '../../src/domain/streams/domain-events.ts';

/** A correction with the message that made it. */
type RecordedCorrection = Correction & {
  /** Grows with the log; the same after a rebuild. */
  readonly id: number;
  readonly source: string;
  readonly at: string;
  readonly recorded_at: string;
};

/** A correction as it is looked for. */
export type CorrectionDocument = RecordedCorrection & {
  readonly event_id: number;
  readonly sport: string;
  readonly league: string;
};

/** A sports event, as far as its next correction needs it, and all that it has had. */
interface CorrectedEvent {
  readonly eventId: number;
  readonly sport: string;
  readonly league: string;
  event: SportsEvent;
  told: RecordedCorrection[];
}

type ScheduleOrScoreRecord = Extract<DomainRecord, { type: 'EventScheduled' | 'ScoreChanged' }>;

const OF_EVENT = 'event:';

/** What messages changed of sports events against the rule: a table for each correction, whose key is its id. */
export const corrections: Projection<CorrectedEvent> = {
  name: 'corrections',
  version: 1,
  types: ['EventScheduled', 'ScoreChanged'],
  key: ({ data }) => `${OF_EVENT}${data.eventId}`,
  apply(document, untyped) {
    const record = untyped as ScheduleOrScoreRecord;
    const { position, data, recordedAt } = record;
    if (!document) {
      const { eventId, sport, league } = data;
      return { eventId, sport, league, event: folded(newSportsEvent(), record), told: [] };
    }
    const { sport, event: before } = document;
    const after = folded(copyOf(before), record);
    const said = { source: data.source, at: formatTime(timeOf(data.at)) };
    const recorded_at = formatTime(Date.parse(recordedAt));
    for (const correction of findCorrections(sport, before, after)) {
      document.told.push({ id: idOf(position, correction.field), ...correction, ...said, recorded_at });
    }
    document.event = after;
    return document;
  },
  tables: {
    // All of an event's are kept in its document, since it may have been stored ahead of its tables.
    rowsOf({ eventId, sport, league, told }: CorrectedEvent, position) {
      const first = firstId(position);
      const rows: TableRow[] = [];
      for (let place = told.length - 1; place >= 0 && told[place]!.id >= first; place--) {
        const { id, ...rest } = told[place]!;
        if (id >= first + CORRECTED_FIELDS.length) continue;
        rows.push([String(id), { id, event_id: eventId, sport, league, ...rest }]);
      }
      return rows.length > 0 ? rows : undefined;
    },
    put: (_, _id, _event, row) => row,
  },
  // Nothing is found by a sports event itself.
  fields: {
    day: { kind: 'string', of: (document) => asCorrection(document)?.recorded_at.slice(0, 10) ?? null },
    sport: { kind: 'string', of: (document) => asCorrection(document)?.sport ?? null },
    league: { kind: 'string', of: (document) => asCorrection(document)?.league ?? null },
    event_id: { kind: 'number', of: (document) => asCorrection(document)?.event_id ?? null },
    field: { kind: 'string', of: (document) => asCorrection(document)?.field ?? null },
  },
  indexes: [
    ['day'],
    ['field', 'day'],
    ['sport', 'day'],
    ['sport', 'field', 'day'],
    ['league', 'day'],
    ['league', 'field', 'day'],
    ['event_id', 'day'],
    ['event_id', 'field', 'day'],
  ],
  streams: (key) => [streams.event(key.slice(OF_EVENT.length))],
};

const asCorrection = (document: CorrectedEvent | CorrectionDocument): CorrectionDocument | undefined =>
  'event_id' in document ? document : undefined;

/** A record corrects a field once. */
const firstId = (position: bigint): number => firstIdAt(position, CORRECTED_FIELDS.length);
const idOf = (position: bigint, field: Correction['field']): number =>
  firstId(position) + CORRECTED_FIELDS.indexOf(field);

/** Changes and returns `event`; a late record brings the whole state. */
function folded(event: SportsEvent, { type, data }: ScheduleOrScoreRecord): SportsEvent {
  const { late, at, source } = data;
  if (late) return copyOf({ ...late, schedule: late.schedule && startOf(late.schedule) });
  if (type === 'ScoreChanged') return applyScore(event, data);
  return applySchedule(event, { at, source, content: startOf(data.content) });
}

/** That may be folded on: schedule and sides are replaced then. Which starts were announced is of no use here. */
const copyOf = (event: SportsEvent): SportsEvent => ({
  ...event,
  statusSources: [...event.statusSources],
  starts: [],
});

/** Of a schedule, what tells the start and the status. */
function startOf(schedule: Partial<ScheduleContent> | NonNullable<SportsEvent['schedule']>): ScheduleContent {
  const { starts_at, starts_at_qualifier, status } = schedule as ScheduleContent;
  return {
    starts_at,
    ...(starts_at_qualifier === undefined ? {} : { starts_at_qualifier }),
    ...(status === undefined ? {} : { status }),
  } as ScheduleContent;
}
