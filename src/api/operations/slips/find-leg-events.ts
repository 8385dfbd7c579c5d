import { type EventDocument, events } from '../../../../projections/sports-events/events.ts';
import { teamIdsOf } from '../../../domain/event-players.ts';
import { timeOf } from '../../../domain/observations/observation.ts';
import { DAY } from '../../../domain/primitives/time.ts';
import { renderEventSummary } from '../../../read-models/rendering/render-event.ts';
import type { NamedDay } from '../../../text/slips/grammar/day-words.ts';
import { isOnDays, startWindows } from '../../../text/slips/grammar/days-of-events.ts';
import type { EventCandidate, EventResolve } from '../../../text/slips/slip-leg.ts';
import { MAX_CANDIDATES } from '../resolving/resolve-parameters.ts';
import { readDocument } from '../shared/read-documents.ts';
import type { BindingContext, BindingScope } from './binding-context.ts';

/** A side of an event: a team, or a tennis player. */
export interface LegSubject {
  readonly kind: 'team' | 'player';
  readonly id: number;
}

/** More events than any sport has in a few days. */
const MAX_EVENTS = 2000;
/** How far a start may have moved between the moment of the slip and now. */
const MOVED = 30 * DAY;

/** An event as it is or was; undefined if it is unknown. */
export async function readKnownEvent(
  { context, asOf }: BindingContext,
  id: number,
): Promise<EventDocument | undefined> {
  const event = await readDocument<EventDocument>(context, events, String(id), asOf);
  return event?.event.schedule ? event : undefined;
}

/** All events in scope on these days with all these sides; without sides, all events of the sports. */
export async function findLegEvents(
  sides: readonly LegSubject[],
  days: readonly NamedDay[],
  scope: BindingScope,
  reading: BindingContext,
): Promise<readonly EventDocument[]> {
  const found = scope.event ? [scope.event] : await eventsAround(sides, days, scope, reading);
  return found.filter(
    (event) =>
      (scope.sports as readonly string[]).includes(event.sport) &&
      (scope.league === null || event.league === scope.league) &&
      sides.every((side) => sideIndexOf(event, side) >= 0) &&
      isMeant(event, days, scope, reading.moment),
  );
}

/** Without a date, the event of the clue always fits; any other one must start within 72 hours. */
function isMeant(event: EventDocument, days: readonly NamedDay[], scope: BindingScope, moment: number): boolean {
  const startsAt = startOf(event);
  if (days.length > 0) return isOnDays(startsAt, moment, dated(event), days);
  return scope.event !== null || startWindows([], moment).some(({ from, to }) => from <= startsAt && startsAt <= to);
}

async function eventsAround(
  [side]: readonly LegSubject[],
  days: readonly NamedDay[],
  scope: BindingScope,
  reading: BindingContext,
): Promise<readonly EventDocument[]> {
  const { context, asOf, moment } = reading;
  const where = side ? { [side.kind === 'team' ? 'team_ids' : 'player_ids']: side.id } : { sport: scope.sports };
  const moved = asOf ? MOVED : 0;
  const found = new Map<number, EventDocument>();
  const stored = await Promise.all(
    startWindows(days, moment).map(({ from, to }) =>
      context.store.find<EventDocument>(events.name, {
        where,
        range: { field: 'starts_at', from: from - moved, to: to + moved },
        order: { field: 'starts_at', direction: 'asc' },
        limit: MAX_EVENTS,
      }),
    ),
  );
  for (const { document } of stored.flat()) found.set(document.id, document);
  if (!asOf) return [...found.values()];
  const then = await Promise.all([...found.keys()].map((id) => readKnownEvent(reading, id)));
  return then.filter((event) => event !== undefined);
}

/** Index of the side in the event; -1 if it does not play there. */
export function sideIndexOf({ sides }: EventDocument, { kind, id }: LegSubject): number {
  if (kind === 'team') return teamIdsOf(sides).indexOf(id);
  return sides?.findIndex((side) => side.id === id && side.key.startsWith('player:')) ?? -1;
}

const startOf = ({ event }: EventDocument): number => timeOf(event.schedule!.starts_at);
const dated = ({ league, event }: EventDocument) => ({ league, timezone: event.schedule?.venue?.timezone ?? null });

/** Exactly one event must be left. */
export function decideEvent(found: readonly EventDocument[], hasDays: boolean, moment: number): EventResolve {
  const [event, ...others] = found;
  if (!event) {
    const when = hasDays ? 'on that date' : 'within 72 hours; a date would help';
    return eventNotFound(`No event of those who are named is known ${when}.`);
  }
  if (others.length === 0) return { status: 'resolved', event_id: event.id, candidates: [], message: null };
  const nearest = [...found].sort(
    (a, b) => Math.abs(startOf(a) - moment) - Math.abs(startOf(b) - moment) || a.id - b.id,
  );
  return {
    status: 'ambiguous',
    event_id: null,
    candidates: nearest.slice(0, MAX_CANDIDATES).map(candidate),
    message: `${found.length} events fit: ${hasDays ? 'name the opponent, or give its id' : 'a date is missing'}.`,
  };
}

export const eventNotFound = (message: string): EventResolve => ({
  status: 'not_found',
  event_id: null,
  candidates: [],
  message,
});

function candidate(event: EventDocument): EventCandidate {
  const { name, starts_at } = renderEventSummary(event);
  return { event_id: event.id, name, starts_at };
}
