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
  /** Calls back after so many milliseconds. It must not keep the process alive. */
  readonly later: (callback: () => void, milliseconds: number) => void;
  readonly log: BillingLogger;
}

/** What time brings in billing, and what a crash has left. */
interface BillingJobs {
  start(): void;
  /** Begins nothing more, and waits for what is under way. */
  close(): Promise<void>;
}

/** How often it is looked at who wants auto-recharge. */
const RECHARGES_EVERY = 1000;
/** How often months are looked at: a plan that ends does so some seconds after its month, without that month's credits. */
const MONTHS_EVERY = 5000;
/** How often what a crash has left of redeemed coupons is looked for. */
const COUPONS_EVERY = 60_000;

export function createBillingJobs(parts: BillingJobsParts): BillingJobs {
  const { autoRecharges, subscriptions, coupons, gate, later, log } = parts;
  const underWay = new Set<Promise<void>>();
  let closed = false;

  /** Again and again, one at a time. */
  function every(milliseconds: number, what: string, work: () => Promise<void>): void {
    const done = (gate.isOpen ? work() : Promise.resolve())
      .catch((error: unknown) => log.error({ err: error }, `${what}; it is tried again`))
      .finally(() => {
        underWay.delete(done);
        if (closed) return;
        later(() => {
          if (!closed) every(milliseconds, what, work);
        }, milliseconds);
      });
    underWay.add(done);
  }

  return {
    start() {
      every(MONTHS_EVERY, 'subscriptions could not be looked at', subscriptions.doDue);
      every(COUPONS_EVERY, 'redeemed coupons could not be looked at', coupons.resume);
      let isFirst = true;
      every(RECHARGES_EVERY, 'auto-recharges could not be looked at', async () => {
        await autoRecharges.refresh();
        if (isFirst) autoRecharges.checkAll();
        isFirst = false;
      });
    },
    async close() {
      closed = true;
      // First: what these take from others has to be given back below.
      await Promise.all(underWay);
      await autoRecharges.close().catch((error: unknown) => {
        log.error({ err: error }, 'accounts that were charged could not be left to others');
      });
    },
  };
}
