import type { SetTimer } from '../../platform/async/timer.ts';
import { type Limits, OWNER_LEASE_MS } from './limits.ts';

/** Several signs within a lease: one that is lost must not cost the places. */
const HEARTBEAT_INTERVAL_MS = OWNER_LEASE_MS / 4;

/**
 * Gives signs of life for this process's places until the returned function is called. A process that is alone on its
 * limits needs none.
 */
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
