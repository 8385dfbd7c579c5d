import { deserialize, serialize } from 'node:v8';

/** Documents by key, and after how many records they stand. */
export interface Folded<Doc> {
  readonly documents: Map<string, Doc>;
  readonly count: number;
}

/**
 * The documents after the first so many records of a fold, after twice as many, and so on without a gap: a fold to any
 * place begins at the last one before it. When they grow beyond their bound every second one is let go, so that those
 * of a long history lie further apart.
 */
export class Snapshots<Doc> {
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
  before(count: number): Folded<Doc> {
    const number = Math.min(this.#kept.length, Math.floor(count / this.#every));
    if (number === 0) return { documents: new Map(), count: 0 };
    return { documents: deserialize(this.#kept[number - 1]!), count: number * this.#every };
  }

  /** Keeps the documents after the first `count` records where one of that place is due. */
  offer(documents: ReadonlyMap<string, Doc>, count: number): void {
    if (count !== (this.#kept.length + 1) * this.#every) return;
    const snapshot = serialize(documents);
    this.#kept.push(snapshot);
    this.#bytes += snapshot.byteLength;
    while (this.#bytes > this.#mostBytes) this.#thin();
  }

  /** Only what was folded of the first `count` records still holds. */
  cut(count: number): void {
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
