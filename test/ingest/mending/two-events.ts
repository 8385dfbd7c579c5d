import { arranged, EVENTS, introductions, iso, type Order, type WorldEvent } from '../../system/properties/world.ts';
import type { Message } from '../feed-messages.ts';

/** Games that are two events each: `beta` has them at another time than the other sources. */

/** Farther than the window in which two schedules of the same sides are one event. */
const FAR = 100 * 3_600_000;
export const MINUTE = 60_000;
const later = (time: unknown): string => iso(Date.parse(String(time)) + FAR);
const HOUR = 60 * MINUTE;

/** The game that a message is about; undefined: about none. */
export function gameOf({ ref, match }: Message): WorldEvent | undefined {
  if (ref !== undefined) return EVENTS.find((event) => String(ref).endsWith(event.ref));
  if (match === undefined) return undefined;
  const { sport, starts_at: startsAt } = match as { sport: string; starts_at: string };
  const after = (event: WorldEvent) => Date.parse(startsAt) - event.start;
  return EVENTS.find((event) => event.sport === sport && [HOUR, HOUR + FAR].includes(after(event)));
}

/** What the sources say, but `beta` has every game at another time, so that it is another event; `gamma` at times. */
export function apart(message: Message, index: number): Message {
  const { kind, source, match } = message;
  if (source === 'beta' && kind === 'schedule') return { ...message, starts_at: later(message['starts_at']) };
  if (source !== 'gamma' || match === undefined || index % 2 === 0) return message;
  return { ...message, match: { ...match, starts_at: later((match as { starts_at: string }).starts_at) } };
}

/** The introductions come first, so that nothing waits; `beta` before `alpha` or after. */
export function inOrder(messages: readonly Message[], arrival: Order, isBetaFirst: boolean): Message[] {
  const number = introductions().length;
  const named = messages.slice(0, number);
  const rank = ({ kind, source }: Message) =>
    kind === 'schedule' ? ((source === 'beta') === isBetaFirst ? 1 : 2) : kind === 'odds' ? 3 : 0;
  return [...named.toSorted((a, b) => rank(a) - rank(b)), ...arranged(messages.slice(number), arrival).flat()];
}
