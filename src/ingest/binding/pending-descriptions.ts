export type EntryKind = 'team' | 'player';

/** An entry of the directory as it stands in events, and who told of it. */
export interface DescribedSide {
  readonly kind: EntryKind;
  readonly id: number;
  readonly source: string;
}

/**
 * What shows of an entry stands in the records of its events, and two batches may miss each other there: one changes the
 * entry, another one, of another process, places an event of it, and neither finds the other's record. Nor is all of a
 * batch there where one of its streams was refused. So both look again (`describeMissed`) once their batch is in the log.
 */
export class PendingDescriptions {
  readonly #sides = new Map<string, DescribedSide>();
  readonly #placed = new Map<number, string>();

  get isEmpty(): boolean {
    return this.#sides.size + this.#placed.size === 0;
  }

  /** Entries of which something was told. */
  get sides(): Iterable<DescribedSide> {
    return this.#sides.values();
  }

  /** Events, and who told of them, that have sides that they did not have. */
  get events(): Iterable<readonly [eventId: number, source: string]> {
    return this.#placed;
  }

  addSide(side: DescribedSide): void {
    this.#sides.set(`${side.kind}:${side.id}`, side);
  }

  addEvent(eventId: number, source: string): void {
    this.#placed.set(eventId, source);
  }
}
