import { deserialize, serialize } from 'node:v8';
import type { DomainRecord } from '../domain/domain-events.ts';
import { type Fold, foldOf } from '../domain/fold.ts';
import type { Projection } from '../domain/projection.ts';
import { countUntil, insertPlaced, type Placed, type RecordOrder } from './record-order.ts';

/** Of an entry of the list, with what it holds beside the record. */
const BYTES_OF_PLACED = 64;
/** What a reconfirmation or a late record costs, of which a copy stands in the order of observation. */
const BYTES_OF_COPY = 250;

/** The documents of one projection that some streams feed, as of every moment of one order. */
export class OrderedFold<Doc> {
  readonly #fold: Fold<Doc>;
  readonly #order: RecordOrder;
  readonly #every: number;
  readonly #placed: Placed[] = [];
  /** By number: the documents after the first `every` records, after twice as many, and so on without a gap.
   *  As bytes, for `apply` may change documents in place. */
  readonly #snapshots: Buffer[] = [];
  /** Of each stream, how many records were looked at. */
  readonly #taken: number[] = [];
  #copies = 0;
  #snapshotBytes = 0;

  /** @param every so many records lie between snapshots, and are folded for an answer at most once those are there */
  constructor(projection: Projection<Doc>, order: RecordOrder, every: number) {
    this.#fold = foldOf(projection);
    this.#order = order;
    this.#every = every;
  }

  /** About how much memory it holds beside the records. */
  get bytes(): number {
    return this.#placed.length * BYTES_OF_PLACED + this.#copies * BYTES_OF_COPY + this.#snapshotBytes;
  }

  /** Takes what is new. @param streams the records of each stream from its first on, the streams always in this order */
  extend(streams: readonly (readonly DomainRecord[])[]): void {
    const added: Placed[] = [];
    streams.forEach((records, index) => {
      for (let next = this.#taken[index] ?? 0; next < records.length; next++) {
        const record = records[next]!;
        const placed = this.#order.place(record, (revision) => records[revision]);
        // Not before: a reconfirmation, as it was observed, is of the type that it repeats.
        if (!this.#fold.folds(placed.record.type)) continue;
        if (placed.record !== record) this.#copies++;
        added.push(placed);
      }
      this.#taken[index] = records.length;
    });
    const kept = insertPlaced(this.#placed, added, this.#order);
    // A late one: what was folded before its place still holds.
    for (const snapshot of this.#snapshots.splice(Math.floor(kept / this.#every))) {
      this.#snapshotBytes -= snapshot.byteLength;
    }
  }

  /** The documents by key, from all that stands at or before `moment` (milliseconds). They are the caller's own. */
  at(moment: number): Map<string, Doc> {
    const end = countUntil(this.#placed, moment);
    const from = Math.min(this.#snapshots.length, Math.floor(end / this.#every));
    const documents: Map<string, Doc> = from === 0 ? new Map() : deserialize(this.#snapshots[from - 1]!);
    for (let index = from * this.#every; index < end; ) {
      this.#fold.into(documents, this.#placed[index]!.record);
      index++;
      if (index % this.#every === 0) this.#keep(documents);
    }
    return documents;
  }

  #keep(documents: ReadonlyMap<string, Doc>): void {
    const snapshot = serialize(documents);
    this.#snapshots.push(snapshot);
    this.#snapshotBytes += snapshot.byteLength;
  }
}
