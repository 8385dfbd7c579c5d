import type { ConnectorStore } from './store/connector-store.ts';

/** How long the lease holds unless it is renewed. Milliseconds. */
const LEASE_MS = 6000;
const RENEW_MS = LEASE_MS / 3;

interface PollingLeaseParts {
  readonly connectorStore: Pick<ConnectorStore, 'claim' | 'release'>;
  /** Names the process. One that takes the place of another may have its name, and goes on at once. */
  readonly owner: string;
  /** The clock on the wall, and one that never goes back; milliseconds. */
  readonly now: () => number;
  readonly steadyNow: () => number;
}

/** Which of several instances polls. */
interface PollingLease {
  /** Whether this one may ask now. */
  readonly isHeld: boolean;
  /** When to `keep` again, in milliseconds of the steady clock. */
  readonly renewAt: number;
  /** Takes the lease, or renews it, where it is time. Rejects where the registry fails: what is held runs out. */
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
      // From before the question: the answer may take long.
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
