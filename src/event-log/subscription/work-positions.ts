import {
  isBefore,
  type PartitionPositions,
  type Position,
  toPositionOrNull,
} from '../../domain/event-sourcing/position.ts';

/** Where the work on some records began: everything up to here was done before it, or belongs to earlier work. */
export interface TakenWork {
  readonly after: Position | null;
  /** How far each partition was read when the work was taken. */
  readonly upTo: PartitionPositions;
  /** The furthest of `upTo`; null: nothing was read. */
  readonly through: Position | null;
}

/**
 * The positions of a follower that collects work while it reads, and does it in the background, one batch at a time.
 * How far everything is done is never stored: it follows from what was read and from what is still open. So work and
 * messages may come in any order.
 */
export class WorkPositions {
  readonly #read = new Map<string, Position>();
  #furthest: Position | null = null;
  /** How far was read before the oldest work that waits; undefined: none waits. */
  #waitsAfter: Position | null | undefined;
  #taken: TakenWork | undefined;

  /** How far each partition was read. */
  get read(): ReadonlyMap<string, Position> {
    return this.#read;
  }

  /** The furthest position that was read; null: none. */
  get furthest(): Position | null {
    return this.#furthest;
  }

  /** Everything up to here was read, and all work that it brought is done; null: nothing. */
  get done(): Position | null {
    if (this.#taken) return this.#taken.after;
    return this.#waitsAfter === undefined ? this.#furthest : this.#waitsAfter;
  }

  /** Whether there is work that is not done. */
  get isBehind(): boolean {
    return this.#taken !== undefined || this.#waitsAfter !== undefined;
  }

  /** Notes that there is work, before the position of the message that brought it is noted. */
  noteWork(): void {
    if (this.#waitsAfter === undefined) this.#waitsAfter = this.#furthest;
  }

  /** Notes that a partition was read up to a position. */
  noteRead(partition: string, position: Position | null): void {
    if (position === null) return;
    if (isBefore(this.#read.get(partition) ?? null, position)) this.#read.set(partition, position);
    if (isBefore(this.#furthest, position)) this.#furthest = position;
  }

  /** Takes all work that waits. Only one batch may be taken at a time. */
  take(): TakenWork {
    if (this.#taken) throw new Error('the last work is not finished');
    const after = this.done;
    this.#waitsAfter = undefined;
    this.#taken = { after, upTo: new Map(this.#read), through: this.#furthest };
    return this.#taken;
  }

  /** Notes that the taken work is done. */
  finish(): void {
    this.#taken = undefined;
  }

  /** Notes that the taken work failed, and waits again. */
  putBack(): void {
    if (this.#taken) this.#waitsAfter = this.#taken.after;
    this.#taken = undefined;
  }

  /** Forgets everything, and continues from these positions. */
  startAt(positions: ReadonlyMap<string, bigint | null>): void {
    this.#read.clear();
    this.#furthest = null;
    this.#waitsAfter = undefined;
    this.#taken = undefined;
    for (const [partition, position] of positions) this.noteRead(partition, toPositionOrNull(position));
  }
}
