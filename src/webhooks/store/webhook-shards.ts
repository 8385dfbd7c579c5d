/** Subscriptions are dealt out to dispatchers by shards: so many, however many dispatchers there are. */
export const SHARDS = 64;
export const shardOf = (subscriptionId: number): number => subscriptionId % SHARDS;

/** What a dispatcher may send for, until its lease is over. */
export interface ShardLease {
  /** Names the lease. It stays while the lease is renewed in time, and nobody ever has the same one again. */
  readonly epoch: number;
  /** Ascending. */
  readonly shards: readonly number[];
  /** Some of `shards` that others wait for: their holder begins nothing more, and releases them when all is recorded. */
  readonly requestedByOthers: readonly number[];
}

/** Somebody else may send for these shards by now: what was done for them under the lease counts no more. */
export class LeaseLost extends Error {
  readonly code = 'lease_lost';
  /** Of the call that was refused: those that the lease does not hold. */
  readonly shards: ReadonlySet<number>;
  constructor(shards: Iterable<number>) {
    super('the lease of these webhooks is lost: another process sends their messages');
    this.name = 'LeaseLost';
    this.shards = new Set(shards);
  }
}

/**
 * Deals the shards out evenly: those of older leases get the odd ones.
 * @param epochs of all leases in force, `own` among them
 * @param heldBy epoch of the lease that holds a shard; a shard that nobody holds is missing
 * @returns what `own` takes of what is free, and what others wait for of what it has
 */
export function allocateShards(epochs: readonly number[], heldBy: ReadonlyMap<number, number>, own: number) {
  const place = epochs.toSorted((a, b) => a - b).indexOf(own);
  const share = Math.floor(SHARDS / epochs.length) + (place < SHARDS % epochs.length ? 1 : 0);
  const all = Array.from({ length: SHARDS }, (_, shard) => shard);
  const held = all.filter((shard) => heldBy.get(shard) === own);
  const taken = all.filter((shard) => !heldBy.has(shard)).slice(0, Math.max(0, share - held.length));
  return { held, taken, asked: held.slice(share) };
}
