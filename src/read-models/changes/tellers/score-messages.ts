import type { EventDocument } from '../../../../projections/events.ts';
import { timeOf } from '../../../domain/observation.ts';
import { scoreSnapshot } from '../../rendering/event.ts';
import type { ScoreSnapshot } from '../../rendering/event-schemas.ts';
import type { Tell, Teller, TellerParts } from '../teller.ts';
import type { Told } from '../told.ts';

export const scoreTeller: Teller = {
  tells: ['score', 'status'],
  recordTypes: ['EventScheduled', 'ScoreChanged'],
  open: scoreMessages,
};

/** `score` where a side's score is another one, `status` where the status is: one of each for a record. */
function scoreMessages({ events }: TellerParts): Tell {
  return async (record, isWanted) => {
    const { eventId, sport, league, at } = record.data as {
      readonly eventId: number;
      readonly sport: string;
      readonly league: string;
      readonly at: string;
    };
    const wantsScore = isWanted('score', sport, eventId);
    const wantsStatus = isWanted('status', sport, eventId);
    if (!wantsScore && !wantsStatus) return [];
    const old = await events.before(record);
    // Rendered now: folding the record may change the document in place.
    const clock = timeOf(record.recordedAt);
    const before = shown(old, clock);
    const after = shown(await events.after(record), clock);
    // What has just become known has not changed.
    if (!before || !after) return [];
    const told: Told[] = [];
    const { recordedAt, position } = record;
    const base = { eventId, sport, league, observedAt: at, at: recordedAt, position };
    if (wantsScore && scoresOf(before) !== scoresOf(after)) {
      told.push({ ...base, eventType: 'score', data: { ...after }, index: 0 });
    }
    if (wantsStatus && before.status !== after.status) {
      const data = { event_id: eventId, from: before.status, to: after.status };
      told.push({ ...base, eventType: 'status', data, index: 1 });
    }
    return told;
  };
}

/** @param clock milliseconds: as on every other way out, no time of a recording that lies far ahead of it is shown */
const shown = (document: EventDocument | undefined, clock: number): ScoreSnapshot | undefined =>
  document?.event.schedule ? scoreSnapshot(document, clock) : undefined;

const scoresOf = ({ scores }: ScoreSnapshot): string => JSON.stringify(scores.map(({ role, score }) => [role, score]));
