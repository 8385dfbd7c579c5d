import type { AccountTerms } from '../../domain/accounts/credit-terms.ts';
import { monthOf } from '../../domain/primitives/time.ts';
import { alwaysOpenGate, type WriteGate } from '../../platform/clock/write-gate.ts';
import type { Pack } from '../../platform/settings/plans-and-packs.ts';
import type { Credits } from '../credits/credits.ts';
import type { AutoRechargeSettings, AutoRechargeStore } from './model/billing-stores.ts';
import { toIsoTime } from './model/subscription-schedule.ts';
import { type BillingLogger, type BillingMailKind, ChargeOutcomeUnknown } from './payments/payment-processor.ts';
import { PurchaseNotAllowed, type Purchases } from './payments/purchases.ts';
import { toPurchaseItem } from './payments/top-ups.ts';

interface AutoRechargesParts {
  readonly registry: AutoRechargeStore;
  readonly purchases: Purchases;
  readonly credits: Pick<Credits, 'remaining'>;
  readonly packs: readonly Pack[];
  /** Of an account that exists. */
  readonly termsOf: (accountId: number) => Promise<AccountTerms>;
  readonly mail: (accountId: number, what: BillingMailKind) => Promise<void>;
  readonly newRequestId: () => string;
  /** Milliseconds. */
  readonly now: () => number;
  /** Calls back after so many milliseconds. It must not keep the process alive. */
  readonly later: (callback: () => void, milliseconds: number) => void;
  readonly log: BillingLogger;
  readonly gate?: WriteGate | undefined;
}

/** Buys packs for accounts that run low, when a charge has left them so. */
export interface AutoRecharges {
  /** An account was charged. At once: a call waits for it. */
  noteCharge(accountId: number): void;
  /** Looks which accounts want it, and which of them others have charged. */
  refresh(): Promise<void>;
  /** Looks at all of them: a charge may have been the last thing that a process before this one did. */
  checkAll(): void;
  /** Resolves when what is noted was looked at. */
  settled(): Promise<void>;
  /** What was not looked at is left to others, or to the next start. */
  close(): Promise<void>;
}

/** Charges of so many milliseconds are looked at together. */
const CHECK_AFTER = 200;
/** Milliseconds after which a look that failed is tried again: no other charge may come that asks for it. */
const RETRY_AFTER = 10_000;

export function createAutoRecharges(parts: AutoRechargesParts): AutoRecharges {
  const { registry, purchases, credits, packs, termsOf, now, later, log, gate = alwaysOpenGate } = parts;
  let turnedOn: ReadonlyMap<number, AutoRechargeSettings> = new Map();
  const noted = new Set<number>();
  /** To be looked at again. */
  const failed = new Set<number>();
  let looking: Promise<void> | undefined;
  let isScheduled = false;
  let closed = false;

  function noteCharge(accountId: number): void {
    if (closed || !turnedOn.has(accountId)) return;
    noted.add(accountId);
    schedule();
  }

  function schedule(): void {
    if (isScheduled || looking || closed) return;
    isScheduled = true;
    later(() => {
      isScheduled = false;
      void look();
    }, CHECK_AFTER);
  }

  /** One look at a time: what is noted meanwhile has the next one. */
  function look(): Promise<void> {
    looking ??= lookAtNoted().finally(() => {
      looking = undefined;
      if (noted.size > 0) schedule();
    });
    return looking;
  }

  async function lookAtNoted(): Promise<void> {
    const accounts = [...noted];
    noted.clear();
    await Promise.all(
      accounts.map(async (accountId) => {
        if (!gate.isOpen) return lookAgain(accountId);
        try {
          await recharge(accountId);
        } catch (error) {
          log.error({ err: error, account_id: accountId }, 'credits run low, and no pack could be bought by itself');
          lookAgain(accountId);
        }
      }),
    );
  }

  function lookAgain(accountId: number): void {
    failed.add(accountId);
    later(() => {
      if (closed) return;
      failed.delete(accountId);
      noteCharge(accountId);
    }, RETRY_AFTER);
  }

  async function isLow(accountId: number, { threshold }: AutoRechargeSettings): Promise<boolean> {
    const remaining = await credits.remaining(await termsOf(accountId));
    return remaining !== undefined && remaining < threshold;
  }

  async function recharge(accountId: number): Promise<void> {
    const settings = turnedOn.get(accountId);
    if (!settings || !(await isLow(accountId, settings))) return;
    const pack = packs.find(({ id }) => id === settings.packId);
    if (!pack) return stop(accountId, 'its pack is sold no more');
    const buyer = { accountId, keyId: 0, requestId: parts.newRequestId(), by: 'server' } as const;
    // In the account's turn it is looked at again: a pack may have come in between.
    const item = async () =>
      (await isLow(accountId, settings))
        ? ({ ...toPurchaseItem(pack), purpose: 'automatic', month: monthOf(now()) } as const)
        : null;
    const outcome = await purchases.buy(buyer, item).catch((error: unknown) => {
      // One is under way, or the cap is reached; and what is unclear is looked for elsewhere.
      if (error instanceof PurchaseNotAllowed || error instanceof ChargeOutcomeUnknown) return null;
      throw error;
    });
    // Nothing has begun. A decline is told where the payment ends.
    if (outcome?.outcome !== 'payment_method_required' || !(await registry.find(accountId))?.isOn) return;
    await stop(accountId, 'there is no card on file');
  }

  async function stop(accountId: number, why: string): Promise<void> {
    await parts.mail(accountId, 'auto_recharge_declined').catch((error) => {
      log.error({ err: error, account_id: accountId }, 'nobody could be written that auto-recharge was turned off');
    });
    await registry.disable(accountId, `Auto-recharge was turned off: ${why}.`, toIsoTime(now()));
  }

  return {
    noteCharge,
    async refresh() {
      turnedOn = await registry.listEnabled();
      const charged = await registry.drainCharged();
      for (const accountId of charged) noted.add(accountId);
      if (charged.length > 0) schedule();
      // One of them may have turned it on since. Nobody else is told of it: where this fails it has been noted.
      if (charged.some((accountId) => !turnedOn.has(accountId))) turnedOn = await registry.listEnabled();
    },
    checkAll() {
      for (const accountId of turnedOn.keys()) noteCharge(accountId);
    },
    async settled() {
      while (noted.size > 0 || looking) await look();
    },
    async close() {
      closed = true;
      await looking;
      const left = [...noted, ...failed];
      noted.clear();
      if (left.length > 0) await registry.noteCharged(left);
    },
  };
}
