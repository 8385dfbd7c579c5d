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
  /** Records between two snapshots at first. */
  readonly snapshotEvery: number;
  /** Approximate memory limit of the snapshots, in bytes. */
  readonly maxSnapshotBytes: number;
}

/**
 * The documents of one projection that some streams feed, as of any moment in one order. It holds the locations of the
 * records and snapshots of the fold; the records are read again when they are needed. Long work yields to the event
 * loop, and one answer is computed at a time.
 */
export class AsOfFold<Doc> {
  readonly #fold: DocumentFold<Doc>;
  readonly #streams: readonly string[];
  readonly #pages: RecordPages;
  readonly #order: RecordOrder;
  readonly #placed: OrderedRecords;
  readonly #snapshots: FoldSnapshots<Doc>;
  /** The number of records read from each stream. */
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

  /** Whether the streams have no records. */
  get isEmpty(): boolean {
    return this.#taken.every((count) => count === 0);
  }

  /** Approximate memory in bytes. */
  get bytes(): number {
    return this.#placed.length * BYTES_PER_LOCATION + this.#snapshots.bytes;
  }

  /**
   * The documents by key, from all records that the log holds now and that are at or before `moment` (milliseconds).
   * The caller may change them. Rejects with errors of the log.
   */
  documentsAt(moment: number): Promise<Map<string, Doc>> {
    return this.#oneAtATime(async () => {
      await this.#extend();
      return this.#until(moment);
    });
  }

  /**
   * Reads the new records of the streams. If many records are new, folds while reading, as long as the records are in
   * memory. The fold stays one page behind, since some records come late. Otherwise every caller who asks for a later
   * moment than all before would wait for the fold of the records in between.
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
          // Only now: in observed order, a reconfirmation has the type of the record that it repeats.
          if (this.#fold.handles(placed.record.type)) added.push(placed);
        }
        sortOrdered(this.#order, added);
        const known = new Map<number, OrderedRecord>();
        for (const index of this.#placed.indexesOfTies(stream, added)) {
          known.set(index, await this.#place(await this.#stored(index)));
          await yieldToEventLoop();
        }
        // No pause between these two steps: otherwise a record could be inserted twice.
        this.#taken[stream]! += records.length;
        const { kept, end } = this.#placed.insert(stream, added, known);
        // After a late record, only the fold before its position is valid.
        this.#snapshots.discardAfter(kept);
        // Do not continue from an earlier snapshot: if each page had a late record, each page would fold everything
        // again.
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

  /** Continues a fold up to `end`. Changes its documents in place. */
  async #foldOn({ documents, count }: FoldState<Doc>, end: number): Promise<FoldState<Doc>> {
    for (let index = count; index < end; index++) {
      const record = this.#record(index);
      this.#fold.applyInto(documents, record instanceof Promise ? await record : record);
      this.#snapshots.saveIfDue(documents, index + 1);
      if (index % RECORDS_BETWEEN_BREATHS === 0) await yieldToEventLoop();
    }
    return { documents, count: Math.max(count, end) };
  }

  /** The record at this index of the order, expanded for the fold. */
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

/** Records folded before others get the event loop. */
const RECORDS_BETWEEN_BREATHS = 16;

/** Documents by key, and the number of records folded into them. */
interface FoldState<Doc> {
  readonly documents: Map<string, Doc>;
  readonly count: number;
}

/**
 * Snapshots of a fold at regular distances, without gaps: a fold to any index begins at the last snapshot before it.
 * When the snapshots exceed their memory limit, every second one is dropped, so that snapshots of a long history are
 * further apart.
 */
class FoldSnapshots<Doc> {
  readonly #mostBytes: number;
  #every: number;
  /** As bytes, since `apply` may change documents in place. */
  #kept: Buffer[] = [];
  #bytes = 0;

  /** @param every records between two snapshots at first */
  constructor(every: number, mostBytes: number) {
    this.#every = every;
    this.#mostBytes = mostBytes;
  }

  get bytes(): number {
    return this.#bytes;
  }

  /** The documents after the first `count` records or fewer, and that number. The caller may change them. */
  latestUpTo(count: number): FoldState<Doc> {
    const number = Math.min(this.#kept.length, Math.floor(count / this.#every));
    if (number === 0) return { documents: new Map(), count: 0 };
    return { documents: deserialize(this.#kept[number - 1]!), count: number * this.#every };
  }

  /** Saves the documents after the first `count` records if a snapshot is due there. */
  saveIfDue(documents: ReadonlyMap<string, Doc>, count: number): void {
    if (count !== (this.#kept.length + 1) * this.#every) return;
    const snapshot = serialize(documents);
    this.#kept.push(snapshot);
    this.#bytes += snapshot.byteLength;
    while (this.#bytes > this.#mostBytes) this.#thin();
  }

  /** Drops snapshots after the first `count` records. */
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
