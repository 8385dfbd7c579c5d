import type { SetTimer } from '../../platform/time/timer.ts';
import { type Limits, OWNER_LEASE } from './limits.ts';

/** Several signs within a lease: one that is lost must not cost the places. */
const EVERY = OWNER_LEASE / 4;

/**
 * Gives signs of life for this process's places until the returned function is called. A process that is alone on its
 * limits needs none.
 */
export function giveSigns(limits: Limits, setTimer: SetTimer, onError: (error: unknown) => void): () => void {
  let hasEnded = false;
  let cancel = arm();

  function arm(): () => void {
    return setTimer(() => void renew(), EVERY);
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
