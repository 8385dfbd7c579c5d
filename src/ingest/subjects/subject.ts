import type { StreamDecider } from '../../domain/event-sourcing/stream-decider.ts';
import type { MessageKind, MessageOf } from '../../domain/feed/feed-messages.ts';
import type { DomainEvent, DomainRecord } from '../../domain/streams/domain-events.ts';
import type { HandlingResult, IngestSession } from '../binding/ingest-session.ts';
import type { LookupHints } from '../identities/identities.ts';
import type { DeciderStream } from '../states/stream-states.ts';

/** What is looked up, gathered from many messages. */
export type CollectedHints = { readonly [Kind in keyof LookupHints]: LookupHints[Kind][number][] };

/** Two names by which a message names the sides of its event. */
export interface NamedSides {
  readonly sport: string;
  readonly names: readonly [string, string];
}

/**
 * What handling a message will look up, so that it is loaded for a whole batch at once. Only speed hangs on it: what
 * is not foreseen here is looked up when it is needed.
 */
export interface MessageLookups<Message> {
  /** The names of what it is about. */
  addHints(message: Message, hints: CollectedHints): void;
  /** What may find its event where its source's own id does not. */
  sidesOf?(message: Message): NamedSides | undefined;
  /** The streams, once the names are loaded. */
  streamsOf(session: IngestSession, message: Message): Promise<readonly DeciderStream[]>;
  /** Whether two messages look up the same. */
  isSameLookup?(one: Message, other: Message): boolean;
}

/** What the intake does with messages of one kind. */
export interface MessageRules<Message> {
  handle(session: IngestSession, message: Message): Promise<HandlingResult>;
  readonly lookups: MessageLookups<Message>;
}

/** A feed message as a record says it again, with whatever else its source has told. */
export type ReplayedMessage = Readonly<Record<string, unknown>> & { readonly kind: MessageKind };
type RecordOfType<Type extends string> = Extract<DomainRecord, { readonly type: Type }>;

/** Everything that the intake knows of one kind of stream. */
interface Subject<Kind extends MessageKind = never, Event extends DomainEvent = DomainEvent> {
  readonly decider: StreamDecider<any, any, Event>;
  /** The messages that are about it first of all. */
  readonly messages: { readonly [K in Kind]: MessageRules<MessageOf<K>> };
  /**
   * The message that a record says again, by type; none for what the server found out by itself, or what repeats an
   * earlier record (`of`).
   */
  readonly replay: { readonly [Type in Event['type']]?: (record: RecordOfType<Type>) => ReplayedMessage | undefined };
}

/** A subject whose decider tells which domain events it has. */
export const defineSubject = <Event extends DomainEvent, Kind extends MessageKind = never>(
  it: Subject<Kind, Event>,
): Subject<Kind, Event> => it;

/** As lists hold them. */
export interface AnySubject {
  readonly decider: StreamDecider;
  readonly messages: Readonly<Record<string, MessageRules<any>>>;
  readonly replay: Readonly<Record<string, ((record: any) => ReplayedMessage | undefined) | undefined>>;
}
