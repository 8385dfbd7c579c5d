import type { IdentityAction } from '../../../domain/feed/identity-message.ts';
import { type Html, html } from '../../layout/html.ts';
import { timeTag } from '../formats.ts';
import type { SignedInRequest } from '../page-route.ts';
import type { ChangedEvents, DoneRow, EventView, TargetRow, ThingRow } from './identity-desk.ts';

// What the page of data says of messages, records and things.

const counted = (count: number, one: string): string => (count === 1 ? `1 ${one}` : `${count} ${one}s`);
export const messagesText = (count: number): string => counted(count, 'message');
const recordsText = (count: number): string => counted(count, 'record');

/** Acts that move records; all others are about messages that wait. */
const MOVES: ReadonlySet<IdentityAction> = new Set(['merge', 'split']);

/** What an act moves. @param action of an undo: the act that it is about in the end */
export const movedText = (action: IdentityAction, count: number): string =>
  MOVES.has(action) ? recordsText(count) : messagesText(count);

const MAX_NAME = 120;
/** Names may be as long as their source likes. */
const short = (text: string): string => (text.length > MAX_NAME ? `${text.slice(0, MAX_NAME)}…` : text);

/** Such as `Cubs – Reds, 2026-07-04T18:20:00Z, mlb (event 2)`, for messages that are text alone. */
export function plainTarget(what: DoneRow['what'], id: number | string, target: TargetRow | undefined): string {
  if (!target) return `${what ?? ''} ${id}`.trim();
  const parts = [short(target.name), target.starts_at, target.league].filter((part) => part !== null);
  return `${parts.join(', ')} (${what} ${id})`;
}

/** The same, with the time in the zone of who reads. */
export function targetText(
  visit: SignedInRequest,
  what: DoneRow['what'],
  id: number | string,
  target: TargetRow | undefined,
): Html {
  if (!target) return html`${what ?? ''} ${id}`;
  const { name, starts_at, league } = target;
  const start = starts_at !== null && html`, ${timeTag(starts_at, visit.session.user.timezone)}`;
  return html`<strong>${name}</strong>${start}${league !== null && `, ${league}`} (${what} ${id})`;
}

/** Sides, start, sources and last score. */
export function thingText(visit: SignedInRequest, { id, name, starts_at, sources, score }: ThingRow): Html {
  const start = starts_at === null ? '' : timeTag(starts_at, visit.session.user.timezone);
  return html`<strong>${name}</strong> (${id}) ${start} ${sources.length > 0 && `of ${sources.join(', ')}`} ${score}`;
}

/** An event as it will be: the schedule that was observed last decides, of whichever source. */
const eventText = (visit: SignedInRequest, { id, name, starts_at, status }: EventView): Html =>
  html`Event ${id} will be ${name}, ${starts_at === null ? 'without a start' : timeTag(starts_at, visit.session.user.timezone)}, ${status}.`;

/** What an act would change. */
export function changeText(visit: SignedInRequest, { becomes, from_becomes }: ChangedEvents): Html {
  const events = [becomes, from_becomes].flatMap((event) => event ?? []);
  if (events.length === 0) return html``;
  return html`<p><strong>${events.map((event) => html`${eventText(visit, event)} `)}</strong>The schedule that was observed last decides, of whichever source.</p>`;
}

/** Of a contract: which bet its Yes is. */
const sideText = (given: URLSearchParams): Html | false => {
  const [side, point] = ['side', 'point'].map((name) => (given.get(name) ?? '').trim());
  return side !== '' && html`, as a bet on ${side}${point !== '' && ` ${point}`}`;
};

/** What an act would do. @param given the fields by which it is asked for */
export function wouldDo(visit: SignedInRequest, row: DoneRow, given: URLSearchParams): Html {
  const { action, what, from, into, moved, target, from_target } = row;
  const to = targetText(visit, what, into ?? '', target);
  const moves = movedText(action, moved.records);
  switch (action) {
    case 'bind':
      return html`${moves} under ${from}, and all later ones, go to ${to}${sideText(given)}.`;
    case 'split': {
      const own = (given.get('into') ?? '').trim() === '' ? `a new ${what}` : to;
      const until = from_target && html` (until now of ${targetText(visit, what, from_target.id, from_target)})`;
      return html`${moves} under ${from}${until}, and all later ones, go to ${own}, until this is undone.`;
    }
    case 'merge':
      return html`${moves} of ${targetText(visit, what, from, from_target)}, and all its refs, go to ${to}. The id ${from} then means ${into}, until this is undone.`;
    case 'alias':
      return html`${to} is known as ${from} too. ${moves} that wait for the name ${moved.records === 1 ? 'is' : 'are'} tried again.`;
    case 'dismiss':
      return dismissText(moved.records);
    case 'undo':
      return html`The act never was, from now on: ${from}${into !== null && html` and ${to}`}. An undo may be undone.`;
  }
}

export const dismissText = (count: number): Html =>
  count === 1
    ? html`1 message is given up. It is listed and tried no more, until this is undone.`
    : html`${messagesText(count)} are given up. They are listed and tried no more, until this is undone.`;

/** What an act has done, for the line above the next page. */
export function doneText({ act, action, what, from, into, moved, target, becomes, from_becomes }: DoneRow): string {
  const about = `${action} ${short(String(from))}${into === null ? '' : `, ${plainTarget(what, into, target)}`}`;
  const changed = [becomes, from_becomes].flatMap((event) => (event ? ` ${isNow(event)}` : []));
  if (act === null) return `It was so already: ${about}.`;
  return `Act ${act} is done: ${about}; it concerns ${movedText(action, moved.records)}.${changed.join('')}`;
}

const isNow = ({ id, name, starts_at, status }: EventView): string =>
  `Event ${id} is now ${short(name)}, ${starts_at ?? 'without a start'}, ${status}.`;
