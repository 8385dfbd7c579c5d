import { filter, map, type Observable } from 'rxjs';
import { odds } from '../../../../projections/odds/odds.ts';
import { eventOfMovements, oddsMovements } from '../../../../projections/odds/odds-movements.ts';
import { type EventDocument, events } from '../../../../projections/sports-events/events.ts';
import { timeOf } from '../../../domain/observations/observation.ts';
import { formatDate } from '../../../domain/primitives/time.ts';
import type { DocumentChange, DocumentChanges } from '../../../read-models/projector/document-changes.ts';

/** A sports event whose entry on the board may have changed. */
export interface BoardChange {
  readonly eventId: number;
  /** The UTC date of the start, if the change contains it; null for an event without a schedule. */
  readonly date?: string | null;
}

const dateOf = ({ event }: EventDocument): string | null =>
  event.schedule ? formatDate(timeOf(event.schedule.starts_at)) : null;

const READERS: Readonly<Record<string, (change: DocumentChange) => BoardChange>> = {
  [events.name]: ({ key, document }) => ({
    eventId: Number(key),
    date: document === undefined ? null : dateOf(document as EventDocument),
  }),
  [odds.name]: ({ key }) => ({ eventId: Number(key) }),
  [oddsMovements.name]: ({ key }) => ({ eventId: eventOfMovements(key) }),
};

/** Picks from each commit of the projections the changes that the board may show. */
export const toBoardChanges = (changes: Observable<DocumentChanges>): Observable<readonly BoardChange[]> =>
  changes.pipe(
    filter(({ projection }) => Object.hasOwn(READERS, projection)),
    map(({ projection, changes: committed }) => committed.map(READERS[projection]!)),
  );
