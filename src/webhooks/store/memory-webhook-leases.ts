import { allocateShards, LeaseLost, shardOf } from './webhook-shards.ts';
import type { DeliveryAttempt, WebhookStore } from './webhook-store.ts';

interface Lease {
  readonly epoch: number;
  until: number;
}

/** The leases of dispatchers in memory: for tests and a single process. */
export function createMemoryWebhookLeases() {
  const leases = new Map<string, Lease>();
  /** The epoch of the lease that holds each shard. */
  const heldBy = new Map<number, number>();
  let lastEpoch = 0;

  function freeShardsOf({ epoch }: Lease): void {
    for (const [shard, holder] of heldBy) if (holder === epoch) heldBy.delete(shard);
  }

  function endOthers(owner: string, now: number): void {
    for (const [other, lease] of leases) {
      if (other === owner || lease.until > now) continue;
      leases.delete(other);
      freeShardsOf(lease);
    }
  }

  const ports: Pick<WebhookStore, 'claim' | 'release'> = {
    async claim(owner, now, forMs) {
      endOthers(owner, now);
      let lease = leases.get(owner);
      if (!lease) {
        lease = { epoch: ++lastEpoch, until: 0 };
        leases.set(owner, lease);
      }
      lease.until = now + forMs;
      const { epoch } = lease;
      const epochs = [...leases.values()].map((one) => one.epoch);
      const { held, taken: allocated, requestedByOthers } = allocateShards(epochs, heldBy, epoch);
      for (const shard of allocated) heldBy.set(shard, epoch);
      return { epoch, shards: [...held, ...allocated].sort((a, b) => a - b), requestedByOthers };
    },
    async release(owner, shards) {
      const lease = leases.get(owner);
      if (!lease) return;
      if (shards === undefined) {
        leases.delete(owner);
        freeShardsOf(lease);
        return;
      }
      for (const shard of shards) if (heldBy.get(shard) === lease.epoch) heldBy.delete(shard);
    },
  };

  return {
    ports,
    /** @throws LeaseLost */
    refuseLost(attempts: readonly DeliveryAttempt[], epoch: number): void {
      const lost = attempts
        .map(({ message }) => shardOf(message.subscriptionId))
        .filter((shard) => heldBy.get(shard) !== epoch);
      if (lost.length > 0) throw new LeaseLost(lost);
    },
  };
}
