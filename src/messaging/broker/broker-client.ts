import { UnavailableError } from '../../domain/primitives/domain-errors.ts';

/** What is asked of a broker. One folder knows which client asks it. All of it rejects with `BrokerAway` within seconds. */
export interface BrokerClient {
  /** Makes those that are missing. @returns the number of partitions of each topic, as it is now */
  makeTopics(topics: readonly TopicSettings[]): Promise<ReadonlyMap<string, number>>;
  /** With connections of its own: a request that waits for messages holds up what is asked behind it. */
  openReader(topics: readonly string[]): BrokerReader;
  /** Becomes a member of a group that divides the partitions of a topic. */
  joinGroup(options: GroupMemberOptions): GroupMember;
  openProducer(): Producer;
  /** From then on nothing is written by those who opened one of this name before. */
  openTransactions(name: string): Promise<Transactions>;
  consume(options: ConsumeOptions): RunningConsumer;
  /** Where the group goes on in each partition of a topic; null: nothing is committed. */
  committed(group: string, topic: string): Promise<readonly (number | null)[]>;
  ping(): Promise<void>;
  close(): Promise<void>;
}

export interface TopicSettings {
  readonly topic: string;
  readonly partitions: number;
  readonly retentionMs: number;
  /** Largest batch of messages. */
  readonly maxBytes: number;
}

export interface TopicPartition {
  readonly topic: string;
  readonly partition: number;
}

interface Message {
  readonly key: Buffer | string | null;
  readonly value: Buffer | string | null;
  readonly headers?: Readonly<Record<string, string>>;
}

/** `partition` absent: by the key. */
export interface OutgoingMessage extends Message {
  readonly topic: string;
  readonly partition?: number;
}

export interface ReceivedMessage {
  readonly offset: number;
  readonly key: Buffer | null;
  readonly value: Buffer | null;
  readonly headers: Readonly<Record<string, string>>;
}

export interface FetchedMessages extends TopicPartition {
  readonly messages: readonly ReceivedMessage[];
  /** Where to go on. */
  readonly next: number;
  /** Where what is committed ended when this was answered. */
  readonly end: number;
  /** It has reached that. */
  readonly isAtEnd: boolean;
}

export interface FetchOptions {
  /** How long the broker may wait for a message, in milliseconds. */
  readonly waitMs: number;
  /** Of one partition, and of all. */
  readonly maxBytes: { readonly each: number; readonly all: number };
}

/** `written`: behind the last message, of a transaction that has not ended too; `committed`: before the first of these. */
export type OffsetKind = 'first' | 'written' | 'committed';

export interface BrokerReader {
  /** Messages of committed transactions only. */
  fetch(
    spots: readonly (TopicPartition & { readonly offset: number })[],
    options: FetchOptions,
  ): Promise<FetchedMessages[]>;
  /** In the order asked for. */
  offsets(partitions: readonly TopicPartition[], kind: OffsetKind): Promise<number[]>;
  close(): Promise<void>;
}

export interface GroupMemberOptions {
  readonly group: string;
  readonly topic: string;
  /** A member that is silent for so long has its partitions taken away; milliseconds. */
  readonly sessionMs: number;
  readonly onAssigned: (partitions: readonly number[]) => void;
  /** It is a member no longer, and will not be again. */
  readonly onLost: (error: Error) => void;
}

export interface GroupMember {
  leave(): Promise<void>;
}

export interface Producer {
  /** Resolves when all of them are kept. */
  send(messages: readonly OutgoingMessage[]): Promise<void>;
  close(): Promise<void>;
}

export interface Transactions {
  /**
   * Writes all or nothing, with the places of a group.
   * @throws Fenced. After any error this is of no more use, and it is unknown whether they were written.
   */
  write(
    messages: readonly OutgoingMessage[],
    offsets?: { readonly group: string; readonly topic: string; readonly partition: number; readonly next: number },
  ): Promise<void>;
  close(): Promise<void>;
}

export interface ConsumeOptions {
  readonly group: string;
  readonly topic: string;
  readonly sessionMs: number;
  readonly maxBytes: number;
  /** One batch of a partition at a time. What it rejects with is tried again. */
  readonly onBatch: (batch: ConsumedBatch) => Promise<void>;
  readonly onError: (error: unknown) => void;
}

export interface ConsumedBatch extends TopicPartition {
  readonly messages: readonly ReceivedMessage[];
  /** Whether this process still has the partition, as far as it knows. */
  readonly isAssigned: () => boolean;
  /** To be called several times a session. What this and `commit` reject with is to be passed on as it is. */
  heartbeat(): Promise<void>;
  /** The group goes on behind the last of these messages. Refused when the partition was taken away. */
  commit(): Promise<void>;
  /** As `commit`, for what was written with a transaction. */
  markCommitted(): void;
  /** Behind the last of them, as it is committed. */
  readonly next: number;
  /** Where the partition ended when they came. */
  readonly end: number;
}

/** How many messages a group has before it, about: the ends of transactions count too. */
export interface ConsumerLag extends TopicPartition {
  readonly group: string;
  readonly messages: number;
}

export interface RunningConsumer {
  /** The partitions that this process has at this moment. */
  readonly partitions: readonly number[];
  close(): Promise<void>;
}

/** The broker refuses, hangs or answers with errors. */
export class BrokerUnavailable extends UnavailableError {
  readonly engine = 'broker';
  constructor(cause: unknown) {
    super(`broker: ${(cause as Error).message}`, 1, { cause });
    this.name = 'BrokerUnavailable';
  }
}

/** Another one writes under the same name by now: what this one would write is refused, for good. */
export class ProducerFenced extends Error {
  readonly code = 'fenced';
  constructor(cause: unknown) {
    super('another process writes here by now', { cause });
    this.name = 'ProducerFenced';
  }
}
