import type { Fixture, SidedFixture } from './identities.ts';

export interface BoundId {
  readonly id: number;
  readonly swapped: boolean;
}

/** Changes of names and fixtures that are not in the database yet, by the texts of their rows (`known-key.ts`). */
export interface IdentityChanges {
  readonly bound: Map<string, BoundId>;
  readonly owners: Map<string, string>;
  readonly names: Map<string, readonly number[]>;
  readonly fixtures: Map<number, SidedFixture>;
  /** Sources that have named something. */
  readonly sources: Set<string>;
}

export const createIdentityChanges = (): IdentityChanges => ({
  bound: new Map(),
  owners: new Map(),
  names: new Map(),
  fixtures: new Map(),
  sources: new Set(),
});

export const hasNoChanges = ({ bound, names, fixtures }: IdentityChanges): boolean =>
  bound.size === 0 && names.size === 0 && fixtures.size === 0;

/** The database as a batch has found it, at the first look. Its changes rest on that. */
export interface BatchReads {
  readonly bound: Map<string, BoundId | undefined>;
  /** Whether a source had a ref for a thing. */
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

/** The first look counts: what differs at a later one was changed in between. */
export function noteFirstRead<Key, Value>(reads: Map<Key, Value>, key: Key, value: Value): void {
  if (!reads.has(key)) reads.set(key, value);
}

export const isSameBinding = (one: BoundId | undefined, other: BoundId | undefined): boolean =>
  one?.id === other?.id && one?.swapped === other?.swapped;

/**
 * Whether others have added to what a batch has read, before it adds its own. A batch may come upon what another
 * flushes meanwhile, and say it too: so what is its own excuses it only where all of its own stands, as after a flush
 * whose answer was lost.
 */
export function hasForeignAdditions<Item>(now: readonly Item[], seen: readonly Item[], own: readonly Item[]): boolean {
  const added = now.filter((item) => !seen.includes(item));
  if (added.length === 0) return false;
  return !(own.every((item) => now.includes(item)) && added.every((item) => own.includes(item)));
}

/** A fixture as text, to be compared. */
export const fixtureText = (id: number, startsAt: number): string => `${id}@${startsAt}`;

/** Those of the changes that stand on a pair. */
export const fixtureTextsOn = (pair: string, { fixtures }: IdentityChanges): string[] =>
  [...fixtures].flatMap(([id, fixture]) => (fixture.pair === pair ? [fixtureText(id, fixture.startsAt)] : []));

/** Rows of the changes by which a source has a ref for a thing. */
export const refRowKeysOfOwner = (owner: string, { owners }: IdentityChanges): string[] =>
  [...owners].flatMap(([row, other]) => (other === owner ? [row] : []));
