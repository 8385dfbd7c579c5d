/** What has an id of the server's own. Ids count up from 1 for each kind. */
export type EntityKind = 'event' | 'team' | 'player' | 'venue' | 'competition';

export interface BoundEvent {
  readonly id: number;
  /** The source has the sides the other way round than the event. */
  readonly turned: boolean;
}

/** An event that a pair of sides has, with its start in milliseconds. */
export interface Fixture {
  readonly id: number;
  readonly startsAt: number;
}

export interface SidedFixture {
  /** Null while a side is a placeholder. */
  readonly pair: string | null;
  readonly startsAt: number;
  readonly sides: readonly [string, string];
}

/** Which lookups are coming, so that they can be answered from one query. */
export interface LookupHints {
  readonly events: readonly { readonly source: string; readonly ref: string }[];
  readonly entities: readonly {
    readonly kind: EntityKind;
    readonly scope: string;
    readonly source: string;
    readonly ref: string;
  }[];
  readonly names: readonly { readonly kind: EntityKind; readonly scope: string; readonly name: string }[];
  readonly pairs: readonly string[];
}

/** A message that waits for something to become known. */
export interface WaitingMessage {
  /** Identity of the message. */
  readonly fingerprint: string;
  readonly message: unknown;
  /** Why it waits, for people. */
  readonly reason: string;
  readonly receivedAt: string;
  /** What it waits for; it is tried again when any of these becomes known. */
  readonly keys: readonly string[];
  /** It was accepted already, and waits only to be completed (an injury whose player is not in the directory). */
  readonly accepted: boolean;
}

/**
 * The sources' names for things, and what waits for them: looked up, not folded. Changes are seen at once by the
 * lookups of this process, and are durable after `flush`. One process writes at a time.
 * Names are given normalised (`src/domain/names.ts`); a scope is a sport's slug, or empty.
 */
export interface Identities {
  prefetch(hints: LookupHints): Promise<void>;
  /** The next id of a kind; ids that were allocated and never used are lost. */
  allocate(kind: EntityKind): number;

  findEvent(source: string, ref: string): Promise<BoundEvent | undefined>;
  bindEvent(source: string, ref: string, bound: BoundEvent): void;

  findEntity(kind: EntityKind, scope: string, source: string, ref: string): Promise<number | undefined>;
  bindEntity(kind: EntityKind, scope: string, source: string, ref: string, id: number): void;
  /** Whether a source has a ref of its own for this entity. */
  hasRefOf(kind: EntityKind, scope: string, source: string, id: number): Promise<boolean>;

  findByName(kind: EntityKind, scope: string, name: string): Promise<readonly number[]>;
  /** Returns false when the name stood there already. */
  addName(kind: EntityKind, scope: string, name: string, id: number): Promise<boolean>;

  /** Events of two sides; the key is the same either way round. */
  findFixtures(pair: string): Promise<readonly Fixture[]>;
  putFixture(id: number, fixture: SidedFixture, previousPair: string | null): Promise<void>;
  /** Ids of the events in which a side stands. */
  eventsOfSide(side: string): Promise<readonly number[]>;

  isWaiting(fingerprint: string): boolean;
  /** Whether anything waits for one of these keys; answered from memory. */
  isAwaited(key: string): boolean;
  park(waiting: WaitingMessage): void;
  /** All keys that something waits for. */
  awaitedKeys(): readonly string[];
  /** Takes what waits for a key out of the waiting; what still waits then is parked again by who took it. */
  takeAwaiting(key: string): Promise<readonly WaitingMessage[]>;
  /** What waits, oldest first, for the audit. */
  listWaiting(limit: number): Promise<readonly WaitingMessage[]>;

  /** Makes everything since the last flush durable, in one transaction; what was taken from the waiting stays. */
  flush(): Promise<void>;
  /** Removes for good what was taken from the waiting: only when what became of it is in the log. */
  confirmTaken(): Promise<void>;
  /** Forgets what was not flushed, after a failure. */
  reset(): Promise<void>;
}
