import { isBefore, type Position } from '../../domain/event-sourcing/position.ts';
import type { LogRecord } from '../../domain/event-sourcing/record.ts';
import type { RecordFeedMessage, RecordFeedOptions } from '../../event-log/subscription/record-feed.ts';
import { MergedPartition } from './merged-partition.ts';
import { type RecordMessage, recordFromMessage } from './record-message.ts';
import type { ReadStart } from './topic-ends.ts';

/** What a reader of the feed holds of one partition. */
export class RecordFeedPartition {
  readonly number: number;
  readonly name: string;
  /** Whether the partition was taken away, or its reader has ended. */
  isRevoked = false;
  /** The next offset to fetch, by topic. */
  offsets: number[] = [];
  /** The end of each topic when it was last fetched. */
  ends: number[] = [];
  /** Records up to here must be read from the log before any message of the topics is delivered. */
  readLogTo: Position | null = null;
  isReadingLog = false;
  readonly #options: RecordFeedOptions;
  readonly #upcast: (record: LogRecord) => LogRecord;
  readonly #topics: number;
  #merged: MergedPartition;
  #fromLog: LogRecord[] = [];
  #hasBegun = false;
  /** The position of the last message that was delivered. */
  #deliveredTo: Position | null = null;
  /** The reader was told that everything up to here was processed. */
  #reportedTo: Position | null = null;
  /** The end of the partition when reading began. */
  #end: Position | null = null;
  #hasCaughtUp = false;
  #missingSince: number | undefined;

  constructor(number: number, topics: number, options: RecordFeedOptions, upcast: (record: LogRecord) => LogRecord) {
    this.number = number;
    this.name = String(number);
    this.#topics = topics;
    this.#options = options;
    this.#upcast = upcast;
    this.#merged = new MergedPartition(topics, null);
  }

  get bytes(): number {
    return this.#merged.bytes;
  }

  /** Whether the next message cannot be delivered before an earlier one has come, or was missing for too long. */
  get lacksEarlier(): boolean {
    return this.#missingSince !== undefined;
  }

  /** The number of records from the log that are not delivered. */
  get queuedFromLog(): number {
    return this.#fromLog.length;
  }

  /** @param lasts the position of the last message, by topic */
  start(position: Position | null, starts: readonly ReadStart[], lasts: readonly (Position | null)[]): void {
    this.#merged = new MergedPartition(this.#topics, position);
    this.#deliveredTo = position;
    this.#reportedTo = position;
    this.offsets = starts.map(({ offset }) => offset);
    this.ends = [...this.offsets];
    for (const { readLogTo = null } of starts)
      if (isBefore(this.readLogTo, readLogTo) && isBefore(position, readLogTo)) this.readLogTo = readLogTo;
    for (const last of lasts) if (isBefore(this.#end, last)) this.#end = last;
    this.#hasBegun = true;
  }

  needsMore(topic: number, maxBytes: number): boolean {
    return this.#hasBegun && !this.isRevoked && this.#merged.bytesOf(topic) < maxBytes;
  }

  /** Adds fetched messages. Ignored unless `offset` is the next one to fetch. */
  push(
    topic: number,
    offset: number,
    read: { readonly next: number; readonly end: number },
    messages: RecordMessage[],
  ) {
    if (this.offsets[topic] !== offset) return;
    this.offsets[topic] = read.next;
    this.ends[topic] = read.end;
    this.#merged.push(topic, messages);
  }

  /** Adds records of this partition from the log. It may already have some of them. */
  pushFromLog(records: readonly LogRecord[]): void {
    for (const record of records) {
      if (!isBefore(this.#merged.position, record.position)) continue;
      this.#fromLog.push(record);
      this.#merged.position = record.position;
    }
  }

  get last(): Position | null {
    return this.#merged.position;
  }

  finishLogRead(): void {
    if (isBefore(this.#merged.position, this.readLogTo)) this.#merged.position = this.readLogTo;
    this.readLogTo = null;
    this.isReadingLog = false;
  }

  /**
   * The next message to deliver.
   * @param patience a time: records that have been missing since before it are read from the log
   */
  nextMessage(missingBefore: number): RecordFeedMessage | undefined {
    if (!this.#hasBegun) return undefined;
    if (this.#fromLog.length > 0) return this.#deliver(this.#fromLog.splice(0, this.#options.batchSize));
    if (this.readLogTo !== null) return undefined;
    if (this.#hasCaughtUp && this.#merged.size >= this.#options.bufferLimit) {
      this.#hasCaughtUp = false;
      return this.#status('fell-behind');
    }
    const message = this.#nextFromTopics(missingBefore);
    if (message) return message;
    const { position } = this.#merged;
    if (this.readLogTo !== null || isBefore(position, this.#end) || this.#merged.size > 0) return undefined;
    // Report `caught-up` again if the topics begin, or have a marker, after the last delivered message: nothing is
    // missing up to there.
    if (this.#hasCaughtUp && !isBefore(this.#reportedTo, position)) return undefined;
    this.#hasCaughtUp = true;
    if (isBefore(this.#reportedTo, position)) this.#reportedTo = position;
    return this.#status('caught-up', this.#reportedTo);
  }

  #nextFromTopics(missingBefore: number): RecordFeedMessage | undefined {
    const records: (LogRecord | undefined)[] = [];
    let position: Position | undefined;
    while (records.length < this.#options.batchSize) {
      const next = this.#merged.peek();
      if (!next) break;
      if ('missingTo' in next) {
        this.#noteMissing(next.missingTo, next.isCertain, missingBefore);
        break;
      }
      this.#missingSince = undefined;
      if (!next.message.isMarker) {
        try {
          records.push(this.#read(next.message));
        } catch (error) {
          if (records.length > 0) break;
          throw error;
        }
        position = next.message.position;
      }
      this.#merged.removeFirst();
    }
    if (position === undefined) return undefined;
    return this.#message(
      records.filter((record) => record !== undefined),
      position,
      records.length,
    );
  }

  #noteMissing(to: Position, isCertain: boolean, missingBefore: number): void {
    this.#missingSince ??= performance.now();
    if (!isCertain && this.#missingSince > missingBefore) return;
    this.#missingSince = undefined;
    this.readLogTo = to;
  }

  /** Decodes the record only if its type is wanted. */
  #read(message: RecordMessage): LogRecord | undefined {
    const { types } = this.#options;
    if (types && !types.has(message.headers['type']!)) return undefined;
    return this.#upcast(recordFromMessage(message));
  }

  #deliver(records: readonly LogRecord[]): RecordFeedMessage {
    const { types } = this.#options;
    const wanted = types ? records.filter(({ type }) => types.has(type)) : records;
    return this.#message(wanted, records.at(-1)!.position, records.length);
  }

  #message(records: readonly LogRecord[], position: Position, count: number): RecordFeedMessage {
    const previous = this.#deliveredTo;
    this.#deliveredTo = position;
    this.#reportedTo = position;
    return { kind: 'records', partition: this.name, records, position, previous, count };
  }

  #status(kind: 'caught-up' | 'fell-behind', position = this.#deliveredTo): RecordFeedMessage {
    return { kind, partition: this.name, position };
  }
}
