import { type EventSides, profileOfSide } from '../side-profiles.ts';
import { isOver, type SportsEvent } from './sports-event.ts';

/** How often what a calendar shows of an event has changed, and when it last did. */
export interface CalendarRevision {
  /** From 0. */
  readonly sequence: number;
  /** When the server recorded the last change: ISO 8601. */
  readonly at: string;
}

type Shown = EventSides & { readonly event: SportsEvent };

/** What a calendar shows of an event, as one text. The score counts only after the end: it changes all the time. */
export function calendarFactsOf(document: Shown): string {
  const { schedule, status, overAt, sides } = document.event;
  return JSON.stringify([
    schedule?.starts_at,
    schedule?.starts_at_qualifier,
    schedule?.venue?.name,
    schedule?.venue?.city,
    schedule?.competition?.name,
    schedule?.round,
    schedule?.broadcast,
    profileOfSide(document, 0)?.name,
    profileOfSide(document, 1)?.name,
    status === 'postponed' || isOver(status) ? status : undefined,
    isOver(status) ? [overAt, sides[0].score, sides[1].score] : undefined,
  ]);
}

/** @param before the facts and the revision before a record; undefined: there was no event */
export function nextCalendarRevision(
  before: { readonly facts: string; readonly revision: CalendarRevision } | undefined,
  after: Shown,
  recordedAt: string,
): CalendarRevision {
  if (!before) return { sequence: 0, at: recordedAt };
  if (before.facts === calendarFactsOf(after)) return before.revision;
  return { sequence: before.revision.sequence + 1, at: recordedAt };
}
