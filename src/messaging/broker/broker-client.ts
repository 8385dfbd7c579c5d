import { UnavailableError } from '../../domain/primitives/domain-errors.ts';

/**
 * What the server needs of a message broker. Only one folder knows which client library it uses. Every method rejects
 * with `BrokerUnavailable` within seconds if the broker does not answer.
 */
export interface BrokerClient {
  /** Creates the missing topics. @returns the present number of partitions of each topic */
  makeTopics(topics: readonly TopicSettings[]): Promise<ReadonlyMap<string, number>>;
  /** A reader has its own connections, because a request that waits for messages delays all requests after it. */
  openReader(topics: readonly string[]): BrokerReader;
  /** Joins a group whose members share the partitions of a topic. */
  joinGroup(options: GroupMemberOptions): GroupMember;
  openProducer(): Producer;
  /** From then on, nothing can be written by processes that opened the same name before. */
  openTransactions(name: string): Promise<Transactions>;
  consume(options: ConsumeOptions): RunningConsumer;
  /** The group's next offset in each partition of a topic; null if nothing is committed. */
  committed(group: string, topic: string): Promise<readonly (number | null)[]>;
  ping(): Promise<void>;
  close(): Promise<void>;
}

export interface TopicSettings {
  readonly topic: string;
  readonly partitions: number;
  readonly retentionMs: number;
  /** The maximum size of a batch of messages. */
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

/** If `partition` is absent, the key decides. */
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
  /** The next offset to fetch. */
  readonly next: number;
  /** The end of the committed messages at the moment of the answer. */
  readonly end: number;
  /** Whether `next` has reached `end`. */
  readonly isAtEnd: boolean;
}

/** The longest `FetchOptions.waitMs`, in milliseconds. */
export const MAX_FETCH_WAIT_MS = 5000;

export interface FetchOptions {
  /** How long the broker may wait for a message, in milliseconds. Other requests of the reader wait as long. */
  readonly waitMs: number;
  /** Ends the wait: the fetch rejects with the signal's reason. */
  readonly signal?: AbortSignal;
  /** For one partition, and for all together. */
  readonly maxBytes: { readonly each: number; readonly all: number };
}

/**
 * `written`: after the last message, even if its transaction is open; `committed`: before the first message of an open
 * transaction.
 */
export type OffsetKind = 'first' | 'written' | 'committed';

export interface BrokerReader {
  /** Returns only messages of committed transactions. */
  fetch(
    spots: readonly (TopicPartition & { readonly offset: number })[],
    options: FetchOptions,
  ): Promise<FetchedMessages[]>;
  /** In the order of `partitions`. */
  offsets(partitions: readonly TopicPartition[], kind: OffsetKind): Promise<number[]>;
  close(): Promise<void>;
}

export interface GroupMemberOptions {
  readonly group: string;
  readonly topic: string;
  /** A member that sends no heartbeat for this long loses its partitions; milliseconds. */
  readonly sessionMs: number;
  readonly onAssigned: (partitions: readonly number[]) => void;
  /** The process is no longer a member, and will not join again. */
  readonly onLost: (error: Error) => void;
}

export interface GroupMember {
  leave(): Promise<void>;
}

export interface Producer {
  /** Resolves when the broker has stored all of them. */
  send(messages: readonly OutgoingMessage[]): Promise<void>;
  close(): Promise<void>;
}

export interface Transactions {
  /**
   * Writes all messages or none, together with the offset of a group.
   * @throws ProducerFenced. After any error this object is useless, and it is unknown whether the messages were
   * written.
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
  /** Called with one batch of a partition at a time. If it rejects, the batch is tried again. */
  readonly onBatch: (batch: ConsumedBatch) => Promise<void>;
  readonly onError: (error: unknown) => void;
}

export interface ConsumedBatch extends TopicPartition {
  readonly messages: readonly ReceivedMessage[];
  /** Whether this process still has the partition, as far as it knows. */
  readonly isAssigned: () => boolean;
  /** Call this several times in a session. Pass on the errors of this and of `commit` unchanged. */
  heartbeat(): Promise<void>;
  /** Moves the group's offset behind the last of these messages. Refused if the partition was taken away. */
  commit(): Promise<void>;
  /** Like `commit`, for an offset that was written in a transaction. */
  markCommitted(): void;
  /** The offset to commit: behind the last of the messages. */
  readonly next: number;
  /** The end of the partition when the messages came. */
  readonly end: number;
}

/** The approximate number of messages that a group has not processed. The ends of transactions count too. */
export interface ConsumerLag extends TopicPartition {
  readonly group: string;
  readonly messages: number;
}

export interface RunningConsumer {
  /** The present partitions of this process. */
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

/** Another process now writes under the same name. All writes of this one are refused for ever. */
export class ProducerFenced extends Error {
  readonly code = 'fenced';
  constructor(cause: unknown) {
    super('another process writes here by now', { cause });
    this.name = 'ProducerFenced';
  }
}
