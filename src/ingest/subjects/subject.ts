import type { StreamDecider } from '../../domain/event-sourcing/stream-decider.ts';
import type { MessageKind, MessageOf } from '../../domain/feed/feed-messages.ts';
import type { DomainEvent, DomainRecord } from '../../domain/streams/domain-events.ts';
import type { HandlingResult, IngestSession } from '../binding/ingest-session.ts';
import type { LookupHints } from '../identities/identities.ts';
import type { DeciderStream } from '../states/stream-states.ts';

/** The lookups of many messages. */
export type CollectedHints = { readonly [Kind in keyof LookupHints]: LookupHints[Kind][number][] };

/** The two names that a message has for the sides of its event. */
export interface NamedSides {
  readonly sport: string;
  readonly names: readonly [string, string];
}

/**
 * The lookups that handling a message will need, so that they are loaded for a whole batch at once. It only saves time:
 * a lookup that is missing here is made when it is needed.
 */
export interface MessageLookups<Message> {
  /** Adds the names in the message. */
  addHints(message: Message, hints: CollectedHints): void;
  /** The sides that identify the event if the id of the source does not. */
  sidesOf?(message: Message): NamedSides | undefined;
  /** The streams to load, once the names are loaded. */
  streamsOf(session: IngestSession, message: Message): Promise<readonly DeciderStream[]>;
  /** Whether two messages need the same lookups. */
  isSameLookup?(one: Message, other: Message): boolean;
}

/** How the intake handles messages of one kind. */
export interface MessageRules<Message> {
  handle(session: IngestSession, message: Message): Promise<HandlingResult>;
  readonly lookups: MessageLookups<Message>;
}

/** A feed message rebuilt from a record, with everything that its source reported. */
export type ReplayedMessage = Readonly<Record<string, unknown>> & { readonly kind: MessageKind };
type RecordOfType<Type extends string> = Extract<DomainRecord, { readonly type: Type }>;

/** Everything that the intake knows about one kind of stream. */
interface Subject<Kind extends MessageKind = never, Event extends DomainEvent = DomainEvent> {
  readonly decider: StreamDecider<any, any, Event>;
  /** The kinds of messages that are mainly about this subject. */
  readonly messages: { readonly [K in Kind]: MessageRules<MessageOf<K>> };
  /**
   * Rebuilds the message of a record, by record type. There is none for events that the server derived itself, and none
   * for a record that repeats an earlier one (`of`). The record has the sides in the order of its source (`swap`).
   */
  readonly replay: { readonly [Type in Event['type']]?: (record: RecordOfType<Type>) => ReplayedMessage | undefined };
  /** The content of a record with the sides in the opposite order, by record type: for every report on an event. */
  readonly swap?: { readonly [Type in Event['type']]?: SwapContent<ContentOfType<Type>> };
}

export type SwapContent<Content> = (content: Content, sport: string) => Content;
type ContentOfType<Type extends string> = RecordOfType<Type>['data'] extends { readonly content: infer Content }
  ? Content
  : unknown;

/** Defines a subject; its decider determines its domain events. */
export const defineSubject = <Event extends DomainEvent, Kind extends MessageKind = never>(
  it: Subject<Kind, Event>,
): Subject<Kind, Event> => it;

/** A subject without its type parameters, for lists. */
export interface AnySubject {
  readonly decider: StreamDecider;
  readonly messages: Readonly<Record<string, MessageRules<any>>>;
  readonly replay: Readonly<Record<string, ((record: any) => ReplayedMessage | undefined) | undefined>>;
  readonly swap?: Readonly<Record<string, SwapContent<any> | undefined>>;
}
