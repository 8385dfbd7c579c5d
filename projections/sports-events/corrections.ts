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

/** A correction with its message. `reason`: `identity` if an operator moved messages from event to event. */
type RecordedCorrection = Correction & {
  readonly reason?: 'identity';
  /** Grows with the log; stays the same after a rebuild. */
  readonly id: number;
  readonly source: string;
  readonly at: string;
  readonly recorded_at: string;
};

/** A correction as queried. */
export type CorrectionDocument = RecordedCorrection & {
  readonly event_id: number;
  readonly sport: string;
  readonly league: string;
};

/** The state of a sports event that the next correction needs, and all corrections so far. */
interface CorrectedEvent {
  readonly eventId: number;
  readonly sport: string;
  readonly league: string;
  event: SportsEvent;
  told: RecordedCorrection[];
}

type ScheduleOrScoreRecord = Extract<DomainRecord, { type: 'EventScheduled' | 'ScoreChanged' }>;

const OF_EVENT = 'event:';

/** Changes to sports events that should be stable. Each correction is a table of its own, under its id. */
export const corrections: Projection<CorrectedEvent> = {
  name: 'corrections',
  version: 1,
  types: ['EventScheduled', 'ScoreChanged'],
  key: ({ data }) => `${OF_EVENT}${data.eventId}`,
  apply(document, untyped) {
    const record = untyped as ScheduleOrScoreRecord;
    if (!document) {
      const { eventId, sport, league } = record.data;
      return { eventId, sport, league, event: applyRecord(newSportsEvent(), record), told: [] };
    }
    const after = applyRecord(copyOf(document.event), record);
    document.told.push(...correctionsOf(document, after, record));
    document.event = after;
    return document;
  },
  // What was told stays told, under its id. What the act itself corrects is told as one change.
  restate(before, folded, untyped) {
    if (!before) return folded && { ...folded, told: [] };
    const record = untyped as Extract<DomainRecord, { type: 'EventRestated' }>;
    const after = folded?.event ?? newSportsEvent();
    const isKnown = before.event.schedule !== null && folded !== undefined;
    const told = isKnown ? correctionsOf(before, after, record) : [];
    const added = told.map((correction) => ({ ...correction, reason: 'identity' as const }));
    return { ...before, event: after, told: [...before.told, ...added] };
  },
  tables: {
    // The document keeps all corrections of its event, because it may be stored before its tables.
    rowsOf({ eventId, sport, league, told }: CorrectedEvent, position) {
      const first = firstId(position);
      const rows: TableRow[] = [];
      for (let index = told.length - 1; index >= 0 && told[index]!.id >= first; index--) {
        const { id, ...rest } = told[index]!;
        if (id >= first + CORRECTED_FIELDS.length) continue;
        rows.push([String(id), { id, event_id: eventId, sport, league, ...rest }]);
      }
      return rows.length > 0 ? rows : undefined;
    },
    put: (_, _id, _event, row) => row,
  },
  // Only tables have fields; the documents of events have none.
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

function correctionsOf(
  { sport, event: before }: Pick<CorrectedEvent, 'sport' | 'event'>,
  after: SportsEvent,
  {
    position,
    data,
    recordedAt,
  }: Pick<DomainRecord, 'position' | 'recordedAt'> & {
    readonly data: { readonly source: string; readonly at: string };
  },
): RecordedCorrection[] {
  const origin = { source: data.source, at: formatTime(timeOf(data.at)) };
  const recorded_at = formatTime(Date.parse(recordedAt));
  return findCorrections(sport, before, after).map((correction) => ({
    id: idOf(position, correction.field),
    ...correction,
    ...origin,
    recorded_at,
  }));
}

/** A record corrects each field at most once. */
const firstId = (position: bigint): number => firstIdAt(position, CORRECTED_FIELDS.length);
const idOf = (position: bigint, field: Correction['field']): number =>
  firstId(position) + CORRECTED_FIELDS.indexOf(field);

/** Changes and returns `event`; a late record replaces the state. */
function applyRecord(event: SportsEvent, { type, data }: ScheduleOrScoreRecord): SportsEvent {
  const { late, at, source } = data;
  if (late) return copyOf({ ...late, schedule: late.schedule && startOf(late.schedule) });
  if (type === 'ScoreChanged') return applyScore(event, data);
  return applySchedule(event, { at, source, content: startOf(data.content) });
}

/** A copy to apply records to: they replace schedule and sides. The announced starts are not needed here. */
const copyOf = (event: SportsEvent): SportsEvent => ({
  ...event,
  statusSources: [...event.statusSources],
  starts: [],
});

/** The start and the status of a schedule. */
function startOf(schedule: Partial<ScheduleContent> | NonNullable<SportsEvent['schedule']>): ScheduleContent {
  const { starts_at, starts_at_qualifier, status } = schedule as ScheduleContent;
  return {
    starts_at,
    ...(starts_at_qualifier === undefined ? {} : { starts_at_qualifier }),
    ...(status === undefined ? {} : { status }),
  } as ScheduleContent;
}
