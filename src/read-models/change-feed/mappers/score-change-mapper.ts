import type { EventDocument } from '../../../../projections/sports-events/events.ts';
import type { ScoreMoment } from '../../../domain/alerts/alert-filter.ts';
import type { LogRecord } from '../../../domain/event-sourcing/record.ts';
import { replacementStream } from '../../../domain/identities/stream-replacements.ts';
import { timeOf } from '../../../domain/observations/observation.ts';
import { streams } from '../../../domain/streams/domain-events.ts';
import { type EventRestatedRecord, isEventRestated } from '../../projector/folding/restated-documents.ts';
import type { ScoreSnapshot } from '../../rendering/event-schemas.ts';
import { renderScoreSnapshot } from '../../rendering/render-event.ts';
import type { ChangeMapper, ChangeMapperParts, ClientChange, MapRecord } from '../change-mapper.ts';
import { gameStateOf, momentsBetween } from '../score-moments.ts';

const RECORDS = ['EventScheduled', 'ScoreChanged'];

export const scoreChangeMapper: ChangeMapper = {
  changeTypes: ['score', 'status'],
  recordTypes: [...RECORDS, 'EventRestated'],
  create: mapScores,
};

/** For people: the start and the end of a game, and moments that no score and no status tells. */
export const gameMomentMapper: ChangeMapper = {
  changeTypes: ['event_start', 'event_final', 'score'],
  recordTypes: RECORDS,
  create: mapGameMoments,
};

/**
 * `score` if the score of a side changed, `status` if the status changed: at most one of each for a record. Of an
 * `EventRestated`, what the present streams say of the event against what the former ones said.
 */
function mapScores(parts: ChangeMapperParts): MapRecord {
  return async (record, isWanted, committed) => {
    const { eventId, sport } = record.data as EventData;
    const wantsScore = isWanted('score', sport, eventId);
    const wantsStatus = isWanted('status', sport, eventId);
    if (!wantsScore && !wantsStatus) return [];
    const step = await stepOf(parts, record, committed);
    if (!step) return [];
    const { base, before, after } = step;
    const changes: ClientChange[] = [];
    if (wantsScore && hasScored(step)) {
      changes.push({ ...base, eventType: 'score', data: { ...after }, index: 0 });
    }
    if (wantsStatus && before.status !== after.status) {
      const data = { event_id: eventId, from: before.status, to: after.status };
      changes.push({ ...base, eventType: 'status', data, index: 1 });
    }
    return changes;
  };
}

/**
 * `event_start` and `event_final`. A period that ends, or a close game that becomes late, is a `score` of its own if no
 * score changed with it: only who asks for such a moment is told.
 */
function mapGameMoments(parts: ChangeMapperParts): MapRecord {
  return async (record, isWanted, committed) => {
    const { eventId, sport } = record.data as EventData;
    const wants = (type: 'event_start' | 'event_final' | 'score') => isWanted(type, sport, eventId);
    if (!wants('event_start') && !wants('event_final') && !wants('score')) return [];
    const step = await stepOf(parts, record, committed);
    if (!step) return [];
    const { base, before, after, wasCloseLate } = step;
    const changes: ClientChange[] = [];
    if (wants('event_start') && NOT_BEGUN.has(before.status) && after.status === 'inprogress') {
      changes.push({ ...base, eventType: 'event_start', data: { ...after }, index: 0 });
    }
    if (wants('event_final') && base.score.moments.includes('final')) {
      changes.push({ ...base, eventType: 'event_final', data: { ...after }, index: 1 });
    }
    const silent = hasScored(step)
      ? []
      : base.score.moments.filter((moment) => moment === 'period_end' || (moment === 'close_late' && !wasCloseLate));
    if (wants('score') && silent.length > 0) {
      const score = { before, moments: silent };
      changes.push({ ...base, score, eventType: 'score', data: { ...after }, index: 2 });
    }
    return changes;
  };
}

const NOT_BEGUN: ReadonlySet<string> = new Set(['scheduled', 'delayed', 'postponed']);

interface EventData {
  readonly eventId: number;
  readonly sport: string;
  readonly league: string;
  readonly at: string;
}

/** What a record made of a game. */
interface GameStep {
  /** What all changes of the record share. */
  readonly base: Omit<ClientChange, 'eventType' | 'data' | 'index' | 'score'> & Required<Pick<ClientChange, 'score'>>;
  readonly before: ScoreSnapshot;
  readonly after: ScoreSnapshot;
  readonly wasCloseLate: boolean;
}

/** Undefined without a schedule: a value that became known just now has not changed. */
async function stepOf(
  { events }: ChangeMapperParts,
  record: LogRecord,
  committed: bigint,
): Promise<GameStep | undefined> {
  const { eventId, sport, league, at } = record.data as EventData;
  const { recordedAt, position } = record;
  const documentOf = (stream: string) => events.beforePosition(stream, String(eventId), position, committed);
  const previous = isEventRestated(record) ? await documentOf(formerStream(record)) : await events.before(record);
  // Render now: folding the record may change the document in place.
  const clock = timeOf(recordedAt);
  const before = snapshotOf(previous, clock);
  const stateBefore = previous && gameStateOf(previous);
  const document = isEventRestated(record) ? await documentOf(record.stream) : await events.after(record);
  const after = snapshotOf(document, clock);
  if (!document || !before || !after || !stateBefore) return undefined;
  const moments: readonly ScoreMoment[] = momentsBetween(stateBefore, gameStateOf(document));
  const score = { before, moments };
  const base = { eventId, sport, league, observedAt: at, at: recordedAt, position, score };
  return { base, before, after, wasCloseLate: stateBefore.isCloseLate };
}

/** The stream that held the event before this record. */
const formerStream = ({ data: { eventId, previous } }: EventRestatedRecord): string =>
  replacementStream(streams.event(eventId), previous);

const hasScored = ({ before, after }: GameStep): boolean => scoresOf(before) !== scoresOf(after);

/** @param clock milliseconds: a recording time far ahead of it is not shown, as everywhere in the API */
const snapshotOf = (document: EventDocument | undefined, clock: number): ScoreSnapshot | undefined =>
  document?.event.schedule ? renderScoreSnapshot(document, clock) : undefined;

const scoresOf = ({ scores }: ScoreSnapshot): string => JSON.stringify(scores.map(({ role, score }) => [role, score]));
