import { createHash } from 'node:crypto';
import type { DomainRecord } from '../../domain/streams/domain-events.ts';
import { createSequentialQueue } from '../../platform/async/concurrency.ts';
import { yieldToEventLoop } from '../../platform/async/yield-to-event-loop.ts';
import type { RecordOrder } from './record-orders.ts';
import type { RecordPages } from './record-pages.ts';
import { DEFAULT_SIZES, type FoldStoring, type SealedParts, sealedParts } from './sealed-parts.ts';

const BYTES_PER_TIME = 8;
const VERSION = '2';

/** What tells the record at a revision from that of another log: one restored from a copy may go on differently. */
export const markOf = ({ position, recordedAt }: DomainRecord): string => `${position} ${recordedAt}`;

/**
 * The times of a stream's records by revision, as far as the stream was read. They tell which records a fold needs, and
 * whether it has missed any, without reading the records again.
 */
export class StreamTimes {
  readonly #pages: RecordPages;
  readonly #stream: string;
  readonly #timeOf: (record: DomainRecord) => number;
  readonly #parts: SealedParts | undefined;
  /** Records whose times are stored together, once there are so many. */
  readonly #perBlock: number;
  readonly #queue = createSequentialQueue();
  #times = new Float64Array(0);
  #count = 0;
  /** Of the last full block in the store. */
  #newestNote = '';
  /** Full blocks in the store; undefined: they were not read yet. */
  #stored: number | undefined;

  constructor(
    pages: RecordPages,
    stream: string,
    { name, timeOf }: Pick<RecordOrder, 'name' | 'timeOf'>,
    storing: FoldStoring | undefined,
  ) {
    this.#pages = pages;
    this.#stream = stream;
    this.#timeOf = timeOf;
    this.#perBlock = (storing?.sizes ?? DEFAULT_SIZES).block;
    this.#parts = storing && sealedParts(storing, `times ${name} ${stream}`, VERSION);
  }

  /** The number of records that were read. */
  get count(): number {
    return this.#count;
  }

  /** Approximate memory in bytes. */
  get bytes(): number {
    return BYTES_PER_TIME * this.#times.length;
  }

  /** Milliseconds. */
  at(revision: number): number {
    return this.#times[revision]!;
  }

  /** Reads what the stream has now. Rejects with errors of the log. */
  readNew(): Promise<void> {
    return this.#queue(async () => {
      if (this.#stored === undefined) await this.#load();
      for (;;) {
        const records = await this.#pages.recordsFrom(this.#stream, this.#count);
        if (records.length === 0) break;
        this.#add(records.map(this.#timeOf));
        await yieldToEventLoop();
      }
      await this.#save();
    });
  }

  #add(times: ArrayLike<number>): void {
    const needed = this.#count + times.length;
    if (needed > this.#times.length) {
      const grown = new Float64Array(Math.max(64, needed + (needed >> 2)));
      grown.set(this.#times.subarray(0, this.#count));
      this.#times = grown;
    }
    this.#times.set(times, this.#count);
    this.#count = needed;
  }

  async #load(): Promise<void> {
    this.#stored = 0;
    if (!this.#parts) return;
    const listed = await this.#parts.list();
    const contents = await this.#parts.read(listed);
    let newest = '';
    for (const { place, note } of listed) {
      const content = contents.get(place);
      const isNext = place === this.#stored && note === noteAfter(newest, markIn(note));
      if (!isNext || content?.length !== this.#perBlock * BYTES_PER_TIME) break;
      this.#add(timesOf(content));
      this.#stored++;
      newest = note;
      this.#newestNote = note;
      await yieldToEventLoop();
    }
    if (newest === '') return;
    const last = await this.#pages.recordAt(this.#stream, this.#count - 1);
    if (last && markOf(last) === markIn(newest)) return;
    this.#newestNote = '';
    this.#count = 0;
    this.#stored = 0;
  }

  async #save(): Promise<void> {
    if (!this.#parts) return;
    const blocks = Math.floor(this.#count / this.#perBlock);
    while (this.#stored! < blocks) {
      const place = this.#stored!;
      const end = (place + 1) * this.#perBlock;
      const last = await this.#pages.recordAt(this.#stream, end - 1);
      if (!last) return;
      const times = this.#times.subarray(place * this.#perBlock, end);
      if (!times.every(Number.isSafeInteger)) return;
      const content = bytesOf(times);
      const note = noteAfter(this.#newestNote, markOf(last));
      await this.#parts.write([{ place, note, content }], []);
      this.#newestNote = note;
      this.#stored = place + 1;
    }
  }
}

/** Of a block: what tells its last record, and which blocks come before it. */
const noteAfter = (before: string, mark: string): string =>
  `${createHash('sha256').update(`${before}|${mark}`).digest('base64url').slice(0, 22)} ${mark}`;
const markIn = (note: string): string => note.slice(note.indexOf(' ') + 1);

/** Differences, which are small numbers and mostly alike: what compresses them does the rest. */
function bytesOf(times: Float64Array): Uint8Array {
  const differences = times.map((time, index) => (index === 0 ? time : time - times[index - 1]!));
  return new Uint8Array(differences.buffer);
}

/** The inverse is exact, since times are whole numbers. */
function timesOf(bytes: Buffer): Float64Array {
  const times = new Float64Array(new Uint8Array(bytes).buffer);
  for (let index = 1; index < times.length; index++) times[index]! += times[index - 1]!;
  return times;
}
