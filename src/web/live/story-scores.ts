import { type EventDocument, events } from '../../../projections/events.ts';
import type { Projection } from '../../domain/projection.ts';
import { scoreSnapshot } from '../../read-models/rendering/event.ts';
import { DEMO, inShownOrder } from './board-event.ts';
import type { ScorePoint } from './live-answers.ts';

/** How an event has come to stand as it does. */
export interface ScoreStory {
  event: EventDocument;
  /** Whether the demo told any of it. */
  isSimulated: boolean;
  readonly points: ScorePoint[];
  /** What the last point shows, the clock left out. */
  mark: string;
}

/**
 * How the event stood after each message that changed its status, its period or a score; the clock alone is none. In
 * the order in which they were observed. It is never stored: histories fold it.
 */
export const scoreStory: Projection<ScoreStory> = {
  name: 'story-scores',
  version: 1,
  types: events.types,
  key: events.key,
  apply(document, record) {
    const event = events.apply(document?.event, record);
    const next = document ?? { event, isSimulated: false, points: [], mark: '' };
    next.event = event;
    next.isSimulated ||= record.data.source === DEMO;
    if (!event.event.schedule) return next;
    const { status, period_label, clock, scores } = scoreSnapshot(event);
    const shown = inShownOrder(event.sport, [scores[0]!.score, scores[1]!.score]);
    const mark = JSON.stringify([status, period_label, shown]);
    if (mark !== next.mark) next.points.push({ at: record.data.at, status, period_label, clock, scores: shown });
    next.mark = mark;
    return next;
  },
  fields: {},
  indexes: [],
  streams: events.streams!,
};
