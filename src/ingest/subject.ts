import type { StreamDecider } from '../domain/decider.ts';
import type { DomainEvent, DomainRecord } from '../domain/domain-events.ts';
import type { MessageKind, MessageOf } from '../domain/feed/messages.ts';
import type { LookupHints } from './identities/identities.ts';
import type { Handled, Session } from './session.ts';
import type { StreamOf } from './states/stream-states.ts';

/** What is looked up, gathered from many messages. */
export type Hints = { readonly [Kind in keyof LookupHints]: LookupHints[Kind][number][] };

/** Two names by which a message names the sides of its event. */
export interface NamedSides {
  readonly sport: string;
  readonly names: readonly [string, string];
}

/**
 * What handling a message will look up, so that it is loaded for a whole batch at once. Only speed hangs on it: what
 * is not foreseen here is looked up when it is needed.
 */
export interface Lookups<Message> {
  /** The names of what it is about. */
  names(message: Message, hints: Hints): void;
  /** What may find its event where its source's own id does not. */
  sides?(message: Message): NamedSides | undefined;
  /** The streams, once the names are loaded. */
  streams(session: Session, message: Message): Promise<readonly StreamOf[]>;
  /** Whether two messages look up the same. */
  same?(one: Message, other: Message): boolean;
}

/** What the intake does with messages of one kind. */
export interface MessageRules<Message> {
  handle(session: Session, message: Message): Promise<Handled>;
  readonly lookups: Lookups<Message>;
}

/** A feed message as a record says it again, with whatever else its source has told. */
export type ToldAgain = Readonly<Record<string, unknown>> & { readonly kind: MessageKind };
type RecordOfType<Type extends string> = Extract<DomainRecord, { readonly type: Type }>;

/** Everything that the intake knows of one kind of stream. */
export interface Subject<Kind extends MessageKind = never, Event extends DomainEvent = DomainEvent> {
  readonly decider: StreamDecider<any, any, Event>;
  /** The messages that are about it first of all. */
  readonly messages: { readonly [K in Kind]: MessageRules<MessageOf<K>> };
  /**
   * The message that a record says again, by type; none for what the server found out by itself, or what repeats an
   * earlier record (`of`).
   */
  readonly again: { readonly [Type in Event['type']]?: (record: RecordOfType<Type>) => ToldAgain | undefined };
}

/** A subject whose decider tells which domain events it has. */
export const subject = <Event extends DomainEvent, Kind extends MessageKind = never>(
  it: Subject<Kind, Event>,
): Subject<Kind, Event> => it;

/** As lists hold them. */
export interface AnySubject {
  readonly decider: StreamDecider;
  readonly messages: Readonly<Record<string, MessageRules<any>>>;
  readonly again: Readonly<Record<string, ((record: any) => ToldAgain | undefined) | undefined>>;
}
