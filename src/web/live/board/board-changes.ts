import { filter, map, type Observable } from 'rxjs';
import { odds } from '../../../../projections/odds/odds.ts';
import { type MovementsDocument, oddsMovements } from '../../../../projections/odds/odds-movements.ts';
import { type EventDocument, events } from '../../../../projections/sports-events/events.ts';
import { timeOf } from '../../../domain/observations/observation.ts';
import { formatDate } from '../../../domain/primitives/time.ts';
import type { DocumentChange, DocumentChanges } from '../../../read-models/projector/document-changes.ts';

/** A sports event of which something on the board may look different now. */
export interface BoardChange {
  readonly eventId: number;
  /** The UTC date on which it starts, where the change tells that; null for an event without a schedule. */
  readonly date?: string | null;
}

const dateOf = ({ event }: EventDocument): string | null =>
  event.schedule ? formatDate(timeOf(event.schedule.starts_at)) : null;

const READERS: Readonly<Record<string, (change: DocumentChange) => BoardChange>> = {
  [events.name]: ({ key, document }) => ({ eventId: Number(key), date: dateOf(document as EventDocument) }),
  [odds.name]: ({ key }) => ({ eventId: Number(key) }),
  [oddsMovements.name]: ({ document }) => ({ eventId: (document as MovementsDocument).eventId }),
};

/** Of what each commit of the projections has changed, what the board shows. */
export const toBoardChanges = (changes: Observable<DocumentChanges>): Observable<readonly BoardChange[]> =>
  changes.pipe(
    filter(({ projection }) => Object.hasOwn(READERS, projection)),
    map(({ projection, changes: committed }) => committed.map(READERS[projection]!)),
  );
