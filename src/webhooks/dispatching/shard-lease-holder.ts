import { SHARDS, shardOf } from '../store/webhook-shards.ts';
import type { WebhookStore } from '../store/webhook-store.ts';

/** How a dispatcher holds what it sends for. */
export interface LeaseTerms {
  /** Names the process. One that takes the place of another may have its name, and goes on at once. */
  readonly owner: string;
  /** How long a lease holds unless it is renewed, in milliseconds; `Infinity`: for good. */
  readonly forMs: number;
}

/** The only dispatcher that its store ever has: it holds everything, and has nothing to renew. */
export const SOLE_DISPATCHER: LeaseTerms = { owner: 'server', forMs: Number.POSITIVE_INFINITY };

interface ShardLeaseHolderParts {
  readonly store: Pick<WebhookStore, 'claim' | 'release'>;
  readonly lease: LeaseTerms;
  /** Milliseconds. */
  readonly now: () => number;
}

/** What of a dispatcher's messages it may send: those of the shards that it has leased. */
interface ShardLeaseHolder {
  /** Of the lease that is held. */
  readonly epoch: number;
  /** When it is to be renewed at the latest. Milliseconds. */
  readonly renewAt: number;
  /** Those that messages are taken for; undefined: all that there are. */
  readonly shards: ReadonlySet<number> | undefined;
  /** Whether a message of the subscription may be sent now. */
  mayBegin(subscriptionId: number): boolean;
  holds(subscriptionId: number): boolean;
  /** Others wait for it: nothing more of it begins. */
  isRequestedByOthers(subscriptionId: number): boolean;
  /** Something of the subscription is under way, and counts until `end`. */
  beginWork(subscriptionId: number): void;
  /** It is recorded, or was not sent. @returns whether a shard that others wait for can be released now */
  endWork(subscriptionId: number): boolean;
  /** The store has said so: what is left is claimed at the next `keep`. */
  dropLost(shards: ReadonlySet<number>): void;
  /** Releases what others wait for, and renews what is held, where it is time. Rejects where the store fails. */
  renew(): Promise<void>;
  /** Gives all of it back. */
  releaseAll(): Promise<void>;
}

export function createShardLeaseHolder({
  store,
  lease: { owner, forMs },
  now,
}: ShardLeaseHolderParts): ShardLeaseHolder {
  let epoch = -1;
  /** What is held, but for what is asked for. */
  let sending: ReadonlySet<number> = new Set();
  let asked: ReadonlySet<number> = new Set();
  let until = Number.NEGATIVE_INFINITY;
  let renewAt = Number.NEGATIVE_INFINITY;
  const underWay = new Int32Array(SHARDS);

  async function releaseAsked(): Promise<void> {
    const idle = new Set([...asked].filter((shard) => underWay[shard] === 0));
    if (idle.size === 0) return;
    await store.release(owner, idle);
    asked = without(asked, idle);
  }

  async function claim(): Promise<void> {
    // From before the question: the answer may take long.
    const at = now();
    const lease = await store.claim(owner, at, forMs);
    epoch = lease.epoch;
    asked = new Set(lease.requestedByOthers);
    sending = new Set(lease.shards.filter((shard) => !asked.has(shard)));
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
    holds: (subscriptionId) => sending.has(shardOf(subscriptionId)) || asked.has(shardOf(subscriptionId)),
    isRequestedByOthers: (subscriptionId) => asked.has(shardOf(subscriptionId)),
    beginWork(subscriptionId) {
      underWay[shardOf(subscriptionId)]!++;
    },
    endWork(subscriptionId) {
      const shard = shardOf(subscriptionId);
      underWay[shard]!--;
      return underWay[shard] === 0 && asked.has(shard);
    },
    dropLost(shards) {
      sending = without(sending, shards);
      asked = without(asked, shards);
      renewAt = Number.NEGATIVE_INFINITY;
    },
    async renew() {
      await releaseAsked();
      if (now() < renewAt) return;
      await claim();
      // What has nothing under way need not wait for the next time.
      await releaseAsked();
    },
    async releaseAll() {
      if (epoch >= 0) await store.release(owner);
    },
  };
}

const without = (all: ReadonlySet<number>, some: ReadonlySet<number>): ReadonlySet<number> =>
  new Set([...all].filter((shard) => !some.has(shard)));
