import type { ConnectorStore } from './store/connector-store.ts';

/** Milliseconds until the lease expires without renewal. */
const LEASE_MS = 6000;
const RENEW_MS = LEASE_MS / 3;

interface PollingLeaseParts {
  readonly connectorStore: Pick<ConnectorStore, 'claim' | 'release'>;
  /** Identifies the process. A successor process may have the same owner name, and continues at once. */
  readonly owner: string;
  /** The wall clock and a monotonic clock; milliseconds. */
  readonly now: () => number;
  readonly steadyNow: () => number;
}

/** Decides which of several instances polls. */
interface PollingLease {
  /** Whether this instance may send requests now. */
  readonly isHeld: boolean;
  /** When to call `renew` again, in milliseconds of the monotonic clock. */
  readonly renewAt: number;
  /** Takes or renews the lease if it is time. Rejects if the registry fails; a held lease then expires. */
  renew(): Promise<void>;
  release(): Promise<void>;
}

export function createPollingLease({ connectorStore, owner, now, steadyNow }: PollingLeaseParts): PollingLease {
  let until = Number.NEGATIVE_INFINITY;
  let renewAt = Number.NEGATIVE_INFINITY;
  return {
    get isHeld() {
      return steadyNow() < until;
    },
    get renewAt() {
      return renewAt;
    },
    async renew() {
      // Measure before the call: the answer may take long.
      const at = steadyNow();
      if (at < renewAt) return;
      renewAt = at + RENEW_MS;
      until = (await connectorStore.claim(owner, now(), LEASE_MS)) ? at + LEASE_MS : Number.NEGATIVE_INFINITY;
    },
    async release() {
      until = Number.NEGATIVE_INFINITY;
      await connectorStore.release(owner);
    },
  };
}
