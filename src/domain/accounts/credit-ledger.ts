import { type LastRecordNumbers, registerRecordId } from '../event-sourcing/record-id.ts';
import type { ChargedCall } from './account-event-data.ts';
import { GIFT_KINDS, type GrantKind } from './account-event-data.ts';
import type { LedgerEvent, LedgerRecord } from './account-events.ts';
import { addKeySpending, type KeySpending, refundKeySpending } from './key-spending.ts';
import { type SpendingWindow, WINDOW } from './spending-window.ts';

/** A grant with the credits that are left. Times are milliseconds. */
interface LiveGrant {
  readonly grant: string;
  readonly kind: GrantKind;
  remaining: number;
  readonly expiresAt: number | null;
}

/** The credits of an account. `balance` is the sum of the credits that are left of the grants. */
export interface Ledger {
  balance: number;
  /** In spending order: the grant that expires first comes first, bought credits last. A used-up grant is removed. */
  grants: LiveGrant[];
  /** Names of all grants ever made: each name is granted once. */
  made: string[];
  /** Credits charged since the last monthly grant or operator order, or since the beginning. */
  period: {
    planSpent: number;
    boughtSpent: number;
    /** The part of `planSpent` that gifts have paid. */
    giftSpent: number;
  };
  /** Charges that count against the plan's daily cap. */
  capped: SpendingWindow;
  /** Charges that count against the daily caps of keys; absent: no key with a cap has been charged. */
  ofKeys?: KeySpending;
  declined: { invoices: string[]; hostedInvoiceUrl: string | null };
  /** Request ids of refunded calls. */
  refunded: string[];
  /** Detects records that a writer appended twice. */
  written: LastRecordNumbers;
  /** Revision of the last record applied; -1: none. */
  revision: number;
}

const gifts: readonly GrantKind[] = GIFT_KINDS;
/** Whether credits of this kind never expire and are not replaced by an operator order: bought credits and gifts. */
export const neverExpires = (kind: GrantKind): boolean => kind === 'pack' || gifts.includes(kind);

export const newLedger = (): Ledger => ({
  balance: 0,
  grants: [],
  made: [],
  period: { planSpent: 0, boughtSpent: 0, giftSpent: 0 },
  capped: [],
  declined: { invoices: [], hostedInvoiceUrl: null },
  refunded: [],
  written: [],
  revision: -1,
});

/** Credits left, bought ones separately. `gifts` are a part of `plan`: they are spent as the plan's. */
export function remainingCredits({ grants }: Ledger): {
  readonly bought: number;
  readonly plan: number;
  readonly gifts: number;
} {
  let bought = 0;
  let plan = 0;
  let given = 0;
  for (const { kind, remaining } of grants) {
    if (kind === 'pack') bought += remaining;
    else plan += remaining;
    if (gifts.includes(kind)) given += remaining;
  }
  return { bought, plan, gifts: given };
}

/**
 * Applies a record of the account's stream to its ledger; changes and returns the ledger. A duplicate counts once: a
 * record that its writer appended twice, or a grant or refund that was decided twice.
 */
export function applyLedgerRecord(ledger: Ledger, record: LedgerRecord): Ledger {
  ledger.revision = record.revision;
  if (registerRecordId(ledger.written, record.meta.id)) applyLedgerEvent(ledger, record);
  return ledger;
}

/** Applies an event that is not recorded yet. */
export function applyLedgerEvent(ledger: Ledger, event: LedgerEvent): void {
  switch (event.type) {
    case 'CreditsGranted': {
      const { grant, kind, credits, expiresAt } = event.data;
      if (ledger.made.includes(grant)) break;
      if (kind === 'monthly' || kind === 'order') ledger.period = newLedger().period;
      addGrant(ledger, {
        grant,
        kind,
        remaining: credits,
        expiresAt: expiresAt === null ? null : Date.parse(expiresAt),
      });
      break;
    }
    case 'CreditsToppedUp':
      if (ledger.made.includes(event.data.grant)) break;
      addGrant(ledger, { grant: event.data.grant, kind: 'pack', remaining: event.data.credits, expiresAt: null });
      break;
    case 'CreditsExpired': {
      const { grant, credits } = event.data;
      const live = ledger.grants.find((one) => one.grant === grant);
      if (!live) break;
      // Expire at most what is left: the expiry may have been decided twice.
      const expired = Math.min(credits, live.remaining);
      live.remaining -= expired;
      ledger.balance -= expired;
      dropSpent(ledger);
      break;
    }
    case 'CreditsCharged':
      for (const charge of event.data.charges) applyCharge(ledger, charge, event.data.unlimited === true);
      break;
    case 'CreditsRefunded': {
      const { credits, bought, requestId, at, ofKey } = event.data;
      if (ledger.refunded.includes(requestId)) break;
      ledger.refunded.push(requestId);
      if (ofKey && ledger.ofKeys) {
        const refund = { chargedAt: Date.parse(ofKey.chargedAt), refundedAt: Date.parse(at), credits };
        refundKeySpending(ledger.ofKeys, ofKey.keyId, refund);
      }
      returnCredits(ledger, `refund.${requestId}`, credits - bought, bought);
      break;
    }
    case 'InvoiceDeclined':
      if (!ledger.declined.invoices.includes(event.data.invoice)) ledger.declined.invoices.push(event.data.invoice);
      ledger.declined.hostedInvoiceUrl = event.data.hostedInvoiceUrl;
      break;
    case 'InvoicePaid':
      ledger.declined = { invoices: [], hostedInvoiceUrl: null };
      break;
    // The credits of a plan are granted by an event of their own.
    case 'PlanChanged':
      break;
  }
}

/** Spends the credits of a charge from the grants, in spending order. */
export function applyCharge(ledger: Ledger, charge: ChargedCall, unlimited: boolean): void {
  const { credits, bought = 0, capped } = charge;
  ledger.period.planSpent += credits - bought;
  ledger.period.boughtSpent += bought;
  if (charge.ofKey && charge.keyId !== null) {
    ledger.ofKeys ??= {};
    addKeySpending(ledger.ofKeys, charge.keyId, chargeTime(charge), credits);
  }
  if (unlimited) return;
  if (credits > bought) spendFrom(ledger, credits - bought, false);
  if (bought > 0) spendFrom(ledger, bought, true);
  ledger.balance -= credits;
  if (capped) addCappedCharge(ledger, chargeTime(charge), credits - bought);
}

const chargeTime = ({ at, chargedAt }: ChargedCall): number => Date.parse(chargedAt ?? at);

function spendFrom(ledger: Ledger, credits: number, bought: boolean): void {
  let remaining = credits;
  let isSpent = false;
  for (const grant of ledger.grants) {
    if (remaining === 0) break;
    if ((grant.kind === 'pack') !== bought) continue;
    const spent = Math.min(remaining, grant.remaining);
    grant.remaining -= spent;
    remaining -= spent;
    if (gifts.includes(grant.kind)) ledger.period.giftSpent += spent;
    if (grant.remaining === 0) isSpent = true;
  }
  if (isSpent) dropSpent(ledger);
}

/**
 * Charges of the same second are merged under the later time, so that the list has at most one entry per second of a
 * day.
 */
function addCappedCharge({ capped }: Ledger, at: number, credits: number): void {
  if (credits === 0) return;
  const last = capped.at(-1);
  if (last && Math.floor(last[0] / 1000) === Math.floor(at / 1000)) {
    last[0] = Math.max(last[0], at);
    last[1] += credits;
  } else capped.push([at, credits]);
  let expiredCount = 0;
  while (capped[expiredCount]![0] <= at - WINDOW) expiredCount++;
  if (expiredCount > 0) capped.splice(0, expiredCount);
}

function addGrant(ledger: Ledger, grant: LiveGrant): void {
  ledger.made.push(grant.grant);
  if (grant.remaining === 0) return;
  ledger.balance += grant.remaining;
  const rank = ({ kind, expiresAt }: LiveGrant) =>
    kind === 'pack' ? Number.POSITIVE_INFINITY : (expiresAt ?? Number.MAX_VALUE);
  const at = ledger.grants.findIndex((other) => rank(other) > rank(grant));
  ledger.grants.splice(at < 0 ? ledger.grants.length : at, 0, grant);
}

/** Refunded credits never expire: they were spent before their grant expired. */
function returnCredits(ledger: Ledger, grant: string, plan: number, bought: number): void {
  ledger.period.planSpent -= plan;
  ledger.period.boughtSpent -= bought;
  if (plan > 0) addGrant(ledger, { grant, kind: 'initial', remaining: plan, expiresAt: null });
  if (bought > 0) addGrant(ledger, { grant: `${grant}.bought`, kind: 'pack', remaining: bought, expiresAt: null });
}

function dropSpent(ledger: Ledger): void {
  ledger.grants = ledger.grants.filter(({ remaining }) => remaining > 0);
}
