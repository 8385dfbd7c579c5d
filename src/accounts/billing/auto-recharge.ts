import type { AccountTerms } from '../../domain/accounts/credit-terms.ts';
import { monthOf } from '../../domain/primitives/time.ts';
import { toIsoTime } from '../../platform/clock/iso-time.ts';
import { alwaysOpenGate, type WriteGate } from '../../platform/clock/write-gate.ts';
import type { Pack } from '../../platform/settings/plans-and-packs.ts';
import type { Credits } from '../credits/credits.ts';
import type { AutoRechargeSettings, AutoRechargeStore } from './model/billing-stores.ts';
import { type BillingLogger, type BillingMailKind, ChargeOutcomeUnknown } from './payments/payment-processor.ts';
import { PurchaseNotAllowed, type Purchases } from './payments/purchases.ts';
import { toPurchaseItem } from './payments/top-ups.ts';

interface AutoRechargesParts {
  readonly registry: AutoRechargeStore;
  readonly purchases: Purchases;
  readonly credits: Pick<Credits, 'remaining'>;
  readonly packs: readonly Pack[];
  /** The terms of an account. Throws if there is no such account. */
  readonly termsOf: (accountId: number) => Promise<AccountTerms>;
  readonly mail: (accountId: number, what: BillingMailKind) => Promise<void>;
  readonly newRequestId: () => string;
  /** Milliseconds. */
  readonly now: () => number;
  /** Calls back after this many milliseconds, without keeping the process alive. */
  readonly later: (callback: () => void, milliseconds: number) => void;
  readonly log: BillingLogger;
  readonly gate?: WriteGate | undefined;
}

/** Buys a pack when a charge has left an account with few credits. */
export interface AutoRecharges {
  /** Notes that an account was charged. Returns at once, since a call waits for it. */
  noteCharge(accountId: number): void;
  /** Reads which accounts have auto-recharge on, and which of them other processes have charged. */
  refresh(): Promise<void>;
  /** Checks all accounts: the charge of a process before this one may not have been checked. */
  checkAll(): void;
  /** Resolves when all noted accounts were checked. */
  settled(): Promise<void>;
  /** Leaves the unchecked accounts to other processes, or to the next start. */
  close(): Promise<void>;
}

/** Charges within this many milliseconds are checked together. */
const CHECK_AFTER = 200;
/** Milliseconds until a failed check is repeated. There may be no later charge to cause another check. */
const RETRY_AFTER = 10_000;

export function createAutoRecharges(parts: AutoRechargesParts): AutoRecharges {
  const { registry, purchases, credits, packs, termsOf, now, later, log, gate = alwaysOpenGate } = parts;
  let enabled: ReadonlyMap<number, AutoRechargeSettings> = new Map();
  const noted = new Set<number>();
  /** Accounts whose check is to be repeated. */
  const failed = new Set<number>();
  let checking: Promise<void> | undefined;
  let isScheduled = false;
  let closed = false;

  function noteCharge(accountId: number): void {
    if (closed || !enabled.has(accountId)) return;
    noted.add(accountId);
    schedule();
  }

  function schedule(): void {
    if (isScheduled || checking || closed) return;
    isScheduled = true;
    later(() => {
      isScheduled = false;
      void check();
    }, CHECK_AFTER);
  }

  /** One check at a time. Accounts noted meanwhile are checked afterwards. */
  function check(): Promise<void> {
    checking ??= checkNoted().finally(() => {
      checking = undefined;
      if (noted.size > 0) schedule();
    });
    return checking;
  }

  async function checkNoted(): Promise<void> {
    const accounts = [...noted];
    noted.clear();
    await Promise.all(
      accounts.map(async (accountId) => {
        if (!gate.isOpen) return retryLater(accountId);
        try {
          await recharge(accountId);
        } catch (error) {
          log.error({ err: error, account_id: accountId }, 'credits run low, and no pack could be bought by itself');
          retryLater(accountId);
        }
      }),
    );
  }

  function retryLater(accountId: number): void {
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
    const settings = enabled.get(accountId);
    if (!settings || !(await isLow(accountId, settings))) return;
    const pack = packs.find(({ id }) => id === settings.packId);
    if (!pack) return stop(accountId, 'its pack is sold no more');
    const buyer = { accountId, keyId: 0, requestId: parts.newRequestId(), by: 'server' } as const;
    // Check again in the account's turn: another payment may have added credits meanwhile.
    const item = async () =>
      (await isLow(accountId, settings))
        ? ({ ...toPurchaseItem(pack), purpose: 'automatic', month: monthOf(now()) } as const)
        : null;
    const outcome = await purchases.buy(buyer, item).catch((error: unknown) => {
      // A payment is in progress or the cap is reached. An unknown outcome is settled by the payment processor.
      if (error instanceof PurchaseNotAllowed || error instanceof ChargeOutcomeUnknown) return null;
      throw error;
    });
    // No payment was begun. A declined payment turns auto-recharge off where the payment ends.
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
      enabled = await registry.listEnabled();
      const charged = await registry.drainCharged();
      for (const accountId of charged) noted.add(accountId);
      if (charged.length > 0) schedule();
      // A charged account may have turned auto-recharge on since. Its charge is noted only once, so read again; if this
      // read fails, the charge is already noted here.
      if (charged.some((accountId) => !enabled.has(accountId))) enabled = await registry.listEnabled();
    },
    checkAll() {
      for (const accountId of enabled.keys()) noteCharge(accountId);
    },
    async settled() {
      while (noted.size > 0 || checking) await check();
    },
    async close() {
      closed = true;
      await checking;
      const left = [...noted, ...failed];
      noted.clear();
      if (left.length > 0) await registry.noteCharged(left);
    },
  };
}
