import { SHARDS, shardOf } from '../store/webhook-shards.ts';
import type { WebhookStore } from '../store/webhook-store.ts';

/** The lease of a dispatcher. */
export interface LeaseTerms {
  /** The name of the process. A process with the name of its predecessor takes over the lease at once. */
  readonly owner: string;
  /** How long a lease lasts without renewal, in milliseconds; `Infinity` for ever. */
  readonly forMs: number;
}

/** For a store with a single dispatcher: it holds all shards, and never renews. */
export const SOLE_DISPATCHER: LeaseTerms = { owner: 'server', forMs: Number.POSITIVE_INFINITY };

interface ShardLeaseHolderParts {
  readonly store: Pick<WebhookStore, 'claim' | 'release'>;
  readonly lease: LeaseTerms;
  /** Milliseconds. */
  readonly now: () => number;
}

/** Leases shards for a dispatcher, which may send only the messages of these shards. */
interface ShardLeaseHolder {
  /** Epoch of the present lease. */
  readonly epoch: number;
  /** When the lease must be renewed at the latest. Milliseconds. */
  readonly renewAt: number;
  /** The shards to send for; undefined for all shards. */
  readonly shards: ReadonlySet<number> | undefined;
  /** Whether a message of the subscription may be sent now. */
  mayBegin(subscriptionId: number): boolean;
  holds(subscriptionId: number): boolean;
  /** Other dispatchers wait for its shard: no new attempt may begin. */
  isRequestedByOthers(subscriptionId: number): boolean;
  /** An attempt of the subscription runs until `endWork`. */
  beginWork(subscriptionId: number): void;
  /**
   * The attempt is recorded, or was not sent.
   * @returns whether a shard that others wait for can be released now
   */
  endWork(subscriptionId: number): boolean;
  /** The store reported these shards as lost. The next `renew` claims anew. */
  dropLost(shards: ReadonlySet<number>): void;
  /** Releases shards that others wait for, and renews the lease if it is time. Rejects if the store fails. */
  renew(): Promise<void>;
  /** Gives back all shards. */
  releaseAll(): Promise<void>;
}

export function createShardLeaseHolder({
  store,
  lease: { owner, forMs },
  now,
}: ShardLeaseHolderParts): ShardLeaseHolder {
  let epoch = -1;
  /** The held shards that nobody else waits for. */
  let sending: ReadonlySet<number> = new Set();
  let requested: ReadonlySet<number> = new Set();
  let until = Number.NEGATIVE_INFINITY;
  let renewAt = Number.NEGATIVE_INFINITY;
  const underWay = new Int32Array(SHARDS);

  async function releaseRequested(): Promise<void> {
    const idle = new Set([...requested].filter((shard) => underWay[shard] === 0));
    if (idle.size === 0) return;
    await store.release(owner, idle);
    requested = without(requested, idle);
  }

  async function claim(): Promise<void> {
    // Taken before the call, since the answer may take long.
    const at = now();
    const lease = await store.claim(owner, at, forMs);
    epoch = lease.epoch;
    requested = new Set(lease.requestedByOthers);
    sending = new Set(lease.shards.filter((shard) => !requested.has(shard)));
    until = at + forMs;
    renewAt = at + forMs / 3;
  }

  return {
    get epoch() {
      return epoch;
    },
    get renewAt() {
      return renewAt;
    },
    get shards() {
      return sending.size === SHARDS ? undefined : sending;
    },
    mayBegin: (subscriptionId) => sending.has(shardOf(subscriptionId)) && now() < until,
    holds: (subscriptionId) => sending.has(shardOf(subscriptionId)) || requested.has(shardOf(subscriptionId)),
    isRequestedByOthers: (subscriptionId) => requested.has(shardOf(subscriptionId)),
    beginWork(subscriptionId) {
      underWay[shardOf(subscriptionId)]!++;
    },
    endWork(subscriptionId) {
      const shard = shardOf(subscriptionId);
      underWay[shard]!--;
      return underWay[shard] === 0 && requested.has(shard);
    },
    dropLost(shards) {
      sending = without(sending, shards);
      requested = without(requested, shards);
      renewAt = Number.NEGATIVE_INFINITY;
    },
    async renew() {
      await releaseRequested();
      if (now() < renewAt) return;
      await claim();
      // Shards without running attempts need not wait for the next renewal.
      await releaseRequested();
    },
    async releaseAll() {
      if (epoch >= 0) await store.release(owner);
    },
  };
}

const without = (all: ReadonlySet<number>, some: ReadonlySet<number>): ReadonlySet<number> =>
  new Set([...all].filter((shard) => !some.has(shard)));
