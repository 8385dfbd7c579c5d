import type { OnChange } from '../../platform/async/change-signal.ts';
import { createRepeatedWork } from '../../platform/async/repeated-work.ts';
import type { WriteGate } from '../../platform/clock/write-gate.ts';
import type { AutoRecharges } from './auto-recharge.ts';
import type { Coupons } from './coupons.ts';
import type { BillingLogger } from './payments/payment-processor.ts';
import type { Subscriptions } from './subscriptions.ts';

interface BillingJobsParts {
  readonly autoRecharges: AutoRecharges;
  readonly subscriptions: Pick<Subscriptions, 'doDue'>;
  readonly coupons: Pick<Coupons, 'resume'>;
  readonly gate: WriteGate;
  /** Tells that somebody has committed to the stores. Absent: accounts with auto-recharge are read each second. */
  readonly onCommit?: OnChange | undefined;
  /** Calls back after this many milliseconds, without keeping the process alive. */
  readonly later: (callback: () => void, milliseconds: number) => void;
  readonly log: BillingLogger;
}

/** The periodic jobs of billing, and the recovery after a crash. */
interface BillingJobs {
  start(): void;
  /** Starts no more jobs, and waits for those in progress. */
  close(): Promise<void>;
}

/** How often accounts with auto-recharge are read where nobody tells of changes, in milliseconds. */
const RECHARGES_EVERY = 1000;
/**
 * How often due months are read, in milliseconds. So a plan ends some seconds after its month, without credits for the
 * new month.
 */
const MONTHS_EVERY = 5000;
/** How often redemptions that a crash interrupted are completed, in milliseconds. */
const COUPONS_EVERY = 60_000;

export function createBillingJobs(parts: BillingJobsParts): BillingJobs {
  const { autoRecharges, subscriptions, coupons, gate, onCommit, later, log } = parts;
  let areAllChecked = false;
  const jobs = [
    repeated(MONTHS_EVERY, 'subscriptions could not be looked at', subscriptions.doDue),
    repeated(COUPONS_EVERY, 'redeemed coupons could not be looked at', coupons.resume),
    repeated(RECHARGES_EVERY, 'auto-recharges could not be looked at', lookAtRecharges, onCommit),
  ];

  function repeated(pauseMs: number, what: string, work: () => Promise<void>, onChange?: OnChange) {
    async function run(): Promise<boolean> {
      if (!gate.isOpen) return false;
      try {
        await work();
        return true;
      } catch (error) {
        log.error({ err: error }, `${what}; it is tried again`);
        return false;
      }
    }
    return createRepeatedWork({ run, pauseMs, onChange, later });
  }

  async function lookAtRecharges(): Promise<void> {
    await autoRecharges.refresh();
    if (!areAllChecked) autoRecharges.checkAll();
    areAllChecked = true;
  }

  return {
    start() {
      for (const job of jobs) job.start();
    },
    async close() {
      // Wait for the jobs first: the charged accounts that they have drained must be noted again below.
      await Promise.all(jobs.map((job) => job.stop()));
      await autoRecharges.close().catch((error: unknown) => {
        log.error({ err: error }, 'accounts that were charged could not be left to others');
      });
    },
  };
}
