import type { OperationContext } from '../../../api/calls/operation/operation.ts';
import { listEvents } from '../../../api/operations/events/list-events.ts';
import { timeOf } from '../../../domain/observations/observation.ts';
import { DAY, formatDate } from '../../../domain/primitives/time.ts';
import type { EventListItem, Participant } from '../../../read-models/rendering/event-schemas.ts';
import { type Html, html } from '../../layout/html.ts';
import { emptyState } from '../../layout/states.ts';
import { publicTime } from '../../layout/time-tag.ts';
import { hasEnded, phaseOf } from '../../live/page/view-model/event-phase.ts';
import { stageText } from '../../live/page/view-model/story-text.ts';
import type { KeylessCall } from '../keyless-calls.ts';
import { nearestStart } from './nearest-start.ts';

export type ListedEvent = EventListItem;

/** Days that one list of events may span. */
const SPAN = 90;
const PAGE = 100;

interface PastEvents {
  /** Milliseconds. Default: now. */
  readonly before?: number | undefined;
  readonly wanted: number;
  /** Stretches of three months in which they are looked for, each behind the last event before it. */
  readonly spans: number;
  readonly isWanted: (event: ListedEvent) => boolean;
}

/** Events of a team that have begun, the newest first. */
export async function readPast(
  call: KeylessCall,
  context: OperationContext,
  teamId: number,
  { wanted, spans, isWanted, ...from }: PastEvents,
): Promise<ListedEvent[]> {
  const found: ListedEvent[] = [];
  let before = Math.min(from.before ?? Number.POSITIVE_INFINITY, context.now());
  for (let span = 0; span < spans && found.length < wanted; span++) {
    const last = await nearestStart(context, { team_ids: teamId }, 'before', before);
    if (last === undefined) break;
    const days = { from: formatDate(last - SPAN * DAY), to: formatDate(last) };
    const { events } = await call(listEvents, { team_id: teamId, ...days, include_scores: true, limit: PAGE });
    const earlier = events.filter((event) => timeOf(event.starts_at) < before && isWanted(event));
    found.push(...earlier.reverse());
    before = Date.parse(days.from);
  }
  return found.slice(0, wanted);
}

/** The last results of a team before a moment, the newest first: those of the three months before its last game then. */
export const readResults = (
  call: KeylessCall,
  context: OperationContext,
  teamId: number,
  { wanted, before }: Pick<PastEvents, 'wanted' | 'before'>,
) => readPast(call, context, teamId, { wanted, before, spans: 1, isWanted: ({ status }) => status === 'final' });

/** What a team plays now and next, in order. */
export async function readUpcoming(
  call: KeylessCall,
  teamId: number,
  now: number,
  wanted: number,
  isChosen: (event: ListedEvent) => boolean = () => true,
): Promise<ListedEvent[]> {
  const query = { team_id: teamId, from: formatDate(now - DAY), include_scores: true, limit: PAGE };
  const { events } = await call(listEvents, query);
  return events.filter((event) => !hasEnded(event.status) && isChosen(event)).slice(0, wanted);
}

export const participantName = ({ team, player }: Participant): string => team?.name ?? player?.name ?? '';

/** `27–20`, in the order of the event's name; empty before the start. */
export function scoreText({ name, participants = [] }: ListedEvent): string {
  const sides = [...participants].sort((a, b) => name.indexOf(participantName(a)) - name.indexOf(participantName(b)));
  return sides.every(({ score }) => score !== null) ? sides.map(({ score }) => score).join('–') : '';
}

/** The events of one UTC day: when each begins, its name, and how it stands. */
export const dayList = (events: readonly ListedEvent[]): Html =>
  html`<ul class="matches timed">${events.map(
    (event) =>
      html`<li><span class="about">${publicTime(event.starts_at, 'clock')}</span> <a href="/events/${event.id}">${event.name}</a> ${standing(event)}</li>
`,
  )}</ul>`;

/** `27–20 · 4th Quarter 13:27`; nothing before the start. */
function standing(event: ListedEvent): Html | false {
  const { status, period_label, clock } = event;
  const phase = phaseOf(status);
  if (phase === 'coming') return false;
  const stands = [scoreText(event), stageText({ status, period_label, clock })].filter(Boolean).join(' · ');
  return html`<b${phase === 'live' && html` class="live"`}>${stands}</b>`;
}

/** Events with their times, or with how they stand. */
export const eventList = (events: readonly ListedEvent[], empty: string): Html =>
  events.length === 0
    ? emptyState(empty)
    : html`<ul class="matches">${events.map((event) => {
        const stands = standing(event);
        return html`<li><a href="/events/${event.id}">${event.name}</a> <span class="about">${publicTime(event.starts_at)}${stands && html` · ${stands}`}</span></li>
`;
      })}</ul>`;
