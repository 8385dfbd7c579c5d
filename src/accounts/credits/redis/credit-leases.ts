import type { SetTimer } from '../../../platform/async/timer.ts';
import type { AccountScriptRunner } from './account-script-runner.ts';
import { RENEW_HOLDS } from './credit-scripts.ts';

/** Credits that this process holds in Redis until it releases them, or stops renewing the lease. */
export interface CreditLease {
  /** `doubt`: a charge of which it is unknown whether the log has it. */
  readonly kind: 'hold' | 'charge' | 'doubt';
  readonly accountId: number;
  readonly id: string;
  readonly credits: number;
  /** By the monotonic clock, in milliseconds. Until then the lease is valid, as long as the server is up. */
  until: number;
}

export interface CreditLeases {
  /** Length of a lease in milliseconds. */
  readonly length: number;
  /**
   * Renews the lease until it is dropped. @param requestedAt when the request was sent to the server, by the monotonic clock
   */
  add(lease: Omit<CreditLease, 'until'>, requestedAt: number): CreditLease;
  drop(lease: CreditLease): void;
  /**
   * Whether the lease was renewed recently. After a longer pause other processes may have taken this one for dead, also
   * those that wait for `RUN_LEASE`.
   */
  isFresh(lease: CreditLease): boolean;
  /** Whether the charges of this account that are on their way to the log may continue. */
  areChargesFresh(accountId: number): boolean;
  readonly count: number;
  close(): void;
}

/** Number of renewals within a lease. */
const RENEWALS_PER_LEASE = 4;
const RENEWALS_PER_CALL = 500;

interface CreditLeasesParts {
  readonly scripts: AccountScriptRunner;
  /** Length of a lease in milliseconds. */
  readonly length: number;
  readonly steadyNow: () => number;
  readonly setTimer: SetTimer;
}

export function createCreditLeases({ scripts, length, steadyNow, setTimer }: CreditLeasesParts): CreditLeases {
  const ofAccounts = new Map<number, Set<CreditLease>>();
  let count = 0;
  let cancel: (() => void) | undefined;

  const isFresh = ({ until }: CreditLease): boolean => until - length / RENEWALS_PER_LEASE > steadyNow();

  function arm(): void {
    cancel ??= setTimer(() => {
      cancel = undefined;
      renew();
      if (count > 0) arm();
    }, length / RENEWALS_PER_LEASE);
  }

  function renew(): void {
    const requestedAt = steadyNow();
    for (const [accountId, all] of ofAccounts) {
      // Skip new leases: most of them end before they need a renewal.
      const due = [...all].filter(({ until }) => until < requestedAt + length * (1 - 1 / RENEWALS_PER_LEASE));
      for (let first = 0; first < due.length; first += RENEWALS_PER_CALL) {
        const some = due.slice(first, first + RENEWALS_PER_CALL);
        const each = some.flatMap(({ kind, id, credits }) => [kind, id, credits]);
        void scripts.send(RENEW_HOLDS, accountId, length, ...each).then((hasArrived) => {
          // A lease that expired before its renewal stays expired.
          if (hasArrived) for (const one of some) if (one.until > requestedAt) one.until = requestedAt + length;
        });
      }
    }
  }

  return {
    length,
    add(lease, requestedAt) {
      const added = { ...lease, until: requestedAt + length };
      const known = ofAccounts.get(lease.accountId);
      if (known) known.add(added);
      else ofAccounts.set(lease.accountId, new Set([added]));
      count++;
      arm();
      return added;
    },
    drop(lease) {
      const all = ofAccounts.get(lease.accountId);
      if (!all?.delete(lease)) return;
      count--;
      if (all.size === 0) ofAccounts.delete(lease.accountId);
    },
    isFresh,
    areChargesFresh(accountId) {
      for (const one of ofAccounts.get(accountId) ?? []) if (one.kind === 'charge' && !isFresh(one)) return false;
      return true;
    },
    get count() {
      return count;
    },
    close() {
      cancel?.();
      cancel = undefined;
    },
  };
}
