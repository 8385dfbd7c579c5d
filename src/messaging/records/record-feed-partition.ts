import { isBefore, type Position } from '../../domain/event-sourcing/position.ts';
import type { LogRecord } from '../../domain/event-sourcing/record.ts';
import type { RecordFeedMessage, RecordFeedOptions } from '../../event-log/subscription/record-feed.ts';
import { MergedPartition } from './merged-partition.ts';
import { type RecordMessage, recordFromMessage } from './record-message.ts';
import type { ReadStart } from './topic-ends.ts';

/** What a reader of the feed has of one partition. */
export class RecordFeedPartition {
  readonly number: number;
  readonly name: string;
  /** Taken away, or its reader has ended. */
  isRevoked = false;
  /** Where to go on in each topic. */
  offsets: number[] = [];
  /** Where each ended when it was last read. */
  ends: number[] = [];
  /** Up to here its records are to be read from the log, before anything of the topics is handed over. */
  readLogTo: Position | null = null;
  isReadingLog = false;
  readonly #options: RecordFeedOptions;
  readonly #upcast: (record: LogRecord) => LogRecord;
  readonly #topics: number;
  #merged: MergedPartition;
  #fromLog: LogRecord[] = [];
  #hasBegun = false;
  /** Of the last message that was handed over. */
  #handed: Position | null = null;
  /** Everything up to it was looked at, as far as anybody was told. */
  #looked: Position | null = null;
  /** Where it ended when it began. */
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

  /** Records from the log that wait. */
  get queuedFromLog(): number {
    return this.#fromLog.length;
  }

  /** @param lasts the position of the last message of each topic */
  start(place: Position | null, starts: readonly ReadStart[], lasts: readonly (Position | null)[]): void {
    this.#merged = new MergedPartition(this.#topics, place);
    this.#handed = place;
    this.#looked = place;
    this.offsets = starts.map(({ offset }) => offset);
    this.ends = [...this.offsets];
    for (const { readLogTo = null } of starts)
      if (isBefore(this.readLogTo, readLogTo) && isBefore(place, readLogTo)) this.readLogTo = readLogTo;
    for (const last of lasts) if (isBefore(this.#end, last)) this.#end = last;
    this.#hasBegun = true;
  }

  needsMore(topic: number, enough: number): boolean {
    return this.#hasBegun && !this.isRevoked && this.#merged.bytesOf(topic) < enough;
  }

  /** What was read from `offset` on; taken only where it goes on there. */
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

  /** Records of this partition, perhaps some that it has. */
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
   * What is to be handed over next.
   * @param patience what has been missing since before this time is to be read from the log
   */
  nextMessage(patience: number): RecordFeedMessage | undefined {
    if (!this.#hasBegun) return undefined;
    if (this.#fromLog.length > 0) return this.#handOver(this.#fromLog.splice(0, this.#options.batchSize));
    if (this.readLogTo !== null) return undefined;
    if (this.#hasCaughtUp && this.#merged.size >= this.#options.bufferLimit) {
      this.#hasCaughtUp = false;
      return this.#tell('fell-behind');
    }
    const message = this.#fromTopics(patience);
    if (message) return message;
    const { position } = this.#merged;
    if (this.readLogTo !== null || isBefore(position, this.#end) || this.#merged.size > 0) return undefined;
    // Again where topics began, or were marked, behind what was handed over: nothing is missing up to there.
    if (this.#hasCaughtUp && !isBefore(this.#looked, position)) return undefined;
    this.#hasCaughtUp = true;
    if (isBefore(this.#looked, position)) this.#looked = position;
    return this.#tell('caught-up', this.#looked);
  }

  #fromTopics(patience: number): RecordFeedMessage | undefined {
    const records: (LogRecord | undefined)[] = [];
    let position: Position | undefined;
    while (records.length < this.#options.batchSize) {
      const next = this.#merged.peek();
      if (!next) break;
      if ('missingTo' in next) {
        this.#missing(next.missingTo, next.isCertain, patience);
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

  #missing(to: Position, isCertain: boolean, patience: number): void {
    this.#missingSince ??= performance.now();
    if (!isCertain && this.#missingSince > patience) return;
    this.#missingSince = undefined;
    this.readLogTo = to;
  }

  /** Only what is wanted is read at all. */
  #read(message: RecordMessage): LogRecord | undefined {
    const { types } = this.#options;
    if (types && !types.has(message.headers['type']!)) return undefined;
    return this.#upcast(recordFromMessage(message));
  }

  #handOver(records: readonly LogRecord[]): RecordFeedMessage {
    const { types } = this.#options;
    const wanted = types ? records.filter(({ type }) => types.has(type)) : records;
    return this.#message(wanted, records.at(-1)!.position, records.length);
  }

  #message(records: readonly LogRecord[], position: Position, count: number): RecordFeedMessage {
    const previous = this.#handed;
    this.#handed = position;
    this.#looked = position;
    return { kind: 'records', partition: this.name, records, position, previous, count };
  }

  #tell(kind: 'caught-up' | 'fell-behind', position = this.#handed): RecordFeedMessage {
    return { kind, partition: this.name, position };
  }
}
