import { type EventDocument, events } from '../../../../projections/sports-events/events.ts';
import { findLeague } from '../../../domain/catalogue/catalogue.ts';
import { timeOf } from '../../../domain/observations/observation.ts';
import { DAY, HOUR } from '../../../domain/primitives/time.ts';
import { hasPlayBegun } from '../../../domain/sports-events/event-results.ts';
import { isOver } from '../../../domain/sports-events/sports-event.ts';
import type { CalendarEvent } from '../../../platform/icalendar.ts';
import { eventName, sideName } from '../../../read-models/rendering/render-event.ts';
import type { OperationContext } from '../../calls/operation/operation.ts';

/** Length of an event whose end is not known. */
const USUAL_LENGTH = 3 * HOUR;

/** An entry for each of these events, in their order. */
export async function readEventCalendar(
  ids: readonly number[],
  { store }: Pick<OperationContext, 'store'>,
): Promise<readonly CalendarEvent[]> {
  const found = await store.getMany<EventDocument>(events.name, ids.map(String));
  return found.flatMap((stored) => (stored?.document.event.schedule ? [entryOf(stored.document)] : []));
}

function entryOf(document: EventDocument): CalendarEvent {
  const { id, league, sport, event, calendar } = document;
  const { starts_at, starts_at_qualifier, venue, competition, round, broadcast } = event.schedule!;
  const start = timeOf(starts_at);
  const place = [venue?.name, venue?.city].filter((part) => part !== undefined);
  const about = [competition?.name ?? findLeague(league)?.name, round, broadcast].filter((part) => part !== undefined);
  return {
    uid: `event-${id}@ledgerline`,
    sequence: calendar.sequence,
    changedAt: timeOf(calendar.at),
    start,
    end: starts_at_qualifier === 'tbd' ? null : endOf(document, start),
    status: statusOf(document),
    summary: eventName(document, (_, index) => sideWithScore(document, index)),
    location: place.length > 0 ? place.join(', ') : null,
    description: about.length > 0 ? about.join(', ') : null,
    categories: [sport],
  };
}

/**
 * A game that was seen in play, and told to be over within a day of its start, ended then. Of an imported result the
 * time is one that its importer assumed, hours after any end; and who sees a game only when it is over knows no end.
 */
function endOf({ event }: EventDocument, start: number): number {
  const isKnown = event.status === 'final' && event.overAt !== null && event.firstLive !== undefined;
  const end = isKnown ? timeOf(event.overAt!) : start;
  return end > start && end < start + DAY ? end : start + USUAL_LENGTH;
}

function statusOf({ event }: EventDocument): CalendarEvent['status'] {
  if (event.status === 'cancelled') return 'CANCELLED';
  return event.status === 'postponed' ? 'TENTATIVE' : 'CONFIRMED';
}

/** The name of a side, after the end with its score. */
function sideWithScore(document: EventDocument, index: 0 | 1): string {
  const name = sideName(document, index);
  const { status, sides } = document.event;
  const { score } = sides[index];
  return isOver(status) && hasPlayBegun(status) && score !== undefined ? `${name} ${score}` : name;
}
