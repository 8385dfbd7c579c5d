import type { StandbyReport } from '../backup/standby-report.ts';
import type { LeaseHolder } from './lease-holder.ts';
import type { Standby } from './open-standby.ts';

/** A standby that is behind for so long is not what the operator expects. */
const BEHIND_SECONDS = 60;

export const standbyReport = (standby: Standby) => (): StandbyReport => {
  const { lagSeconds, failure, leaseSeconds } = standby.status();
  const isDegraded = failure !== undefined || lagSeconds > BEHIND_SECONDS;
  return { role: 'standby', isShown: true, lagSeconds, leaseSeconds, failure, isDegraded };
};

export const firstReport = (lease: LeaseHolder) => (): StandbyReport => {
  const { isFollowed, leftSeconds, failure } = lease.status();
  const isDegraded = isFollowed && !lease.gate.isOpen;
  return { role: 'first', isShown: isFollowed, lagSeconds: undefined, leaseSeconds: leftSeconds, failure, isDegraded };
};

/** What becomes of a standby that runs. */
export function createOutcome() {
  let resolve = (): void => {};
  let reject = (_: Error): void => {};
  const whenPromoted = new Promise<void>((done, failed) => {
    resolve = done;
    reject = failed;
  });
  // Whoever waits gets it.
  whenPromoted.catch(() => {});
  return {
    whenPromoted,
    promoted: () => resolve(),
    fail: (message: string) => reject(Object.assign(new Error(message), { code: 'standby_over' })),
  };
}
