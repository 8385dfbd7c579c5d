export type EntryKind = 'team' | 'player';

/** An entry of the directory as it appears in events, and the source that described it. */
export interface DescribedSide {
  readonly kind: EntryKind;
  readonly id: number;
  readonly source: string;
}

/**
 * Descriptions that must be checked again (`describePending`) once the batch is in the log. Copies of an entry are in
 * the records of its events. Two batches may miss each other: one changes the entry, another process adds an event of
 * the entry, and neither sees the record of the other. A batch may also be in the log only in part, if one of its
 * streams had a conflict.
 */
export class PendingDescriptions {
  readonly #sides = new Map<string, DescribedSide>();
  readonly #events = new Map<number, string>();

  get isEmpty(): boolean {
    return this.#sides.size + this.#events.size === 0;
  }

  /** Entries that were described. */
  get sides(): Iterable<DescribedSide> {
    return this.#sides.values();
  }

  /** Events that got new sides, each with the source that reported it. */
  get events(): Iterable<readonly [eventId: number, source: string]> {
    return this.#events;
  }

  addSide(side: DescribedSide): void {
    this.#sides.set(`${side.kind}:${side.id}`, side);
  }

  addEvent(eventId: number, source: string): void {
    this.#events.set(eventId, source);
  }
}
