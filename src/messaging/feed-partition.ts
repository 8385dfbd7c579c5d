import { isBefore, type Position } from '../domain/position.ts';
import type { LogRecord } from '../domain/record.ts';
import type { FeedMessage, FeedOptions } from '../event-log/record-feed.ts';
import { MergedPartition } from './merged-partition.ts';
import { type RecordMessage, recordOf } from './record-message.ts';
import type { Start } from './topic-ends.ts';

/** What a reader of the feed has of one partition. */
export class FeedPartition {
  readonly number: number;
  readonly name: string;
  /** Taken away, or its reader has ended. */
  isOver = false;
  /** Where to go on in each topic. */
  offsets: number[] = [];
  /** Where each ended when it was last read. */
  ends: number[] = [];
  /** Up to here its records are to be read from the log, before anything of the topics is handed over. */
  logTo: Position | null = null;
  isReading = false;
  readonly #options: FeedOptions;
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

  constructor(number: number, topics: number, options: FeedOptions, upcast: (record: LogRecord) => LogRecord) {
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
  get waiting(): number {
    return this.#fromLog.length;
  }

  /** @param lasts the position of the last message of each topic */
  begin(place: Position | null, starts: readonly Start[], lasts: readonly (Position | null)[]): void {
    this.#merged = new MergedPartition(this.#topics, place);
    this.#handed = place;
    this.#looked = place;
    this.offsets = starts.map(({ offset }) => offset);
    this.ends = [...this.offsets];
    for (const { logTo = null } of starts)
      if (isBefore(this.logTo, logTo) && isBefore(place, logTo)) this.logTo = logTo;
    for (const last of lasts) if (isBefore(this.#end, last)) this.#end = last;
    this.#hasBegun = true;
  }

  wants(topic: number, enough: number): boolean {
    return this.#hasBegun && !this.isOver && this.#merged.bytesOf(topic) < enough;
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
      if (!isBefore(this.#merged.last, record.position)) continue;
      this.#fromLog.push(record);
      this.#merged.last = record.position;
    }
  }

  get last(): Position | null {
    return this.#merged.last;
  }

  readToLogEnd(): void {
    if (isBefore(this.#merged.last, this.logTo)) this.#merged.last = this.logTo;
    this.logTo = null;
    this.isReading = false;
  }

  /**
   * What is to be handed over next.
   * @param patience what has been missing since before this time is to be read from the log
   */
  produce(patience: number): FeedMessage | undefined {
    if (!this.#hasBegun) return undefined;
    if (this.#fromLog.length > 0) return this.#handOver(this.#fromLog.splice(0, this.#options.batchSize));
    if (this.logTo !== null) return undefined;
    if (this.#hasCaughtUp && this.#merged.size >= this.#options.bufferLimit) {
      this.#hasCaughtUp = false;
      return this.#tell('fell-behind');
    }
    const message = this.#fromTopics(patience);
    if (message) return message;
    const { last } = this.#merged;
    if (this.logTo !== null || isBefore(last, this.#end) || this.#merged.size > 0) return undefined;
    // Again where topics began, or were marked, behind what was handed over: nothing is missing up to there.
    if (this.#hasCaughtUp && !isBefore(this.#looked, last)) return undefined;
    this.#hasCaughtUp = true;
    if (isBefore(this.#looked, last)) this.#looked = last;
    return this.#tell('caught-up', this.#looked);
  }

  #fromTopics(patience: number): FeedMessage | undefined {
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
      if (!next.message.isMark) {
        try {
          records.push(this.#read(next.message));
        } catch (error) {
          if (records.length > 0) break;
          throw error;
        }
        position = next.message.position;
      }
      this.#merged.take();
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
    this.logTo = to;
  }

  /** Only what is wanted is read at all. */
  #read(message: RecordMessage): LogRecord | undefined {
    const { types } = this.#options;
    if (types && !types.has(message.headers['type']!)) return undefined;
    return this.#upcast(recordOf(message));
  }

  #handOver(records: readonly LogRecord[]): FeedMessage {
    const { types } = this.#options;
    const wanted = types ? records.filter(({ type }) => types.has(type)) : records;
    return this.#message(wanted, records.at(-1)!.position, records.length);
  }

  #message(records: readonly LogRecord[], position: Position, count: number): FeedMessage {
    const previous = this.#handed;
    this.#handed = position;
    this.#looked = position;
    return { kind: 'records', partition: this.name, records, position, previous, count };
  }

  #tell(kind: 'caught-up' | 'fell-behind', position = this.#handed): FeedMessage {
    return { kind, partition: this.name, position };
  }
}
