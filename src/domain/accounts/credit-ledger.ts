import { type LastRecordNumbers, registerRecordId } from '../event-sourcing/record-id.ts';
import { HOUR } from '../primitives/time.ts';
import type { ChargedCall } from './account-event-data.ts';
import { GIFT_KINDS, type GrantKind } from './account-event-data.ts';
import type { LedgerEvent, LedgerRecord } from './account-events.ts';

/** What is left of a grant. Milliseconds. */
interface LiveGrant {
  readonly grant: string;
  readonly kind: GrantKind;
  remaining: number;
  readonly expiresAt: number | null;
}

/** An account's credits: the sum of its ledger, entry by entry. `balance` is the sum of what the grants hold. */
export interface Ledger {
  balance: number;
  /** In the order in which they are spent: the first to expire first, bought ones last. Spent ones are gone. */
  grants: LiveGrant[];
  /** Names of the grants that were made, for each is made once. */
  made: string[];
  /** What was charged since the last monthly grant, or the last one by the operator, or ever. */
  period: { planSpent: number; boughtSpent: number };
  /** `[milliseconds, credits]` of what counts for a daily cap, the oldest first; 24 hours of it. */
  capped: [number, number][];
  declined: { invoices: string[]; hostedInvoiceUrl: string | null };
  /** Names of the calls whose charges were taken back. */
  refunded: string[];
  /** Which records are in here, by the names that their writers gave them. */
  written: LastRecordNumbers;
  /** Of the account's stream: the last record that is in here; -1: none. */
  revision: number;
}

export const WINDOW_HOURS = 24;
const WINDOW = WINDOW_HOURS * HOUR;

const gifts: readonly GrantKind[] = GIFT_KINDS;
/** Whether neither time nor an operator's order ends it: what was bought, or given beside the plan. */
export const neverExpires = (kind: GrantKind): boolean => kind === 'pack' || gifts.includes(kind);

export const newLedger = (): Ledger => ({
  balance: 0,
  grants: [],
  made: [],
  period: { planSpent: 0, boughtSpent: 0 },
  capped: [],
  declined: { invoices: [], hostedInvoiceUrl: null },
  refunded: [],
  written: [],
  revision: -1,
});

/** Credits left of bought ones, and of all others. */
export function remainingCredits({ grants }: Ledger): { readonly bought: number; readonly plan: number } {
  let bought = 0;
  let plan = 0;
  for (const { kind, remaining } of grants) {
    if (kind === 'pack') bought += remaining;
    else plan += remaining;
  }
  return { bought, plan };
}

/** What the daily cap counts at this moment: what was charged exactly 24 hours ago counts no more. */
export function cappedSpendingAt({ capped }: Ledger, now: number): number {
  let sum = 0;
  for (let i = capped.length - 1; i >= 0 && capped[i]![0] > now - WINDOW; i--) sum += capped[i]![1];
  return sum;
}

/**
 * When what the cap counts has fallen to `most`, in milliseconds: the end of the window of the last entry that has to
 * leave for that. `now` when it has already; null for less than nothing, which it never is.
 */
export function whenCappedSpendingFallsTo(ledger: Ledger, most: number, now: number): number | null {
  if (most < 0) return null;
  let sum = cappedSpendingAt(ledger, now);
  for (const [at, credits] of ledger.capped) {
    if (sum <= most) return now;
    if (at <= now - WINDOW) continue;
    sum -= credits;
    if (sum <= most) return at + WINDOW;
  }
  return now;
}

/**
 * Folds a record of the account's stream onto its ledger. Changes and returns it. What stands in the stream twice counts
 * once: a record that its writer appended again, and a grant or a refund on which two have decided.
 */
export function applyLedgerRecord(ledger: Ledger, record: LedgerRecord): Ledger {
  ledger.revision = record.revision;
  if (registerRecordId(ledger.written, record.meta.id)) applyLedgerEvent(ledger, record);
  return ledger;
}

/** The same for one that is not recorded yet. */
export function applyLedgerEvent(ledger: Ledger, fact: LedgerEvent): void {
  switch (fact.type) {
    case 'CreditsGranted': {
      const { grant, kind, credits, expiresAt } = fact.data;
      if (ledger.made.includes(grant)) break;
      if (kind === 'monthly' || kind === 'order') ledger.period = { planSpent: 0, boughtSpent: 0 };
      add(ledger, { grant, kind, remaining: credits, expiresAt: expiresAt === null ? null : Date.parse(expiresAt) });
      break;
    }
    case 'CreditsToppedUp':
      if (ledger.made.includes(fact.data.grant)) break;
      add(ledger, { grant: fact.data.grant, kind: 'pack', remaining: fact.data.credits, expiresAt: null });
      break;
    case 'CreditsExpired': {
      const { grant, credits } = fact.data;
      const live = ledger.grants.find((one) => one.grant === grant);
      if (!live) break;
      // No more than is there: two may have decided that it ends.
      const ended = Math.min(credits, live.remaining);
      live.remaining -= ended;
      ledger.balance -= ended;
      dropSpent(ledger);
      break;
    }
    case 'CreditsCharged':
      for (const charge of fact.data.charges) applyCharge(ledger, charge, fact.data.unlimited === true);
      break;
    case 'CreditsRefunded': {
      const { credits, bought, requestId } = fact.data;
      if (ledger.refunded.includes(requestId)) break;
      ledger.refunded.push(requestId);
      giveBack(ledger, `refund.${requestId}`, credits - bought, bought);
      break;
    }
    case 'InvoiceDeclined':
      if (!ledger.declined.invoices.includes(fact.data.invoice)) ledger.declined.invoices.push(fact.data.invoice);
      ledger.declined.hostedInvoiceUrl = fact.data.hostedInvoiceUrl;
      break;
    case 'InvoicePaid':
      ledger.declined = { invoices: [], hostedInvoiceUrl: null };
      break;
    // What the plan brings is granted by itself.
    case 'PlanChanged':
      break;
  }
}

/** Takes a charge from the grants, in their order. */
export function applyCharge(ledger: Ledger, charge: ChargedCall, unlimited: boolean): void {
  const { credits, bought = 0, capped } = charge;
  ledger.period.planSpent += credits - bought;
  ledger.period.boughtSpent += bought;
  if (unlimited) return;
  if (credits > bought) takeFrom(ledger, credits - bought, false);
  if (bought > 0) takeFrom(ledger, bought, true);
  ledger.balance -= credits;
  if (capped) count(ledger, Date.parse(charge.chargedAt ?? charge.at), credits - bought);
}

function takeFrom(ledger: Ledger, credits: number, bought: boolean): void {
  let left = credits;
  let isSpent = false;
  for (const grant of ledger.grants) {
    if (left === 0) break;
    if ((grant.kind === 'pack') !== bought) continue;
    const taken = Math.min(left, grant.remaining);
    grant.remaining -= taken;
    left -= taken;
    if (grant.remaining === 0) isSpent = true;
  }
  if (isSpent) dropSpent(ledger);
}

/** Entries of the same second become one, at the later time, so that no more than a day's seconds are ever kept. */
function count({ capped }: Ledger, at: number, credits: number): void {
  if (credits === 0) return;
  const last = capped.at(-1);
  if (last && Math.floor(last[0] / 1000) === Math.floor(at / 1000)) {
    last[0] = Math.max(last[0], at);
    last[1] += credits;
  } else capped.push([at, credits]);
  let gone = 0;
  while (capped[gone]![0] <= at - WINDOW) gone++;
  if (gone > 0) capped.splice(0, gone);
}

function add(ledger: Ledger, grant: LiveGrant): void {
  ledger.made.push(grant.grant);
  if (grant.remaining === 0) return;
  ledger.balance += grant.remaining;
  const rank = ({ kind, expiresAt }: LiveGrant) =>
    kind === 'pack' ? Number.POSITIVE_INFINITY : (expiresAt ?? Number.MAX_VALUE);
  const at = ledger.grants.findIndex((other) => rank(other) > rank(grant));
  ledger.grants.splice(at < 0 ? ledger.grants.length : at, 0, grant);
}

/** What was spent is there again, without an end: it was spent while it was due. */
function giveBack(ledger: Ledger, grant: string, plan: number, bought: number): void {
  ledger.period.planSpent -= plan;
  ledger.period.boughtSpent -= bought;
  if (plan > 0) add(ledger, { grant, kind: 'initial', remaining: plan, expiresAt: null });
  if (bought > 0) add(ledger, { grant: `${grant}.bought`, kind: 'pack', remaining: bought, expiresAt: null });
}

function dropSpent(ledger: Ledger): void {
  ledger.grants = ledger.grants.filter(({ remaining }) => remaining > 0);
}
