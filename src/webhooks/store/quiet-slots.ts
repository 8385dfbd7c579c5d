import { WEBHOOK_TYPES } from '../../domain/webhook-types.ts';
import { mergeBodies } from '../formats/stored-alert.ts';
import type { NewMessage } from './webhook-store.ts';

/** When one subscription is told of one event: the last time that is taken, and up to which change it was told. */
export interface QuietSlot {
  readonly subscriptionId: number;
  readonly eventId: number;
  /** Milliseconds. */
  readonly at: number;
  /** The change that was last put into a message. */
  readonly position: bigint;
  readonly index: number;
  /** The message of this time if it waits for its first attempt; null if it has gone. */
  readonly message: WaitingMessage | null;
}

/** A stored message that more changes may be put into. */
interface WaitingMessage {
  readonly id: number;
  readonly eventType: NewMessage['eventType'];
  readonly body: string;
}

/** A message to insert, with the time when it is due. */
export interface SlottedMessage extends NewMessage {
  readonly dueAt: number;
  readonly slot: Pick<QuietSlot, 'position' | 'index'>;
}

export interface QuietPlan {
  /** In order. */
  readonly added: readonly SlottedMessage[];
  /** Stored messages with what they say now, and the change up to which they say it. */
  readonly extended: readonly (Pick<QuietSlot, 'subscriptionId' | 'eventId' | 'position' | 'index'> & {
    readonly message: WaitingMessage;
  })[];
}

/**
 * A message is closed to more changes so long before it is due: the dispatcher may have read it already, and clocks of
 * processes differ. Milliseconds.
 */
const CLOSED_BEFORE = 1000;

/**
 * Puts changes of one subscription and event into messages, such that two messages are due no less than the interval
 * apart. The first change is due at once. What comes within the interval after a message is one message at its end.
 * Changes that were put into a message before are skipped, so that the same changes may be given again.
 * @param slot the last time that is taken; undefined: none
 * @param messages in the order of their changes, each with `quiet`
 */
export function planQuietMessages(slot: QuietSlot | undefined, messages: readonly NewMessage[]): QuietPlan {
  const added: SlottedMessage[] = [];
  let extended: QuietPlan['extended'][number] | undefined;
  let last = slot && { at: slot.at, position: slot.position, index: slot.index };
  for (const message of messages) {
    const { seconds, position, index } = message.quiet!;
    if (last && (position < last.position || (position === last.position && index <= last.index))) continue;
    const at = message.createdAt;
    const isOpen = last !== undefined && at <= last.at - CLOSED_BEFORE;
    const open = added.at(-1);
    const waiting = extended?.message ?? slot?.message;
    if (isOpen && open) {
      added[added.length - 1] = { ...open, ...mergeSaid(open, message), slot: { position, index } };
    } else if (isOpen && waiting) {
      const { subscriptionId, eventId } = slot!;
      extended = { subscriptionId, eventId, position, index, message: { ...waiting, ...mergeSaid(waiting, message) } };
    } else {
      const dueAt = last === undefined ? at : Math.max(at, last.at + seconds * 1000);
      added.push({ ...message, dueAt, slot: { position, index } });
      last = { at: dueAt, position, index };
      continue;
    }
    last = { at: last!.at, position, index };
  }
  return { added, extended: extended ? [extended] : [] };
}

/** What a message says. */
export type Said = Pick<NewMessage, 'eventType' | 'body'>;

/** One delivery has one price: that of the dearest of its changes. */
export const mergeSaid = (one: Said, later: Said): Said => ({
  eventType: creditsOf(later) > creditsOf(one) ? later.eventType : one.eventType,
  body: mergeBodies(one.body, later.body),
});

const creditsOf = ({ eventType }: Said): number => (eventType === 'test' ? 0 : WEBHOOK_TYPES[eventType].credits);
