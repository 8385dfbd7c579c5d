import type { CacheSize } from '../../domain/primitives/size-in-memory.ts';
import { compareByCodePoint } from '../../domain/primitives/text-order.ts';
import { type EntityKind, formatIdentityKey, type IdentityKey } from './identity-key.ts';
import type { QuarantineCode } from './quarantine-reasons.ts';

export type { EntityKind } from './identity-key.ts';

export interface BoundEvent {
  readonly id: number;
  /** The source has the sides in the opposite order to the event. */
  readonly swapped: boolean;
}

/** A kind and scope in which a ref of a source is looked up. The scope of events is empty. */
export interface EntityScope {
  readonly kind: EntityKind;
  readonly scope: string;
}

/** An entity for which sources have refs. */
export interface ScopedEntity extends EntityScope {
  readonly id: number;
}

/** The id that a source itself uses for an entity. */
export interface BoundRef {
  readonly source: string;
  readonly ref: string;
  /** See `BoundEvent`. */
  readonly swapped: boolean;
  /** When the ref was bound to this entity, in milliseconds; null if an earlier version bound it and stored no time. */
  readonly boundAt: number | null;
}

/** The order of the refs of one entity. */
export const compareRefs = (a: BoundRef, b: BoundRef): number =>
  compareByCodePoint(a.source, b.source) || compareByCodePoint(a.ref, b.ref);

/** An event of a pair of sides, with its start in milliseconds. */
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

/** The lookups that will follow, so that one query can answer them. */
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

/** A message that waits until something becomes known. */
export interface QuarantinedMessage {
  /** Identity of the message. */
  readonly fingerprint: string;
  readonly message: unknown;
  /** Why the message waits, for people to read. */
  readonly reason: string;
  readonly code: QuarantineCode;
  /** Ids of the events or entries that fit equally well, nearest first; empty unless the code says `ambiguous`. */
  readonly candidates: readonly number[];
  readonly receivedAt: string;
  /** The keys that the message waits for (`identity-key.ts`, as text). It is retried when any of them becomes known. */
  readonly keys: readonly string[];
  /** The message was accepted already, and waits only for a detail (an injury whose player is not in the directory). */
  readonly accepted: boolean;
  /** Milliseconds: the throttle of the message (`IntakeItem.throttleMs`). */
  readonly throttleMs?: number;
}

/** Messages of one source that wait for the same ref; or, without a ref, for the same name or the same two sides. */
export interface WaitingGroup {
  /** Names the group; it holds the source and the key, see `waiting-groups.ts`. */
  readonly id: string;
  readonly messages: number;
  /** Messages by kind. */
  readonly kinds: Readonly<Record<string, number>>;
  /** When the first and the last of them were received. */
  readonly firstAt: string;
  readonly lastAt: string;
  /** The message that was received first, as an example of all. */
  readonly oldest: QuarantinedMessage;
}

/** Some of the quarantine: a group of waiting messages, or all that waits for a key. */
export type QuarantinePart = { readonly group: string } | { readonly key: string };

/** The number of messages of a source that wait for the same kind of thing. */
export interface QuarantineCount {
  readonly source: string;
  /** The kind in words, such as `an event by its ref`. */
  readonly waitsFor: string;
  /** The messages were accepted, and wait only for a detail. */
  readonly accepted: boolean;
  readonly number: number;
}

/**
 * Compares the times, not their texts: a whole second is written without milliseconds, and its text would sort after
 * later times of that second.
 */
export const compareByArrival = (a: QuarantinedMessage, b: QuarantinedMessage): number =>
  Date.parse(a.receivedAt) - Date.parse(b.receivedAt);

/** Who claims quarantined messages, and for how long. Times in milliseconds. */
export interface QuarantineClaim {
  /** One process, or one intake of it. An owner may claim its own messages again at once; others only after `until`. */
  readonly owner: string;
  readonly now: number;
  readonly until: number;
  /** The caller needs at most so many; an adapter may return more. */
  readonly limit?: number;
  /** Only messages that began to wait for the key after those of this claim: `next` of that claim. */
  readonly after?: number | undefined;
}

/** Messages that were claimed, oldest first. */
export interface ClaimedMessages {
  readonly messages: readonly QuarantinedMessage[];
  /** Where the next claim of this key goes on; undefined: no other message waits for it. */
  readonly next: number | undefined;
}

/** Bytes are those of the texts of the messages. */
export interface QuarantineSize {
  readonly messages: number;
  readonly bytes: number;
}

/**
 * The refs and names that sources use for entities, and the messages that wait for them: stored in tables, not folded
 * from the log. Several processes may share one database, each with an instance of its own. An instance processes one
 * batch after another: it looks things up, stages changes (`bind...`, `addName`, `putFixture`, `quarantine`), and makes
 * them durable together (`flush`).
 * An instance sees its own staged changes at once; others see them after the flush. Lookups since the last `flush` or
 * `reset` may be answered from memory. `flush` checks whether the lookups that its changes depend on are still valid,
 * and refuses if they are not. So no decision rests on outdated lookups.
 * Names are passed normalised (`src/domain/primitives/name-normalization.ts`); a scope is the slug of a sport, or
 * empty.
 */
export interface Identities {
  prefetch(hints: LookupHints): Promise<void>;
  /** Allocates ids of a kind. Nobody else ever gets these ids. They rise, with gaps at times; unused ids are lost. */
  allocate(kind: EntityKind, countAllocated?: number): Promise<readonly number[]>;
  /** What was allocated since the last flush or reset was only tried: nobody has seen these ids, the next ones get them. */
  giveBackIds(): void;
  /** The number of ids of a kind allocated so far, lost ones included. Ids that are not flushed yet may be missing. */
  countAllocated(kind: EntityKind): Promise<number>;
  /** Whether another source has stored a ref, or has a message in quarantine. Staged changes do not count. */
  hasOtherSources(source: string): Promise<boolean>;

  findEvent(source: string, ref: string): Promise<BoundEvent | undefined>;
  /**
   * Stages the id that a source uses for an event. A ref of another event moves only if this instance has looked it up
   * and seen that binding (the event never reached the log); otherwise `flush` refuses.
   */
  bindEvent(source: string, ref: string, bound: BoundEvent): Promise<void>;

  findEntity(kind: EntityKind, scope: string, source: string, ref: string): Promise<number | undefined>;
  /** Like `bindEvent`, for entries of the directory. */
  bindEntity(kind: EntityKind, scope: string, source: string, ref: string, id: number): Promise<void>;
  /** Whether a source has a ref for this entity. */
  hasRefOf(kind: EntityKind, scope: string, source: string, id: number): Promise<boolean>;
  /** The entities that a source names with this ref, in the order of `among`. Staged changes do not count. */
  findEntitiesByRef(source: string, ref: string, among: readonly EntityScope[]): Promise<readonly ScopedEntity[]>;
  /** All refs of each of these entities, ordered by source, then by ref. Staged changes do not count. */
  listRefs(things: readonly ScopedEntity[]): Promise<readonly (readonly BoundRef[])[]>;

  findByName(kind: EntityKind, scope: string, name: string): Promise<readonly number[]>;
  /** All names of each of these entities, aliases included. Staged changes do not count. */
  listNames(things: readonly ScopedEntity[]): Promise<readonly (readonly string[])[]>;
  /** Returns false if the name was there already. */
  addName(kind: EntityKind, scope: string, name: string, id: number): Promise<boolean>;
  /** Stages a name that an operator gives. `findByName` returns it as any other. */
  addAlias(kind: EntityKind, scope: string, name: string, id: number): Promise<void>;
  /** Stages the end of such a name. If a message has used the name too, it stays. */
  removeAlias(kind: EntityKind, scope: string, name: string, id: number): Promise<void>;

  /** Events of two sides. The key does not depend on the order of the sides. */
  findFixtures(pair: string): Promise<readonly Fixture[]>;
  putFixture(id: number, fixture: SidedFixture, previousPair: string | null): Promise<void>;
  /** Ids of the events of a side, ascending. */
  eventsOfSide(side: string): Promise<readonly number[]>;
  /** The events of a side that start from `from` to `to` (milliseconds), at most `limit`. Staged changes do not count. */
  fixturesOfSide(side: string, from: number, to: number, limit: number): Promise<readonly Fixture[]>;
  /** Ids of the events of pairs of players, ascending. Staged changes do not count. */
  eventsOfPairs(): Promise<readonly number[]>;

  /** The messages that are in quarantine and not claimed by this instance. */
  findQuarantined(fingerprints: readonly string[]): Promise<ReadonlySet<string>>;
  /** The keys (as text) that a message waits for. Keys of an earlier `prefetch` are answered from memory. */
  findQuarantineKeys(keys: readonly string[]): Promise<ReadonlySet<string>>;
  /**
   * Stages a message for the quarantine. A message that was claimed and is quarantined again keeps its old keys too
   * until `confirmClaimed`: the record that made them known is not in the log before, so that a crash would lose it.
   */
  quarantine(waiting: QuarantinedMessage): Promise<void>;
  /** Keys that flushed messages wait for: those after `after` in the order of their texts, at most `limit`. */
  listQuarantineKeys(after: string | null, limit: number): Promise<readonly string[]>;
  /**
   * The keys of quarantined messages that may have become known without a retry, as after a crash between `flush` and
   * `confirmClaimed`. Paging as in `listQuarantineKeys`. An adapter that cannot tell returns all of them. Returned keys
   * count as tried with the next `confirmClaimed`, unless messages were left that wait for them.
   */
  listUntriedKeys(after: string | null, limit: number): Promise<readonly string[]>;
  /**
   * Claims the messages that wait for a key, oldest first: no other owner gets them before `until`. The claimant must
   * quarantine those again that still wait. After a crash the claim expires by itself: others may claim the messages
   * after that time.
   */
  claimQuarantined(key: string, taking: QuarantineClaim): Promise<ClaimedMessages>;
  /**
   * Keys of messages whose claim has expired: their claimant died, or takes longer than it said. At most `limit`, in any
   * order. None for a sole writer, whose claims a crash drops.
   */
  listAbandonedKeys(now: number, limit: number): Promise<readonly string[]>;
  /**
   * What waits, by source and ref, without what was dismissed: the groups after `after` in the order of their ids, at
   * most `limit`. Staged changes do not count.
   */
  listWaitingGroups(after: string | null, limit: number): Promise<readonly WaitingGroup[]>;
  /** The group of this id. */
  findWaitingGroup(id: string): Promise<WaitingGroup | undefined>;
  /** All that waits for a key, whatever its source, as one group whose id is the key: dismissed messages too. */
  findWaitingFor(key: string): Promise<WaitingGroup | undefined>;
  /** The messages themselves, oldest first, at most `limit`. Staged changes do not count. */
  listWaiting(part: QuarantinePart, limit: number): Promise<readonly QuarantinedMessage[]>;
  /** The quarantined messages, oldest first, for the audit. Dismissed ones are left out. Claimed messages that are not confirmed are included. */
  listQuarantined(limit: number): Promise<readonly QuarantinedMessage[]>;
  /** All quarantined messages but dismissed ones, in pages. */
  eachQuarantined(): AsyncIterable<readonly QuarantinedMessage[]>;
  /** Counts the flushed quarantined messages but dismissed ones: one count for each kind, never 0, in any order. */
  countQuarantined(): Promise<readonly QuarantineCount[]>;
  /** What the quarantine holds: flushed and staged messages. Dismissed ones do not count once they are flushed. */
  quarantineSize(): Promise<QuarantineSize>;
  /** The keys with the most waiting messages, highest count first; at most `limit`. */
  topQuarantineKeys(limit: number): Promise<readonly { readonly key: string; readonly number: number }[]>;

  /**
   * Makes all changes since the last flush durable, in one transaction. Claimed messages stay in the quarantine. If the
   * answer was lost, it may be called again.
   * @throws IdentityConflict
   */
  flush(): Promise<void>;
  /**
   * Deletes claimed messages, and the old keys of messages that were quarantined again. Call it only once their results
   * are in the log. Messages that another owner has claimed since stay. May be called again.
   * @returns keys (as text) that flushes since the last call made known and that messages of other processes wait for,
   * which this instance could not see: retry them (`claimQuarantined`)
   */
  confirmClaimed(): Promise<readonly string[]>;
  /** Forgets all lookups, staged changes and claims after a conflict or a failure. Claimed messages are free again. */
  reset(): Promise<void>;
  /** The memory of cached lookups; absent if it is not bounded. */
  readonly size?: CacheSize;
}

/**
 * Another process has changed something that this one has decided on. Nothing of the flush was written. Call `reset`,
 * look up again, decide again.
 */
export class IdentityConflict extends Error {
  readonly code = 'identity_conflict';
  /** Keys that have changed since they were looked up, or that exist now although they did not. */
  readonly keys: readonly IdentityKey[];
  /** Messages whose claim has expired: another process has claimed them since. */
  readonly fingerprints: readonly string[];
  constructor(keys: readonly IdentityKey[], fingerprints: readonly string[] = []) {
    super(`another process has changed ${[...keys.map(formatIdentityKey), ...fingerprints].slice(0, 5).join(', ')}`);
    this.name = 'IdentityConflict';
    this.keys = keys;
    this.fingerprints = fingerprints;
  }
}
