import type { DomainRecord } from '../../domain/domain-events.ts';
import { type Fold, foldOf } from '../../domain/fold.ts';
import type { Projection } from '../../domain/projection.ts';
import { breathe } from '../../platform/time/breathe.ts';
import { createOneAtATime } from '../../platform/time/one-at-a-time.ts';
import { BYTES_OF_PLACE, PlacedList, sortPlaced } from './placed-list.ts';
import type { Placed, RecordOrder } from './record-order.ts';
import { PAGE, type RecordPages } from './record-pages.ts';
import { type Folded, Snapshots } from './snapshots.ts';

export interface OrderedFoldOptions {
  readonly pages: RecordPages;
  readonly order: RecordOrder;
  /** So many records lie between snapshots at first. */
  readonly snapshotEvery: number;
  /** About how much memory the snapshots may take. */
  readonly mostSnapshotBytes: number;
}

/**
 * The documents of one projection that some streams feed, as of every moment of one order. It holds where the records
 * stand and snapshots of what they fold to; the records themselves are read again where they are needed. Work of any
 * length breathes, and one answer is in the making at a time.
 */
export class OrderedFold<Doc> {
  readonly #fold: Fold<Doc>;
  readonly #streams: readonly string[];
  readonly #pages: RecordPages;
  readonly #order: RecordOrder;
  readonly #placed: PlacedList;
  readonly #snapshots: Snapshots<Doc>;
  /** Of each stream, how many records were looked at. */
  readonly #taken: number[];
  readonly #oneAtATime = createOneAtATime();

  constructor(projection: Projection<Doc>, streams: readonly string[], options: OrderedFoldOptions) {
    const { pages, order, snapshotEvery, mostSnapshotBytes } = options;
    this.#fold = foldOf(projection);
    this.#streams = streams;
    this.#pages = pages;
    this.#order = order;
    this.#placed = new PlacedList(order);
    this.#snapshots = new Snapshots(snapshotEvery, mostSnapshotBytes);
    this.#taken = streams.map(() => 0);
  }

  /** Whether the streams hold nothing. */
  get isEmpty(): boolean {
    return this.#taken.every((count) => count === 0);
  }

  /** About how much memory it holds. */
  get bytes(): number {
    return this.#placed.length * BYTES_OF_PLACE + this.#snapshots.bytes;
  }

  /** The documents by key, from all that the log holds now and that stands at or before `moment` (milliseconds). They
   *  are the caller's own. Rejects with errors of the log. */
  at(moment: number): Promise<Map<string, Doc>> {
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
    let folded: Folded<Doc> | 'outdated' | undefined;
    for (const [stream, name] of this.#streams.entries()) {
      for (;;) {
        const records = await this.#pages.from(name, this.#taken[stream]!);
        if (records.length === 0) break;
        const added: Placed[] = [];
        for (const record of records) {
          const placed = await this.#place(record);
          // Not before: a reconfirmation, as it was observed, is of the type that it repeats.
          if (this.#fold.folds(placed.record.type)) added.push(placed);
        }
        sortPlaced(this.#order, added);
        const known = new Map<number, Placed>();
        for (const index of this.#placed.alike(stream, added)) {
          known.set(index, await this.#place(await this.#stored(index)));
          await breathe();
        }
        // Together: what was taken twice would be counted twice.
        this.#taken[stream]! += records.length;
        const { kept, end } = this.#placed.insert(stream, added, known);
        // A late one: what was folded before its place still holds.
        this.#snapshots.cut(kept);
        // Not from the snapshot before it on: where each page has such a one, all would be folded again for each.
        if (typeof folded === 'object' && folded.count > kept) folded = 'outdated';
        isMuch ||= records.length === PAGE;
        if (isMuch && folded !== 'outdated') {
          folded = await this.#foldOn(folded ?? this.#snapshots.before(kept), end - PAGE);
        }
        await breathe();
      }
    }
    const { length } = this.#placed;
    const last = typeof folded === 'object' ? folded : this.#snapshots.before(length);
    if (isMuch) await this.#foldOn(last, length);
  }

  async #until(moment: number): Promise<Map<string, Doc>> {
    const end = this.#placed.countUntil(moment);
    return (await this.#foldOn(this.#snapshots.before(end), end)).documents;
  }

  /** Changes the documents of `from` in place. */
  async #foldOn({ documents, count }: Folded<Doc>, end: number): Promise<Folded<Doc>> {
    for (let index = count; index < end; index++) {
      const record = this.#record(index);
      this.#fold.into(documents, record instanceof Promise ? await record : record);
      this.#snapshots.offer(documents, index + 1);
      if (index % TOGETHER === 0) await breathe();
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
    if (original instanceof Promise) return original.then((one) => this.#order.spell(record, one));
    return this.#order.spell(record, original);
  }

  async #place(record: DomainRecord): Promise<Placed> {
    return this.#order.place(record, await this.#original(record));
  }

  #original({ data, stream }: DomainRecord): ReturnType<RecordPages['one']> {
    return this.#order.spellsOut && 'of' in data ? this.#pages.one(stream, data.of) : undefined;
  }

  #stored(index: number): DomainRecord | Promise<DomainRecord> {
    const { stream, revision } = this.#placed.place(index);
    const name = this.#streams[stream]!;
    const found = (record: DomainRecord | undefined): DomainRecord => {
      if (!record) throw new Error(`stream ${name} has lost its record ${revision}`);
      return record;
    };
    const record = this.#pages.one(name, revision);
    return record instanceof Promise ? record.then(found) : found(record);
  }
}

/** So many records are folded before others may have the event loop. */
const TOGETHER = 16;
