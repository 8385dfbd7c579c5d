import type { BoundEvent, Fixture, SidedFixture } from './identities.ts';

/** Changes of refs, names and fixtures that are not in the database yet, by the row keys of `identity-key.ts`. */
export interface IdentityChanges {
  readonly bound: Map<string, BoundEvent>;
  readonly owners: Map<string, string>;
  readonly names: Map<string, readonly number[]>;
  /** Ids that lose a name. */
  readonly removedNames: Map<string, readonly number[]>;
  readonly fixtures: Map<number, SidedFixture>;
  /** Sources that have refs. */
  readonly sources: Set<string>;
}

export const createIdentityChanges = (): IdentityChanges => ({
  bound: new Map(),
  owners: new Map(),
  names: new Map(),
  removedNames: new Map(),
  fixtures: new Map(),
  sources: new Set(),
});

export const hasNoChanges = ({ bound, names, removedNames, fixtures }: IdentityChanges): boolean =>
  bound.size === 0 && names.size === 0 && removedNames.size === 0 && fixtures.size === 0;

/** The state of the database at the first read of a batch. The changes of the batch depend on it. */
export interface BatchReads {
  readonly bound: Map<string, BoundEvent | undefined>;
  /** Whether a source had a ref for an entity. */
  readonly owners: Map<string, boolean>;
  readonly names: Map<string, readonly number[]>;
  readonly fixtures: Map<string, readonly Fixture[]>;
}

export const createBatchReads = (): BatchReads => ({
  bound: new Map(),
  owners: new Map(),
  names: new Map(),
  fixtures: new Map(),
});

/** The first read counts: a difference in a later read is a change in between. */
export function noteFirstRead<Key, Value>(reads: Map<Key, Value>, key: Key, value: Value): void {
  if (!reads.has(key)) reads.set(key, value);
}

export const isSameBinding = (one: BoundEvent | undefined, other: BoundEvent | undefined): boolean =>
  one?.id === other?.id && one?.swapped === other?.swapped;

/**
 * Whether others have added rows to those that a batch has read, before it adds its own. A batch may read rows that
 * another process is flushing, and stage the same rows. So its own rows count as expected only if all of them are
 * there, as after a flush whose answer was lost.
 */
export function hasForeignAdditions<Item>(now: readonly Item[], seen: readonly Item[], own: readonly Item[]): boolean {
  const added = now.filter((item) => !seen.includes(item));
  if (added.length === 0) return false;
  return !(own.every((item) => now.includes(item)) && added.every((item) => own.includes(item)));
}

/** A fixture as text, for comparison. */
export const fixtureText = (id: number, startsAt: number): string => `${id}@${startsAt}`;

/** The changed fixtures of a pair. */
export const fixtureTextsOn = (pair: string, { fixtures }: IdentityChanges): string[] =>
  [...fixtures].flatMap(([id, fixture]) => (fixture.pair === pair ? [fixtureText(id, fixture.startsAt)] : []));

/** Row keys of the changes in which this owner key has a ref. */
export const refRowKeysOfOwner = (owner: string, { owners }: IdentityChanges): string[] =>
  [...owners].flatMap(([row, other]) => (other === owner ? [row] : []));
