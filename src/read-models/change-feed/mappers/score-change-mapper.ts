import type { EventDocument } from '../../../../projections/sports-events/events.ts';
import type { LogRecord } from '../../../domain/event-sourcing/record.ts';
import { replacementStream } from '../../../domain/identities/stream-replacements.ts';
import { timeOf } from '../../../domain/observations/observation.ts';
import { streams } from '../../../domain/streams/domain-events.ts';
import { isRestated } from '../../projector/folding/restated-documents.ts';
import type { ScoreSnapshot } from '../../rendering/event-schemas.ts';
import { renderScoreSnapshot } from '../../rendering/render-event.ts';
import type { ChangeMapper, ChangeMapperParts, ClientChange, MapRecord } from '../change-mapper.ts';

export const scoreChangeMapper: ChangeMapper = {
  changeTypes: ['score', 'status'],
  recordTypes: ['EventScheduled', 'ScoreChanged', 'EventRestated'],
  create: mapScores,
};

/**
 * `score` if the score of a side changed, `status` if the status changed: at most one of each for a record. Of an
 * `EventRestated`, what the present streams say of the event against what the former ones said.
 */
function mapScores({ events }: ChangeMapperParts): MapRecord {
  async function snapshotsAt(record: LogRecord, eventId: number, committed: bigint) {
    const { position, recordedAt } = record;
    const clock = timeOf(recordedAt);
    if (!isRestated(record)) {
      const previous = await events.before(record);
      // Render now: folding the record may change the document in place.
      const before = snapshotOf(previous, clock);
      return [before, snapshotOf(await events.after(record), clock)] as const;
    }
    const { previous } = record.data;
    const plain = streams.event(eventId);
    const former = previous === null ? plain : replacementStream(plain, previous);
    const before = snapshotOf(await events.beforePosition(former, String(eventId), position, committed), clock);
    const after = await events.beforePosition(record.stream, String(eventId), position, committed);
    return [before, snapshotOf(after, clock)] as const;
  }

  return async (record, isWanted, committed) => {
    const { eventId, sport, league, at } = record.data as {
      readonly eventId: number;
      readonly sport: string;
      readonly league: string;
      readonly at: string;
    };
    const wantsScore = isWanted('score', sport, eventId);
    const wantsStatus = isWanted('status', sport, eventId);
    if (!wantsScore && !wantsStatus) return [];
    const [before, after] = await snapshotsAt(record, eventId, committed);
    // A value that became known just now has not changed.
    if (!before || !after) return [];
    const changes: ClientChange[] = [];
    const { recordedAt, position } = record;
    const base = { eventId, sport, league, observedAt: at, at: recordedAt, position };
    if (wantsScore && scoresOf(before) !== scoresOf(after)) {
      changes.push({ ...base, eventType: 'score', data: { ...after }, index: 0 });
    }
    if (wantsStatus && before.status !== after.status) {
      const data = { event_id: eventId, from: before.status, to: after.status };
      changes.push({ ...base, eventType: 'status', data, index: 1 });
    }
    return changes;
  };
}

/** @param clock milliseconds: a recording time far ahead of it is not shown, as everywhere in the API */
const snapshotOf = (document: EventDocument | undefined, clock: number): ScoreSnapshot | undefined =>
  document?.event.schedule ? renderScoreSnapshot(document, clock) : undefined;

const scoresOf = ({ scores }: ScoreSnapshot): string => JSON.stringify(scores.map(({ role, score }) => [role, score]));
