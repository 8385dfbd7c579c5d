import type { DomainRecord } from '../../domain/streams/domain-events.ts';
import type { Awaitable } from '../../platform/async/awaitable.ts';
import { createSequentialQueue } from '../../platform/async/concurrency.ts';
import { yieldToEventLoop } from '../../platform/async/yield-to-event-loop.ts';
import { type FoldPlace, FoldSnapshots } from './fold-snapshots.ts';
import { RECORD_ORDERS, type RecordOrder } from './record-orders.ts';
import type { RecordPages } from './record-pages.ts';
import type { FoldStoring } from './sealed-parts.ts';
import { markOf, StreamTimes } from './stream-times.ts';

/** How states are made from records in an order. */
export interface FoldRule<State, Item> {
  /** With the names of the streams it names the fold. */
  readonly name: string;
  /** Another version of the same name makes other states. Undefined: they are not stored. */
  readonly version: string | undefined;
  /** Whether `itemOf` needs the record that a reconfirmation repeats. */
  readonly needsOriginals: boolean;
  begin(): Awaitable<State>;
  /** What is applied for a record; undefined: nothing. */
  itemOf(record: DomainRecord, original: DomainRecord | undefined): Item | undefined;
  /** Orders items of one time. */
  compare(a: Item, b: Item): number;
  /** May change and keep the state. */
  apply(state: State, item: Item): void;
  /** The state as something that can be copied structurally; undefined: it must not be kept. */
  save(state: State): unknown;
  /** @param saved a copy of what `save` gave @returns undefined if this rule would not have come to the same state */
  restore(saved: any): Awaitable<State | undefined>;
}

interface OrderedFoldParts {
  readonly pages: RecordPages;
  readonly streams: readonly string[];
  readonly order: RecordOrder;
  /** Records between two snapshots in memory at first. */
  readonly snapshotEvery: number;
  /** Approximate limit of the snapshots in memory, in bytes. */
  readonly maxSnapshotBytes: number;
  /** Absent: nothing is stored. */
  readonly storing?: FoldStoring | undefined;
}

/** Records that count, by stream and revision. */
type Selection = (stream: number, revision: number) => boolean;

export interface FoldAnswer<State> {
  readonly state: State;
  /** Of each stream: how many records it had. */
  readonly known: readonly number[];
}

interface Reached<State> {
  readonly state: State;
  /** The time of the newest record in it: milliseconds. */
  readonly at: number;
  readonly count: number;
}

/** Records that are in memory at once, unless more have the same time. */
const MAX_CHUNK = 512;

/**
 * A fold of some streams in the order of time, as of any moment. It goes on from snapshots; which records it needs from
 * there on it knows by their times. Long work yields to the event loop, and one answer is made at a time.
 */
export class OrderedFold<State, Item> {
  readonly #parts: OrderedFoldParts;
  /** Of each stream. */
  readonly #times: readonly StreamTimes[];
  /** When the records were recorded, if anybody asked. */
  #recorded: readonly StreamTimes[] | undefined;
  readonly #snapshots: FoldSnapshots;
  readonly #queue = createSequentialQueue();
  #isLoaded = false;

  constructor({ name: ruleName, version }: Pick<FoldRule<State, Item>, 'name' | 'version'>, parts: OrderedFoldParts) {
    const { snapshotEvery: every, maxSnapshotBytes: maxBytes, pages, streams, order, storing } = parts;
    this.#parts = parts;
    this.#times = streams.map((stream) => new StreamTimes(pages, stream, order, storing));
    const name = `${ruleName} ${streams.join(' ')}`;
    this.#snapshots = new FoldSnapshots({ every, maxBytes, name, version, storing });
  }

  /** Whether the streams have no records. */
  get isEmpty(): boolean {
    return this.#times.every(({ count }) => count === 0);
  }

  /** Approximate memory in bytes. */
  get bytes(): number {
    const times = [...this.#times, ...(this.#recorded ?? [])];
    return times.reduce((sum, { bytes }) => sum + bytes, this.#snapshots.bytes);
  }

  /**
   * The state from all records that the log holds now and that are at or before `moment` (milliseconds). The caller may
   * change it. Rejects with errors of the log.
   * @param rule of the name and version that the fold has
   * @param recordedBy milliseconds: what was recorded later does not count
   * @returns also how many records each stream has
   */
  stateAt(rule: FoldRule<State, Item>, moment: number, recordedBy?: number): Promise<FoldAnswer<State>> {
    return this.#queue(async () => {
      const known = await this.#readNew();
      const selected = recordedBy === undefined ? undefined : await this.#recordedBy(recordedBy);
      const newest = this.#snapshots.newest?.count ?? 0;
      // Whoever asks first makes the snapshots, so that nobody who asks for a later moment waits as long.
      if (sumOf(known) - newest > 2 * this.#snapshots.storedEvery) {
        await this.#foldUntil(rule, Number.POSITIVE_INFINITY, known, undefined);
      }
      const state = await this.#foldUntil(rule, moment, known, selected);
      await this.#snapshots.save();
      return { state, known };
    });
  }

  /** @returns of each stream: how many records it has */
  async #readNew(): Promise<readonly number[]> {
    for (const one of this.#times) await one.readNew();
    if (!this.#isLoaded) await this.#snapshots.load();
    this.#isLoaded = true;
    return this.#times.map(({ count }) => count);
  }

  /** After `#readNew`: a record that came since is none of those that count. */
  async #recordedBy(moment: number): Promise<Selection> {
    const { pages, streams, storing } = this.#parts;
    this.#recorded ??= streams.map((stream) => new StreamTimes(pages, stream, RECORD_ORDERS.recorded, storing));
    const recorded = this.#recorded;
    for (const times of recorded) await times.readNew();
    return (stream, revision) => recorded[stream]!.at(revision) <= moment;
  }

  async #foldUntil(
    rule: FoldRule<State, Item>,
    moment: number,
    known: readonly number[],
    selected: Selection | undefined,
  ): Promise<State> {
    let { state, at, count } = await this.#begin(rule, moment, known, selected);
    let last = count;
    // Many folds may come here at the same moment.
    await yieldToEventLoop();
    const ends = chunkEnds(this.#timesWithin(at, moment, known, selected), Math.min(MAX_CHUNK, this.#snapshots.every));
    for (const { end, length } of ends) {
      for (const item of await this.#itemsWithin(rule, at, end, known, selected)) {
        rule.apply(state, item);
        await yieldToEventLoop();
      }
      at = end;
      count += length;
      if (count - last < this.#snapshots.every) continue;
      last = count;
      await yieldToEventLoop();
      await this.#addSnapshot(rule.save(state), { at, count }, known, selected);
    }
    return state;
  }

  /** The state of the newest snapshot that holds the very records that it should; the beginning if there is none. */
  async #begin(
    rule: FoldRule<State, Item>,
    moment: number,
    known: readonly number[],
    selected: Selection | undefined,
  ): Promise<Reached<State>> {
    for (const place of this.#snapshots.upTo(moment)) {
      if (!this.#isOf(place, known, undefined)) this.#snapshots.drop(place);
      else if (!selected || this.#isOf(place, known, selected)) {
        const found = await this.#snapshots.read(place, () => this.#isOfThisLog(place));
        const state = found && (await rule.restore(found.saved));
        if (state) return { state, at: place.at, count: place.count };
        this.#snapshots.drop(place);
      }
      await yieldToEventLoop();
    }
    return { state: await rule.begin(), at: Number.NEGATIVE_INFINITY, count: 0 };
  }

  /** Whether no record that counts is missing in a snapshot, and none is in it that does not. */
  #isOf(place: FoldPlace, known: readonly number[], selected: Selection | undefined): boolean {
    return this.#times.every((times, stream) => {
      const inSnapshot = place.known[stream] ?? 0;
      if (inSnapshot > known[stream]!) return false;
      // From the end: what is wrong came late.
      for (let revision = known[stream]! - 1; revision >= (selected ? 0 : inSnapshot); revision--) {
        if (times.at(revision) > place.at) continue;
        if (revision < inSnapshot !== (!selected || selected(stream, revision))) return false;
      }
      return true;
    });
  }

  async #isOfThisLog({ marks, known }: FoldPlace): Promise<boolean> {
    for (const [stream] of this.#parts.streams.entries()) {
      if (marks[stream] !== (await this.#markOf(stream, known[stream]!))) return false;
    }
    return true;
  }

  /** @param known how many records of the stream are known */
  async #markOf(stream: number, known: number): Promise<string> {
    if (known === 0) return '';
    const last = await this.#parts.pages.recordAt(this.#parts.streams[stream]!, known - 1);
    return last ? markOf(last) : 'missing';
  }

  async #addSnapshot(
    saved: unknown,
    { at, count }: Pick<Reached<State>, 'at' | 'count'>,
    known: readonly number[],
    selected: Selection | undefined,
  ): Promise<void> {
    if (saved === undefined) return;
    const place = { at, known, count };
    // A snapshot of selected records may serve those who want all.
    if (selected && !this.#isOf({ ...place, marks: [] }, known, selected)) return;
    const marks: string[] = [];
    for (const [stream] of this.#parts.streams.entries()) marks.push(await this.#markOf(stream, known[stream]!));
    this.#snapshots.add({ ...place, marks }, saved);
  }

  /** The times of the records after one moment until another, in no order. */
  #timesWithin(after: number, until: number, known: readonly number[], selected: Selection | undefined): Float64Array {
    const found: number[] = [];
    for (const [stream, times] of this.#times.entries()) {
      for (let revision = 0; revision < known[stream]!; revision++) {
        const at = times.at(revision);
        if (at > after && at <= until && (!selected || selected(stream, revision))) found.push(at);
      }
    }
    return Float64Array.from(found);
  }

  /** In their order. */
  async #itemsWithin(
    rule: FoldRule<State, Item>,
    after: number,
    until: number,
    known: readonly number[],
    selected: Selection | undefined,
  ) {
    const found: { readonly at: number; readonly item: Item }[] = [];
    for (const [stream, times] of this.#times.entries()) {
      for (let revision = 0; revision < known[stream]!; revision++) {
        const at = times.at(revision);
        if (!(at > after && at <= until) || (selected && !selected(stream, revision))) continue;
        const item = await this.#itemAt(rule, stream, revision);
        if (item !== undefined) found.push({ at, item });
        await yieldToEventLoop();
      }
    }
    return found.sort((a, b) => a.at - b.at || rule.compare(a.item, b.item)).map(({ item }) => item);
  }

  async #itemAt(rule: FoldRule<State, Item>, stream: number, revision: number): Promise<Item | undefined> {
    const { pages, streams } = this.#parts;
    const name = streams[stream]!;
    const record = await pages.recordAt(name, revision);
    if (!record) throw new Error(`stream ${name} has lost its record ${revision}`);
    const { data } = record;
    const original = rule.needsOriginals && 'of' in data ? await pages.recordAt(name, data.of) : undefined;
    return rule.itemOf(record, original);
  }
}

/** Where to stop on the way: after so many records or more, since those of one time stay together. */
function chunkEnds(times: Float64Array, length: number): readonly { readonly end: number; readonly length: number }[] {
  times.sort();
  const ends: { readonly end: number; readonly length: number }[] = [];
  for (let first = 0; first < times.length; ) {
    let next = Math.min(first + length, times.length);
    const end = times[next - 1]!;
    while (times[next] === end) next++;
    ends.push({ end, length: next - first });
    first = next;
  }
  return ends;
}

const sumOf = (numbers: readonly number[]): number => numbers.reduce((sum, one) => sum + one, 0);
