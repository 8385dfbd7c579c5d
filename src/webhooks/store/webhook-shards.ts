/** Subscriptions are divided among dispatchers by shards. Their number is fixed, however many dispatchers there are. */
export const SHARDS = 64;
export const shardOf = (subscriptionId: number): number => subscriptionId % SHARDS;

/** The shards that a dispatcher may send for until its lease ends. */
export interface ShardLease {
  /** Identifies the lease. It stays the same while the lease is renewed in time, and is never reused. */
  readonly epoch: number;
  /** Ascending. */
  readonly shards: readonly number[];
  /**
   * The part of `shards` that other dispatchers wait for. The holder starts nothing more for them, and releases them
   * when all attempts are recorded.
   */
  readonly requestedByOthers: readonly number[];
}

/** Another dispatcher may send for these shards by now, so work done under the lease does not count. */
export class LeaseLost extends Error {
  readonly code = 'lease_lost';
  /** The shards of the refused call that the lease does not hold. */
  readonly shards: ReadonlySet<number>;
  constructor(shards: Iterable<number>) {
    super('the lease of these webhooks is lost: another process sends their messages');
    this.name = 'LeaseLost';
    this.shards = new Set(shards);
  }
}

/**
 * Divides the shards evenly. If the division leaves a remainder, older leases get one shard more.
 * @param epochs of all leases in force, including `own`
 * @param heldBy the epoch of the lease that holds each shard; free shards are missing
 * @returns what `own` holds, which free shards are allocated to it, and which held shards others wait for
 */
export function allocateShards(epochs: readonly number[], heldBy: ReadonlyMap<number, number>, own: number) {
  const index = epochs.toSorted((a, b) => a - b).indexOf(own);
  const share = Math.floor(SHARDS / epochs.length) + (index < SHARDS % epochs.length ? 1 : 0);
  const all = Array.from({ length: SHARDS }, (_, shard) => shard);
  const held = all.filter((shard) => heldBy.get(shard) === own);
  const allocated = all.filter((shard) => !heldBy.has(shard)).slice(0, Math.max(0, share - held.length));
  return { held, taken: allocated, requestedByOthers: held.slice(share) };
}
