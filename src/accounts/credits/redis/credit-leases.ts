import type { SetTimer } from '../../../platform/async/timer.ts';
import type { AccountScriptRunner } from './account-script-runner.ts';
import { RENEW_HOLDS } from './credit-scripts.ts';

/** What this process has at the server until it ends, or gives no more signs of life. */
export interface CreditLease {
  /** `doubt`: a charge of which nobody knows whether the log has it. */
  readonly kind: 'hold' | 'charge' | 'doubt';
  readonly accountId: number;
  readonly id: string;
  readonly credits: number;
  /** By the steady clock, in milliseconds: up to then it is there for sure, as long as the server is. */
  until: number;
}

export interface CreditLeases {
  /** Milliseconds. */
  readonly length: number;
  /** Keeps it until it is dropped. @param asked when the server was asked for it, by the steady clock */
  add(leased: Omit<CreditLease, 'until'>, asked: number): CreditLease;
  drop(leased: CreditLease): void;
  /**
   * Whether this process has given signs of life lately. One that slept for longer may have been taken for dead, by others
   * too that wait for so long (`RUN_LEASE`).
   */
  isFresh(leased: CreditLease): boolean;
  /** Whether charges of this account that are on their way to the log may go on. */
  areChargesFresh(accountId: number): boolean;
  readonly count: number;
  close(): void;
}

/** So many signs within a lease. */
const RENEWALS_PER_LEASE = 4;
const AT_ONCE = 500;

interface CreditLeasesParts {
  readonly scripts: AccountScriptRunner;
  /** Of a lease, in milliseconds. */
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
    const asked = steadyNow();
    for (const [accountId, all] of ofAccounts) {
      // One that has just begun ends mostly before it has to be renewed.
      const due = [...all].filter(({ until }) => until < asked + length * (1 - 1 / RENEWALS_PER_LEASE));
      for (let first = 0; first < due.length; first += AT_ONCE) {
        const some = due.slice(first, first + AT_ONCE);
        const each = some.flatMap(({ kind, id, credits }) => [kind, id, credits]);
        void scripts.send(RENEW_HOLDS, accountId, length, ...each).then((hasArrived) => {
          // What had lapsed before it was renewed stays so.
          if (hasArrived) for (const one of some) if (one.until > asked) one.until = asked + length;
        });
      }
    }
  }

  return {
    length,
    add(leased, asked) {
      const kept = { ...leased, until: asked + length };
      const known = ofAccounts.get(leased.accountId);
      if (known) known.add(kept);
      else ofAccounts.set(leased.accountId, new Set([kept]));
      count++;
      arm();
      return kept;
    },
    drop(leased) {
      const all = ofAccounts.get(leased.accountId);
      if (!all?.delete(leased)) return;
      count--;
      if (all.size === 0) ofAccounts.delete(leased.accountId);
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
