import { deserialize, serialize } from 'node:v8';
import { createFold, type DocumentFold } from '../../domain/event-sourcing/document-fold.ts';
import type { Projection } from '../../domain/event-sourcing/projection.ts';
import type { DomainRecord } from '../../domain/streams/domain-events.ts';
import { createSequentialQueue } from '../../platform/async/concurrency.ts';
import { yieldToEventLoop } from '../../platform/async/yield-to-event-loop.ts';
import type { OrderedRecord, RecordOrder } from './ordered-records.ts';
import { BYTES_PER_LOCATION, OrderedRecords, sortOrdered } from './ordered-records.ts';
import { RECORDS_PER_PAGE, type RecordPages } from './record-pages.ts';

interface AsOfFoldOptions {
  readonly pages: RecordPages;
  readonly order: RecordOrder;
  /** So many records lie between snapshots at first. */
  readonly snapshotEvery: number;
  /** About how much memory the snapshots may take. */
  readonly maxSnapshotBytes: number;
}

/**
 * The documents of one projection that some streams feed, as of every moment of one order. It holds where the records
 * stand and snapshots of what they fold to; the records themselves are read again where they are needed. Work of any
 * length breathes, and one answer is in the making at a time.
 */
export class AsOfFold<Doc> {
  readonly #fold: DocumentFold<Doc>;
  readonly #streams: readonly string[];
  readonly #pages: RecordPages;
  readonly #order: RecordOrder;
  readonly #placed: OrderedRecords;
  readonly #snapshots: FoldSnapshots<Doc>;
  /** Of each stream, how many records were looked at. */
  readonly #taken: number[];
  readonly #oneAtATime = createSequentialQueue();

  constructor(projection: Projection<Doc>, streams: readonly string[], options: AsOfFoldOptions) {
    const { pages, order, snapshotEvery, maxSnapshotBytes } = options;
    this.#fold = createFold(projection);
    this.#streams = streams;
    this.#pages = pages;
    this.#order = order;
    this.#placed = new OrderedRecords(order);
    this.#snapshots = new FoldSnapshots(snapshotEvery, maxSnapshotBytes);
    this.#taken = streams.map(() => 0);
  }

  /** Whether the streams hold nothing. */
  get isEmpty(): boolean {
    return this.#taken.every((count) => count === 0);
  }

  /** About how much memory it holds. */
  get bytes(): number {
    return this.#placed.length * BYTES_PER_LOCATION + this.#snapshots.bytes;
  }

  /** The documents by key, from all that the log holds now and that stands at or before `moment` (milliseconds). They
   *  are the caller's own. Rejects with errors of the log. */
  documentsAt(moment: number): Promise<Map<string, Doc>> {
    return this.#oneAtATime(async () => {
      await this.#extend();
      return this.#until(moment);
    });
  }

  /**
   * Takes what is new at the streams' ends. Where that is much it is folded on the way, while the records are at hand,
   * a page behind, for some come late: else everybody who asks for a moment further on than all before would wait for
   * what lies in between.
   */
  async #extend(): Promise<void> {
    let isMuch = false;
    let folded: FoldState<Doc> | 'outdated' | undefined;
    for (const [stream, name] of this.#streams.entries()) {
      for (;;) {
        const records = await this.#pages.recordsFrom(name, this.#taken[stream]!);
        if (records.length === 0) break;
        const added: OrderedRecord[] = [];
        for (const record of records) {
          const placed = await this.#place(record);
          // Not before: a reconfirmation, as it was observed, is of the type that it repeats.
          if (this.#fold.handles(placed.record.type)) added.push(placed);
        }
        sortOrdered(this.#order, added);
        const known = new Map<number, OrderedRecord>();
        for (const index of this.#placed.indexesOfTies(stream, added)) {
          known.set(index, await this.#place(await this.#stored(index)));
          await yieldToEventLoop();
        }
        // Together: what was taken twice would be counted twice.
        this.#taken[stream]! += records.length;
        const { kept, end } = this.#placed.insert(stream, added, known);
        // A late one: what was folded before its place still holds.
        this.#snapshots.discardAfter(kept);
        // Not from the snapshot before it on: where each page has such a one, all would be folded again for each.
        if (typeof folded === 'object' && folded.count > kept) folded = 'outdated';
        isMuch ||= records.length === RECORDS_PER_PAGE;
        if (isMuch && folded !== 'outdated') {
          folded = await this.#foldOn(folded ?? this.#snapshots.latestUpTo(kept), end - RECORDS_PER_PAGE);
        }
        await yieldToEventLoop();
      }
    }
    const { length } = this.#placed;
    const last = typeof folded === 'object' ? folded : this.#snapshots.latestUpTo(length);
    if (isMuch) await this.#foldOn(last, length);
  }

  async #until(moment: number): Promise<Map<string, Doc>> {
    const end = this.#placed.countUntil(moment);
    return (await this.#foldOn(this.#snapshots.latestUpTo(end), end)).documents;
  }

  /** Changes the documents of `from` in place. */
  async #foldOn({ documents, count }: FoldState<Doc>, end: number): Promise<FoldState<Doc>> {
    for (let index = count; index < end; index++) {
      const record = this.#record(index);
      this.#fold.applyInto(documents, record instanceof Promise ? await record : record);
      this.#snapshots.saveIfDue(documents, index + 1);
      if (index % RECORDS_BETWEEN_BREATHS === 0) await yieldToEventLoop();
    }
    return { documents, count: Math.max(count, end) };
  }

  /** The record at this index of the order, as it is folded. */
  #record(index: number): DomainRecord | Promise<DomainRecord> {
    const record = this.#stored(index);
    if (record instanceof Promise) return record.then((one) => this.#spell(one));
    return this.#spell(record);
  }

  #spell(record: DomainRecord): DomainRecord | Promise<DomainRecord> {
    const original = this.#original(record);
    if (original instanceof Promise) return original.then((one) => this.#order.expand(record, one));
    return this.#order.expand(record, original);
  }

  async #place(record: DomainRecord): Promise<OrderedRecord> {
    return this.#order.toOrdered(record, await this.#original(record));
  }

  #original({ data, stream }: DomainRecord): ReturnType<RecordPages['recordAt']> {
    return this.#order.expandsReconfirmations && 'of' in data ? this.#pages.recordAt(stream, data.of) : undefined;
  }

  #stored(index: number): DomainRecord | Promise<DomainRecord> {
    const { stream, revision } = this.#placed.locationOf(index);
    const name = this.#streams[stream]!;
    const found = (record: DomainRecord | undefined): DomainRecord => {
      if (!record) throw new Error(`stream ${name} has lost its record ${revision}`);
      return record;
    };
    const record = this.#pages.recordAt(name, revision);
    return record instanceof Promise ? record.then(found) : found(record);
  }
}

/** So many records are folded before others may have the event loop. */
const RECORDS_BETWEEN_BREATHS = 16;

/** Documents by key, and after how many records they stand. */
interface FoldState<Doc> {
  readonly documents: Map<string, Doc>;
  readonly count: number;
}

/**
 * The documents after the first so many records of a fold, after twice as many, and so on without a gap: a fold to any
 * place begins at the last one before it. When they grow beyond their bound every second one is let go, so that those
 * of a long history lie further apart.
 */
class FoldSnapshots<Doc> {
  readonly #mostBytes: number;
  #every: number;
  /** As bytes, for `apply` may change documents in place. */
  #kept: Buffer[] = [];
  #bytes = 0;

  /** @param every so many records lie between the first ones */
  constructor(every: number, mostBytes: number) {
    this.#every = every;
    this.#mostBytes = mostBytes;
  }

  get bytes(): number {
    return this.#bytes;
  }

  /** The documents after the first `count` records or fewer, and after how many. They are the caller's own. */
  latestUpTo(count: number): FoldState<Doc> {
    const number = Math.min(this.#kept.length, Math.floor(count / this.#every));
    if (number === 0) return { documents: new Map(), count: 0 };
    return { documents: deserialize(this.#kept[number - 1]!), count: number * this.#every };
  }

  /** Keeps the documents after the first `count` records where one of that place is due. */
  saveIfDue(documents: ReadonlyMap<string, Doc>, count: number): void {
    if (count !== (this.#kept.length + 1) * this.#every) return;
    const snapshot = serialize(documents);
    this.#kept.push(snapshot);
    this.#bytes += snapshot.byteLength;
    while (this.#bytes > this.#mostBytes) this.#thin();
  }

  /** Only what was folded of the first `count` records still holds. */
  discardAfter(count: number): void {
    this.#keep(this.#kept.slice(0, Math.floor(count / this.#every)));
  }

  #thin(): void {
    this.#every *= 2;
    this.#keep(this.#kept.filter((_, index) => index % 2 === 1));
  }

  #keep(kept: Buffer[]): void {
    if (kept.length === this.#kept.length) return;
    this.#kept = kept;
    this.#bytes = kept.reduce((sum, { byteLength }) => sum + byteLength, 0);
  }
}
