import type { BoardEvent } from '../../answers/live-page-answers.ts';
import { STATUS_WORDS } from './status-words.ts';

/** Changes to be read out, by event. A later change replaces an earlier one. */
type PendingAnnouncements = ReadonlyMap<number, BoardEvent>;

/** Whether a change of an event is worth an announcement. */
export const isWorthAnnouncing = (before: BoardEvent, after: BoardEvent): boolean =>
  before.status !== after.status || after.sides.some(({ score }, index) => score !== before.sides[index]?.score);

/** At most this many events are read out at once; for the rest, only their number. */
const MAX_EVENTS = 3;

/** One text for all pending changes. */
export function composeAnnouncement(waiting: PendingAnnouncements): string {
  const events = [...waiting.values()];
  const sentences = events.slice(0, MAX_EVENTS).map(inWords);
  if (events.length > MAX_EVENTS) sentences.push(`And ${events.length - MAX_EVENTS} more changes.`);
  return sentences.join(' ');
}

/** `Chiefs 21, Bills 17. Q3 4:12.` */
function inWords({ sides, status, period_label, clock }: BoardEvent): string {
  const scores = sides.map(({ name, score }) => (score === null ? name : `${name} ${score}`)).join(', ');
  const stage = status === 'inprogress' ? [period_label, clock].filter(Boolean).join(' ') : '';
  return `${scores}. ${stage || STATUS_WORDS[status]}.`;
}
