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
  readonly #ordered: OrderedRecords;
  readonly #snapshots: FoldSnapshots<Doc>;
  /** The number of records read from each stream. */
  readonly #recordsRead: number[];
  readonly #queue = createSequentialQueue();

  constructor(projection: Projection<Doc>, streams: readonly string[], options: AsOfFoldOptions) {
    const { pages, order, snapshotEvery, maxSnapshotBytes } = options;
    this.#fold = createFold(projection);
    this.#streams = streams;
    this.#pages = pages;
    this.#order = order;
    this.#ordered = new OrderedRecords(order);
    this.#snapshots = new FoldSnapshots(snapshotEvery, maxSnapshotBytes);
    this.#recordsRead = streams.map(() => 0);
  }

  /** Whether the streams have no records. */
  get isEmpty(): boolean {
    return this.#recordsRead.every((count) => count === 0);
  }

  /** Approximate memory in bytes. */
  get bytes(): number {
    return this.#ordered.length * BYTES_PER_LOCATION + this.#snapshots.bytes;
  }

  /**
   * The documents by key, from all records that the log holds now and that are at or before `moment` (milliseconds).
   * The caller may change them. Rejects with errors of the log.
   */
  documentsAt(moment: number): Promise<Map<string, Doc>> {
    return this.#queue(async () => {
      await this.#readNew();
      return this.#documentsUntil(moment);
    });
  }

  /**
   * Reads the new records of the streams. If many records are new, folds while reading, as long as the records are in
   * memory. The fold stays one page behind, since some records come late. Otherwise every caller who asks for a later
   * moment than all before would wait for the fold of the records in between.
   */
  async #readNew(): Promise<void> {
    let isManyNew = false;
    let foldState: FoldState<Doc> | 'outdated' | undefined;
    for (const [stream, name] of this.#streams.entries()) {
      for (;;) {
        const records = await this.#pages.recordsFrom(name, this.#recordsRead[stream]!);
        if (records.length === 0) break;
        const added: OrderedRecord[] = [];
        for (const record of records) {
          const ordered = await this.#toOrdered(record);
          await yieldToEventLoop();
          // Only now: in observed order, a reconfirmation has the type of the record that it repeats.
          if (this.#fold.handles(ordered.record.type)) added.push(ordered);
        }
        sortOrdered(this.#order, added);
        const existing = new Map<number, OrderedRecord>();
        for (const index of this.#ordered.indexesOfTies(stream, added)) {
          existing.set(index, await this.#toOrdered(await this.#recordAt(index)));
          await yieldToEventLoop();
        }
        // No pause between these two steps: otherwise a record could be inserted twice.
        this.#recordsRead[stream]! += records.length;
        const { kept: snapshots, end } = this.#ordered.insert(stream, added, existing);
        // After a late record, only the fold before its position is valid.
        this.#snapshots.discardAfter(snapshots);
        // Do not continue from an earlier snapshot: if each page had a late record, each page would fold everything
        // again.
        if (typeof foldState === 'object' && foldState.count > snapshots) foldState = 'outdated';
        isManyNew ||= records.length === RECORDS_PER_PAGE;
        if (isManyNew && foldState !== 'outdated') {
          foldState = await this.#continueFold(
            foldState ?? this.#snapshots.latestUpTo(snapshots),
            end - RECORDS_PER_PAGE,
          );
        }
        await yieldToEventLoop();
      }
    }
    const { length } = this.#ordered;
    const latest = typeof foldState === 'object' ? foldState : this.#snapshots.latestUpTo(length);
    if (isManyNew) await this.#continueFold(latest, length);
  }

  async #documentsUntil(moment: number): Promise<Map<string, Doc>> {
    const end = this.#ordered.countUntil(moment);
    return (await this.#continueFold(this.#snapshots.latestUpTo(end), end)).documents;
  }

  /** Continues a fold up to `end`. Changes its documents in place. */
  async #continueFold({ documents, count }: FoldState<Doc>, end: number): Promise<FoldState<Doc>> {
    for (let index = count; index < end; index++) {
      const record = this.#record(index);
      this.#fold.applyInto(documents, record instanceof Promise ? await record : record);
      this.#snapshots.saveIfDue(documents, index + 1);
      await yieldToEventLoop();
    }
    return { documents, count: Math.max(count, end) };
  }

  /** The record at this index of the order, expanded for the fold. */
  #record(index: number): DomainRecord | Promise<DomainRecord> {
    const record = this.#recordAt(index);
    if (record instanceof Promise) return record.then((one) => this.#expand(one));
    return this.#expand(record);
  }

  #expand(record: DomainRecord): DomainRecord | Promise<DomainRecord> {
    const original = this.#original(record);
    if (original instanceof Promise) return original.then((one) => this.#order.expand(record, one));
    return this.#order.expand(record, original);
  }

  async #toOrdered(record: DomainRecord): Promise<OrderedRecord> {
    return this.#order.toOrdered(record, await this.#original(record));
  }

  #original({ data, stream }: DomainRecord): ReturnType<RecordPages['recordAt']> {
    return this.#order.expandsReconfirmations && 'of' in data ? this.#pages.recordAt(stream, data.of) : undefined;
  }

  #recordAt(index: number): DomainRecord | Promise<DomainRecord> {
    const { stream, revision } = this.#ordered.locationOf(index);
    const name = this.#streams[stream]!;
    const found = (record: DomainRecord | undefined): DomainRecord => {
      if (!record) throw new Error(`stream ${name} has lost its record ${revision}`);
      return record;
    };
    const record = this.#pages.recordAt(name, revision);
    return record instanceof Promise ? record.then(found) : found(record);
  }
}

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
  readonly #maxBytes: number;
  #recordsBetween: number;
  /** As bytes, since `apply` may change documents in place. */
  #snapshots: Buffer[] = [];
  #bytes = 0;

  /** @param every records between two snapshots at first */
  constructor(recordsBetween: number, maxBytes: number) {
    this.#recordsBetween = recordsBetween;
    this.#maxBytes = maxBytes;
  }

  get bytes(): number {
    return this.#bytes;
  }

  /** The documents after the first `count` records or fewer, and that number. The caller may change them. */
  latestUpTo(count: number): FoldState<Doc> {
    const number = Math.min(this.#snapshots.length, Math.floor(count / this.#recordsBetween));
    if (number === 0) return { documents: new Map(), count: 0 };
    return { documents: deserialize(this.#snapshots[number - 1]!), count: number * this.#recordsBetween };
  }

  /** Saves the documents after the first `count` records if a snapshot is due there. */
  saveIfDue(documents: ReadonlyMap<string, Doc>, count: number): void {
    if (count !== (this.#snapshots.length + 1) * this.#recordsBetween) return;
    const snapshot = serialize(documents);
    this.#snapshots.push(snapshot);
    this.#bytes += snapshot.byteLength;
    while (this.#bytes > this.#maxBytes) this.#dropEverySecond();
  }

  /** Drops snapshots after the first `count` records. */
  discardAfter(count: number): void {
    this.#replace(this.#snapshots.slice(0, Math.floor(count / this.#recordsBetween)));
  }

  #dropEverySecond(): void {
    this.#recordsBetween *= 2;
    this.#replace(this.#snapshots.filter((_, index) => index % 2 === 1));
  }

  #replace(snapshots: Buffer[]): void {
    if (snapshots.length === this.#snapshots.length) return;
    this.#snapshots = snapshots;
    this.#bytes = snapshots.reduce((sum, { byteLength }) => sum + byteLength, 0);
  }
}
