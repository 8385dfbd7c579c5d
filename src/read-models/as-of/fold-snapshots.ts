import { deserialize, serialize } from 'node:v8';
import { DEFAULT_SIZES, type FoldStoring, type SealedParts, type StoredSizes, sealedParts } from './sealed-parts.ts';

/** Where a state stands: it holds every record up to a time that a stream had before a revision. */
export interface FoldPlace {
  /** Milliseconds. No record of this time is left out. */
  readonly at: number;
  /** Of each stream: the first revision that the state does not know. */
  readonly known: readonly number[];
  /** About so many records are in the state. */
  readonly count: number;
  /** Of each stream: tells the last known record from that of another log. */
  readonly marks: readonly string[];
}

interface Snapshot extends FoldPlace {
  /** Undefined: it is only in the store. */
  readonly state: Buffer | undefined;
  /** The note of the part in the store; undefined: it is only in memory. */
  readonly note: string | undefined;
}

interface FoldSnapshotsOptions {
  /** Records between two snapshots in memory at first. */
  readonly every: number;
  /** Approximate limit of the states in memory, in bytes. */
  readonly maxBytes: number;
  readonly name: string;
  /** Absent: nothing is stored. */
  readonly version: string | undefined;
  readonly storing: FoldStoring | undefined;
}

/** Stored snapshots are so far apart that they take no more bytes a record than this. */
const BYTES_PER_RECORD = 16;
/** Memory of a snapshot without its state. */
const BYTES_OF_PLACE = 200;

/**
 * Snapshots of a fold in the order of its records: in memory, and fewer in the store. When those in memory exceed their
 * limit, every second one is dropped, so that snapshots of a long history are further apart.
 */
export class FoldSnapshots {
  readonly #maxBytes: number;
  readonly #parts: SealedParts | undefined;
  readonly #sizes: StoredSizes;
  #every: number;
  #snapshots: readonly Snapshot[] = [];
  #bytes = 0;
  /** Of the last stored snapshot. */
  #storedBytes = 0;
  /** Places in the store that no longer count. */
  #outdated: number[] = [];

  constructor({ every, maxBytes, name, version, storing }: FoldSnapshotsOptions) {
    this.#every = every;
    this.#maxBytes = maxBytes;
    this.#parts = version === undefined ? undefined : storing && sealedParts(storing, name, version);
    this.#sizes = storing?.sizes ?? DEFAULT_SIZES;
  }

  /** Approximate memory in bytes. */
  get bytes(): number {
    return this.#bytes;
  }

  /** Records between two snapshots in memory. */
  get every(): number {
    return this.#every;
  }

  get newest(): FoldPlace | undefined {
    return this.#snapshots.at(-1);
  }

  /** How far apart stored snapshots are now. */
  get storedEvery(): number {
    return Math.max(this.#sizes.every, Math.ceil(this.#storedBytes / BYTES_PER_RECORD));
  }

  /** Learns what is in the store. */
  async load(): Promise<void> {
    const found: Snapshot[] = [];
    for (const { place, note, bytes } of (await this.#parts?.list()) ?? []) {
      const snapshot = readNote(place, note);
      if (snapshot) found.push({ ...snapshot, state: undefined, note });
      else this.#outdated.push(place);
      this.#storedBytes = bytes;
    }
    this.#snapshots = found;
  }

  /** Forgets what is saved at this place. */
  drop({ at }: FoldPlace): void {
    const found = this.#snapshots.find((one) => one.at === at);
    if (found?.note !== undefined) this.#outdated.push(at);
    this.#replace(this.#snapshots.filter((one) => one !== found));
  }

  /** The places up to a moment, the newest first. */
  upTo(at: number): readonly FoldPlace[] {
    return this.#snapshots.filter((one) => one.at <= at).reverse();
  }

  /**
   * What was saved at one of these places, for the caller to change; undefined: it is lost.
   * @param isTrue whether what is in the store is still of the same log
   */
  async read(place: FoldPlace, isTrue: () => Promise<boolean>): Promise<{ readonly saved: unknown } | undefined> {
    const { at } = place;
    const found = this.#snapshots.find((one) => one.at === at);
    const state =
      found?.state ?? (found?.note !== undefined && (await isTrue()) ? await this.#stored(found) : undefined);
    try {
      if (state) {
        const saved: unknown = deserialize(state);
        if (!found!.state) this.#replace(this.#snapshots.map((one) => (one === found ? { ...one, state } : one)));
        return { saved };
      }
    } catch {
      // A newer version of Node may have written it.
    }
    this.drop(place);
    return undefined;
  }

  async #stored({ at, note }: Snapshot): Promise<Buffer | undefined> {
    return (await this.#parts?.read([{ place: at, note: note! }]))?.get(at);
  }

  /** Keeps a state in memory. */
  add(place: FoldPlace, state: unknown): void {
    if (this.#snapshots.some(({ at }) => at === place.at)) return;
    const added: Snapshot = { ...place, state: serialize(state), note: undefined };
    this.#replace([...this.#snapshots, added].sort((a, b) => a.at - b.at));
  }

  /** Stores what is worth it. Never rejects. */
  async save(): Promise<void> {
    if (!this.#parts) return;
    const removed = this.#outdated.splice(0);
    if (removed.length > 0) await this.#parts.write([], removed);
    if ((this.newest?.count ?? 0) < this.#sizes.from) return;
    let before = 0;
    for (const one of this.#snapshots) {
      const next = this.#snapshots.find(({ at, note }) => at > one.at && note !== undefined);
      const isFar = one.count - before >= this.storedEvery && !(next && next.count - one.count < this.storedEvery);
      if (one.note === undefined && one.state && isFar) await this.#store(one, one.state);
      if (one.note !== undefined || (isFar && one.state)) before = one.count;
    }
  }

  async #store(snapshot: Snapshot, content: Buffer): Promise<void> {
    const { at: place, known, count, marks } = snapshot;
    const note = JSON.stringify({ known, count, marks });
    [this.#storedBytes = 0] = await this.#parts!.write([{ place, note, content }], []);
    this.#snapshots = this.#snapshots.map((one) => (one.at === place ? { ...one, note } : one));
  }

  #replace(snapshots: readonly Snapshot[]): void {
    this.#snapshots = snapshots;
    for (;;) {
      this.#bytes = this.#snapshots.reduce((sum, { state }) => sum + BYTES_OF_PLACE + (state?.byteLength ?? 0), 0);
      if (this.#bytes <= this.#maxBytes || !this.#snapshots.some(({ state }) => state)) return;
      this.#dropEverySecond();
    }
  }

  #dropEverySecond(): void {
    this.#every *= 2;
    let isDropped = false;
    this.#snapshots = this.#snapshots.flatMap((one) => {
      if (!one.state) return [one];
      isDropped = !isDropped;
      if (!isDropped) return [one];
      return one.note === undefined ? [] : [{ ...one, state: undefined }];
    });
  }
}

/** Undefined for a note that this code has not written. */
function readNote(at: number, note: string): FoldPlace | undefined {
  try {
    const { known, count, marks } = JSON.parse(note) as Omit<FoldPlace, 'at'>;
    return Array.isArray(known) && Array.isArray(marks) ? { at, known, count, marks } : undefined;
  } catch {
    return undefined;
  }
}
