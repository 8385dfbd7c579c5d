import { createMapsByLimit, type LimitName, OWNER_LEASE_MS } from './limits.ts';

/**
 * Slots of one owner, by limit and by key. When the owner is considered dead, the whole object is dropped: a later
 * release has no effect.
 */
interface OwnerSlotCounts {
  readonly ofKeys: Record<LimitName, Map<number, number>>;
  /** Slots of inherited keys, by the key whose calls hold them too. */
  readonly shares: Map<number, SharedSlots[]>;
  /** Number of slots acquired so far. */
  count: number;
  /** Milliseconds. */
  livesUntil: number;
  isDropped: boolean;
}

/** Calls that also hold a slot of another key. */
interface SharedSlots {
  readonly of: LimitName;
  readonly keyId: number;
  /** Only calls with a smaller slot number. */
  readonly before: number;
  /** How many of these calls are still running. */
  left: number;
}

/** One slot, to be released once. */
export interface ConcurrencySlot {
  readonly of: LimitName;
  readonly keyId: number;
  readonly ownerCounts: OwnerSlotCounts;
  /** Sequence number among all slots of its owner. */
  readonly number: number;
}

/** The slots of one owner. */
interface OwnerSlots {
  /** Undefined if all owners together hold `max` slots. */
  tryAcquire(of: LimitName, keyId: number, max: number): ConcurrencySlot | undefined;
  /** Extends the owner's lease. */
  renew(): void;
}

/** The slots of all owners. */
export interface ConcurrencySlots {
  open(owner: string): OwnerSlots;
  /**
   * Running calls that hold a slot of the first key now hold one of the second too, until they end. A repetition
   * replaces the previous sharing.
   */
  share(of: LimitName, from: number, to: number): void;
}

/** @param now milliseconds; without it owners never expire, as with a single owner */
export function createConcurrencySlots(now: (() => number) | undefined): ConcurrencySlots {
  const byOwner = new Map<string, OwnerSlotCounts>();
  /** The values of `byOwner` as an array: iterating it is fastest, and nearly always there is one owner. */
  let living: OwnerSlotCounts[] = [];

  function dropDead(): void {
    if (now === undefined) return;
    const time = now();
    for (const [owner, ownerCounts] of byOwner) {
      if (ownerCounts.livesUntil > time) continue;
      ownerCounts.isDropped = true;
      byOwner.delete(owner);
    }
    living = [...byOwner.values()];
  }

  /** An owner that was considered dead starts again without slots. */
  function ofOwner(owner: string): OwnerSlotCounts {
    const known = byOwner.get(owner);
    if (known) return known;
    const livesUntil = now === undefined ? Number.POSITIVE_INFINITY : now() + OWNER_LEASE_MS;
    const ownerCounts: OwnerSlotCounts = {
      ofKeys: createMapsByLimit(),
      shares: new Map(),
      count: 0,
      livesUntil,
      isDropped: false,
    };
    byOwner.set(owner, ownerCounts);
    living.push(ownerCounts);
    return ownerCounts;
  }

  return {
    open(owner) {
      let own = ofOwner(owner);
      return {
        tryAcquire(of, keyId, max) {
          dropDead();
          if (own.isDropped) own = ofOwner(owner);
          let sum = 0;
          for (const { ofKeys } of living) sum += ofKeys[of].get(keyId) ?? 0;
          if (sum >= max) return;
          const counts = own.ofKeys[of];
          counts.set(keyId, (counts.get(keyId) ?? 0) + 1);
          return { of, keyId, ownerCounts: own, number: own.count++ };
        },
        renew() {
          dropDead();
          own = ofOwner(owner);
          if (now !== undefined) own.livesUntil = now() + OWNER_LEASE_MS;
        },
      };
    },
    share(of, from, to) {
      dropDead();
      for (const ownerCounts of living) {
        endShares(ownerCounts, of, to);
        shareOf(ownerCounts, of, from, to);
      }
    },
  };
}

export function releaseSlot({ of, keyId, ownerCounts, number }: ConcurrencySlot): void {
  subtractSlots(ownerCounts, of, keyId, 1);
  const shares = ownerCounts.shares.get(keyId);
  if (shares === undefined) return;
  for (const share of shares) {
    if (share.of !== of || number >= share.before) continue;
    share.left--;
    subtractSlots(ownerCounts, of, share.keyId, 1);
  }
  removeEndedShares(ownerCounts, keyId, shares);
}

/** The slots of `from` are held by its own calls, and by calls of other keys that share with it. */
function shareOf(ownerCounts: OwnerSlotCounts, of: LimitName, from: number, to: number): void {
  let left = ownerCounts.ofKeys[of].get(from) ?? 0;
  const given: (readonly [keyId: number, share: SharedSlots])[] = [];
  for (const [keyId, shares] of ownerCounts.shares) {
    for (const share of shares) {
      if (share.of !== of || share.keyId !== from) continue;
      left -= share.left;
      given.push([keyId, { ...share, keyId: to }]);
    }
  }
  if (left > 0) given.push([from, { of, keyId: to, before: ownerCounts.count, left }]);
  const counts = ownerCounts.ofKeys[of];
  for (const [keyId, share] of given) {
    ownerCounts.shares.set(keyId, [...(ownerCounts.shares.get(keyId) ?? []), share]);
    counts.set(to, (counts.get(to) ?? 0) + share.left);
  }
}

function endShares(ownerCounts: OwnerSlotCounts, of: LimitName, to: number): void {
  for (const [keyId, shares] of ownerCounts.shares) {
    for (const share of shares) {
      if (share.of !== of || share.keyId !== to) continue;
      subtractSlots(ownerCounts, of, to, share.left);
      share.left = 0;
    }
    removeEndedShares(ownerCounts, keyId, shares);
  }
}

function removeEndedShares(ownerCounts: OwnerSlotCounts, keyId: number, shares: readonly SharedSlots[]): void {
  const running = shares.filter(({ left }) => left > 0);
  if (running.length === 0) ownerCounts.shares.delete(keyId);
  else if (running.length < shares.length) ownerCounts.shares.set(keyId, running);
}

function subtractSlots(ownerCounts: OwnerSlotCounts, of: LimitName, keyId: number, count: number): void {
  const counts = ownerCounts.ofKeys[of];
  const left = counts.get(keyId)! - count;
  if (left === 0) counts.delete(keyId);
  else counts.set(keyId, left);
}
