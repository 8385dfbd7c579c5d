import type { SetTimer } from '../../platform/async/timer.ts';
import { type Limits, OWNER_LEASE_MS } from './limits.ts';

/** Several renewals fit into one lease, so that one lost renewal does not lose the slots. */
const HEARTBEAT_INTERVAL_MS = OWNER_LEASE_MS / 4;

/** Renews this process's lease until the returned function is called. A process with limits of its own needs none. */
export function startOwnerHeartbeat(limits: Limits, setTimer: SetTimer, onError: (error: unknown) => void): () => void {
  let hasEnded = false;
  let cancel = arm();

  function arm(): () => void {
    return setTimer(() => void renew(), HEARTBEAT_INTERVAL_MS);
  }

  async function renew(): Promise<void> {
    try {
      await limits.renew();
    } catch (error) {
      onError(error);
    }
    if (!hasEnded) cancel = arm();
  }

  return () => {
    hasEnded = true;
    cancel();
  };
}
