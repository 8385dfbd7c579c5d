import type { CacheSize } from '../../domain/primitives/size-in-memory.ts';
import { compareByCodePoint } from '../../domain/primitives/text-order.ts';
import { type EntityKind, formatIdentityKey, type IdentityKey } from './identity-key.ts';

export type { EntityKind } from './identity-key.ts';

export interface BoundEvent {
  readonly id: number;
  /** The source has the sides the other way round than the event. */
  readonly swapped: boolean;
}

/** Among what a source's ref is looked for. The scope of events is empty. */
export interface EntityScope {
  readonly kind: EntityKind;
  readonly scope: string;
}

/** What sources have names for. */
export interface ScopedEntity extends EntityScope {
  readonly id: number;
}

/** A source's own name for a thing. */
export interface BoundRef {
  readonly source: string;
  readonly ref: string;
  /** As of `BoundEvent`. */
  readonly swapped: boolean;
  /** When it was bound to this thing, milliseconds; null where nobody has noted it, as earlier versions. */
  readonly boundAt: number | null;
}

/** The order of the refs of a thing. */
export const compareRefs = (a: BoundRef, b: BoundRef): number =>
  compareByCodePoint(a.source, b.source) || compareByCodePoint(a.ref, b.ref);

/** An event that a pair of sides has, with its start in milliseconds. */
export interface Fixture {
  readonly id: number;
  readonly startsAt: number;
  /** Home or player_1 first. */
  readonly sides: readonly [string, string];
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
export interface QuarantinedMessage {
  /** Identity of the message. */
  readonly fingerprint: string;
  readonly message: unknown;
  /** Why it waits, for people. */
  readonly reason: string;
  readonly receivedAt: string;
  /** What it waits for (`known-key.ts`, as text); it is tried again when any of these becomes known. */
  readonly keys: readonly string[];
  /** It was accepted already, and waits only to be completed (an injury whose player is not in the directory). */
  readonly accepted: boolean;
  /** Milliseconds; its sender spares what it said less than this before (`IntakeItem.sparing`). */
  readonly sparing?: number;
}

/** How many messages of a source wait for the same kind of thing. */
export interface QuarantineCount {
  readonly source: string;
  /** In words, such as `an event by its ref`. */
  readonly waitsFor: string;
  /** They were accepted, and wait only to be completed. */
  readonly accepted: boolean;
  readonly number: number;
}

/** By the moment, not by its text: a whole second is written without milliseconds, and would sort behind those in it. */
export const compareByArrival = (a: QuarantinedMessage, b: QuarantinedMessage): number =>
  Date.parse(a.receivedAt) - Date.parse(b.receivedAt);

/** Who takes messages out of the waiting, and for how long. Times in milliseconds. */
export interface QuarantineClaim {
  /** One process, or one intake of it: what an owner has taken it may take again at once, others only after `until`. */
  readonly owner: string;
  readonly now: number;
  readonly until: number;
  /** So many suffice; an adapter may give more. Where it gives as many, there may be more. */
  readonly most?: number;
}

/**
 * The sources' names for things, and what waits for them: looked up, not folded. Several processes may work on one
 * registry, each through an instance of its own, and one instance takes one batch after another: it looks things up,
 * stages changes (`bind...`, `addName`, `putFixture`, `park`), and makes them durable together (`flush`).
 *
 * Staged changes are seen at once by the lookups of their own instance, by others once they are flushed. What an
 * instance has looked up since its last `flush` or `reset` may be answered from memory; `flush` finds out where that
 * is not so any more and bears on what it writes, and refuses then. So nothing is decided on what is old.
 *
 * Names are given normalised (`src/domain/primitives/name-normalization.ts`); a scope is a sport's slug, or empty.
 */
export interface Identities {
  prefetch(hints: LookupHints): Promise<void>;
  /**
   * So many ids of a kind that nobody was given before or will be again; rising, and not always without gaps. Those
   * that are never used are lost.
   */
  allocate(kind: EntityKind, countAllocated?: number): Promise<readonly number[]>;
  /** How many ids of a kind have been given, flushed ones at least and lost ones too. */
  countAllocated(kind: EntityKind): Promise<number>;
  /** Whether any source but this one has named something, or has sent something that still waits; as flushed. */
  hasOtherSources(source: string): Promise<boolean>;

  findEvent(source: string, ref: string): Promise<BoundEvent | undefined>;
  /**
   * Stages a source's own id for an event. A ref that names another event already moves only where this instance has
   * looked it up and seen that (the event never came into the log): else `flush` refuses.
   */
  bindEvent(source: string, ref: string, bound: BoundEvent): Promise<void>;

  findEntity(kind: EntityKind, scope: string, source: string, ref: string): Promise<number | undefined>;
  /** As `bindEvent`, for entries of the directory. */
  bindEntity(kind: EntityKind, scope: string, source: string, ref: string, id: number): Promise<void>;
  /** Whether a source has a ref of its own for this thing. */
  hasRefOf(kind: EntityKind, scope: string, source: string, id: number): Promise<boolean>;
  /** What a source calls so, of each kind and scope, in their order; as flushed. */
  findEntitiesByRef(source: string, ref: string, among: readonly EntityScope[]): Promise<readonly ScopedEntity[]>;
  /** All refs of each of these things, by source, then by ref; as flushed. */
  listRefs(things: readonly ScopedEntity[]): Promise<readonly (readonly BoundRef[])[]>;

  findByName(kind: EntityKind, scope: string, name: string): Promise<readonly number[]>;
  /** Returns false when the name stood there already. */
  addName(kind: EntityKind, scope: string, name: string, id: number): Promise<boolean>;

  /** Events of two sides; the key is the same either way round. */
  findFixtures(pair: string): Promise<readonly Fixture[]>;
  putFixture(id: number, fixture: SidedFixture, previousPair: string | null): Promise<void>;
  /** Ids of the events in which a side stands, rising. */
  eventsOfSide(side: string): Promise<readonly number[]>;

  /** Those of the messages that wait, and are not taken by this instance. */
  findQuarantined(fingerprints: readonly string[]): Promise<ReadonlySet<string>>;
  /** Those of the keys (as text) that anything waits for. What `prefetch` was told of is answered from memory. */
  findQuarantineKeys(keys: readonly string[]): Promise<ReadonlySet<string>>;
  /**
   * Stages that a message waits. One that was taken and is parked again waits for its old keys too until `confirmTaken`:
   * what made them known is not in the log before, and after a crash would be nowhere.
   */
  quarantine(waiting: QuarantinedMessage): Promise<void>;
  /** Keys that something flushed waits for, behind `after` in the order of their texts, at most `limit`. */
  listQuarantineKeys(after: string | null, limit: number): Promise<readonly string[]>;
  /**
   * Those of the awaited keys that may have become known without anybody having tried what waits for them, as after
   * a crash between `flush` and `confirmTaken`; as `awaitedKeys`. All of them where an adapter cannot tell. What was
   * given here counts as tried with the next `confirmTaken`, unless something was left that waits for it.
   */
  listUntriedKeys(after: string | null, limit: number): Promise<readonly string[]>;
  /**
   * Takes what waits for a key out of the waiting, oldest first: no other owner gets it before `until`. What still
   * waits then is parked again by who took it. After a crash it returns by itself: what an owner took and did not
   * confirm others may take after that time.
   */
  claimQuarantined(key: string, taking: QuarantineClaim): Promise<readonly QuarantinedMessage[]>;
  /** What waits, oldest first, for the audit; also what is taken and not confirmed. */
  listQuarantined(limit: number): Promise<readonly QuarantinedMessage[]>;
  /** The same, all of it, in parts. */
  eachQuarantined(): AsyncIterable<readonly QuarantinedMessage[]>;
  /** How many messages wait, as flushed: a number of each kind, none that is 0, in no order. */
  countQuarantined(): Promise<readonly QuarantineCount[]>;
  /** Keys that the most messages wait for, with how many, most first; at most `limit`. */
  topQuarantineKeys(limit: number): Promise<readonly { readonly key: string; readonly number: number }[]>;

  /**
   * Makes everything since the last flush durable, in one transaction; what was taken from the waiting stays there.
   * Where its answer was lost it may be called again.
   * @throws IdentityConflict
   */
  flush(): Promise<void>;
  /**
   * Removes for good what was taken from the waiting, and the old keys of what was parked again: only when what became
   * of it is in the log. What another owner has taken since stays. May be called again.
   * @returns keys (as text) that became known by flushes since the last call, and that messages of other processes
   * wait for, which this one could not see: to be tried (`takeAwaiting`)
   */
  confirmClaimed(): Promise<readonly string[]>;
  /** Forgets what was looked up, staged and taken: after a conflict or a failure. What was taken waits again. */
  reset(): Promise<void>;
  /** What this instance keeps of what it has looked up; absent where nobody bounds it. */
  readonly size?: CacheSize;
}

/**
 * Another process has changed what this one has decided on. Nothing of the flush was written. Forget what was staged
 * (`reset`), look again, decide again.
 */
export class IdentityConflict extends Error {
  readonly code = 'identity_conflict';
  /** What is not any more as it was looked up, or stands although it was not. */
  readonly keys: readonly IdentityKey[];
  /** Messages that were taken out of the waiting too long ago: another process has taken them since. */
  readonly fingerprints: readonly string[];
  constructor(keys: readonly IdentityKey[], fingerprints: readonly string[] = []) {
    super(`another process has changed ${[...keys.map(formatIdentityKey), ...fingerprints].slice(0, 5).join(', ')}`);
    this.name = 'IdentityConflict';
    this.keys = keys;
    this.fingerprints = fingerprints;
  }
}
