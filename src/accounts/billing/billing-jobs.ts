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

/** How often accounts with auto-recharge are read, in milliseconds. */
const RECHARGES_EVERY = 1000;
/**
 * How often due months are read, in milliseconds. So a plan ends some seconds after its month, without credits for the
 * new month.
 */
const MONTHS_EVERY = 5000;
/** How often redemptions that a crash interrupted are completed, in milliseconds. */
const COUPONS_EVERY = 60_000;

export function createBillingJobs(parts: BillingJobsParts): BillingJobs {
  const { autoRecharges, subscriptions, coupons, gate, later, log } = parts;
  const running = new Set<Promise<void>>();
  let closed = false;

  /** Repeats the work, one run at a time. */
  function repeat(milliseconds: number, what: string, work: () => Promise<void>): void {
    const done = (gate.isOpen ? work() : Promise.resolve())
      .catch((error: unknown) => log.error({ err: error }, `${what}; it is tried again`))
      .finally(() => {
        running.delete(done);
        if (closed) return;
        later(() => {
          if (!closed) repeat(milliseconds, what, work);
        }, milliseconds);
      });
    running.add(done);
  }

  return {
    start() {
      repeat(MONTHS_EVERY, 'subscriptions could not be looked at', subscriptions.doDue);
      repeat(COUPONS_EVERY, 'redeemed coupons could not be looked at', coupons.resume);
      let isFirst = true;
      repeat(RECHARGES_EVERY, 'auto-recharges could not be looked at', async () => {
        await autoRecharges.refresh();
        if (isFirst) autoRecharges.checkAll();
        isFirst = false;
      });
    },
    async close() {
      closed = true;
      // Wait for the jobs first: the charged accounts that they have drained must be noted again below.
      await Promise.all(running);
      await autoRecharges.close().catch((error: unknown) => {
        log.error({ err: error }, 'accounts that were charged could not be left to others');
      });
    },
  };
}
