import type { EventDocument } from '../../../projections/sports-events/events.ts';
import type { StreamReplacements } from '../../domain/identities/stream-replacements.ts';
import { timeOf } from '../../domain/observations/observation.ts';
import { streams } from '../../domain/streams/domain-events.ts';
import { eventName } from '../rendering/render-event.ts';
import type { ClientChange } from './change-mapper.ts';
import type { FoldedStreams } from './folded-streams.ts';

/** The event that a change is about, as it was known after the change. */
export interface ChangeSubject {
  readonly name: string;
  /** Milliseconds; null: no start is known. */
  readonly startsAt: number | null;
  readonly teamIds: readonly number[];
  readonly playerIds: readonly number[];
}

/**
 * Reads the event of a change; null if it has none. For one caller at a time.
 * @param committed a position that the log already has, at that of the change or later
 */
export type ReadSubject = (change: ClientChange, committed: bigint) => Promise<ChangeSubject | null>;

export const createSubjectReader =
  (
    events: Pick<FoldedStreams<EventDocument>, 'throughPosition'>,
    replacements: Pick<StreamReplacements, 'current'>,
  ): ReadSubject =>
  async ({ eventId, position, at }, committed) => {
    if (eventId === null) return null;
    const stream = replacements.current(streams.event(eventId), Date.parse(at));
    const document = await events.throughPosition(stream, String(eventId), position, committed);
    return document?.sides ? subjectOf(document) : null;
  };

/** Nothing of the document is kept: later folds change it. */
function subjectOf(document: EventDocument): ChangeSubject {
  const { schedule } = document.event;
  const sides = document.sides!;
  const idsOf = (kind: 'team' | 'player') =>
    sides.flatMap(({ key, id }) => (id !== null && key.startsWith(`${kind}:`) ? [id] : []));
  const members = sides.flatMap(({ members = [] }) => members.map(({ id }) => id));
  return {
    name: eventName(document),
    startsAt: schedule ? timeOf(schedule.starts_at) : null,
    teamIds: idsOf('team'),
    playerIds: [...idsOf('player'), ...members],
  };
}
