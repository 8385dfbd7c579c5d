import type { AnsweredCall, ChargedCall } from '../src/domain/accounts/account-event-data.ts';
import { createAccountEvent, type LedgerEvent, type LedgerEventData } from '../src/domain/accounts/account-events.ts';
import { type Ledger, neverExpires, remainingCredits } from '../src/domain/accounts/credit-ledger.ts';
import { type AccountTerms, dailyCapOf, isUnlimited, type KeyCap } from '../src/domain/accounts/credit-terms.ts';
import { spendingAt, whenSpendingFallsTo } from '../src/domain/accounts/spending-window.ts';
import { formatTime, HOUR, monthOf, startOfNextMonth } from '../src/domain/primitives/time.ts';

/**
 * The expiries and grants due now, from the plan, the month, or the operator. After they are applied, the same call
 * returns nothing.
 * @param reserved credits held for running calls: they must not expire under these
 */
export function decideDue(terms: AccountTerms, ledger: Ledger, reserved: number, now: number): LedgerEvent[] {
  const { accountId, order } = terms;
  const at = formatTime(now);
  const grants = dueGrants(terms, now).filter(({ grant }) => !isGranted(ledger, grant));
  // An operator order replaces all credits of the plan.
  const isReplaced = order !== null && grants.length > 0;
  let free = ledger.balance - reserved;
  // The new grants cover reserved credits too, so that what has expired may go in this very decision.
  const granted = grants.reduce((sum, { credits }) => sum + credits, 0);
  const events: LedgerEvent[] = [];
  for (const { grant, kind, remaining, expiresAt } of ledger.grants) {
    const hasEnded = expiresAt !== null && expiresAt <= now;
    if (neverExpires(kind) || !(isReplaced || hasEnded)) continue;
    const credits = Math.min(remaining, hasEnded ? free + granted : free);
    if (credits <= 0) continue;
    free -= credits;
    events.push(createAccountEvent('CreditsExpired', { accountId, at, grant, credits }));
  }
  for (const due of grants) events.push(createAccountEvent('CreditsGranted', { accountId, at, ...due }));
  return events;
}

/** A month that was paid for in part has its own grant, and gets no grant for the whole month. */
const isGranted = ({ made }: Ledger, grant: string): boolean =>
  made.some((name) => name === grant || (grant.startsWith('monthly.') && name.startsWith(`${grant}.`)));

function dueGrants(terms: AccountTerms, now: number) {
  const { createdAt, plan, initialCredits, monthlyCredits, monthlyUntil, creditsExpireHours, order } = terms;
  if (order !== null) {
    const grant = `order.${formatTime(order.at)}`;
    return [{ grant, kind: 'order' as const, credits: order.credits, expiresAt: null }];
  }
  const grants = [];
  if (initialCredits !== null && initialCredits > 0) {
    const end = creditsExpireHours === null ? null : createdAt + creditsExpireHours * HOUR;
    // Do not grant credits that have already expired: the current call could still spend them.
    if (end === null || end > now) {
      const expiresAt = end === null ? null : formatTime(end);
      grants.push({ grant: `initial.${plan}`, kind: 'initial' as const, credits: initialCredits, expiresAt });
    }
  }
  // The plan may have ended with a month before the account was moved to another plan.
  if (monthlyCredits > 0 && (monthlyUntil === undefined || now < monthlyUntil)) {
    const month = monthOf(now);
    const expiresAt = formatTime(startOfNextMonth(now));
    grants.push({ grant: `monthly.${month}`, kind: 'monthly' as const, credits: monthlyCredits, expiresAt });
  }
  return grants;
}

/** When `decideDue` may next return events because of time: milliseconds, or infinity. */
export function nextDueTime(terms: AccountTerms, ledger: Ledger, now: number): number {
  let next = Number.POSITIVE_INFINITY;
  for (const { expiresAt } of ledger.grants) if (expiresAt !== null) next = Math.min(next, expiresAt);
  if (terms.order === null && terms.monthlyCredits > 0) next = Math.min(next, startOfNextMonth(now));
  return next;
}

/** Whether the credits of a trial have expired. */
export const isTrialExpired = ({ plan, order, createdAt, creditsExpireHours }: AccountTerms, now: number): boolean =>
  plan === 'trial' && order === null && creditsExpireHours !== null && now >= createdAt + creditsExpireHours * HOUR;

/** Why a call may not run; null if it may, by the settled credits. */
export type Refusal =
  | { readonly code: 'payment_failed'; readonly hostedInvoiceUrl: string | null }
  | { readonly code: 'insufficient_credits'; readonly left: number; readonly isTrialExpired: boolean }
  | CapRefusal;

/** The cap of the plan, or that of the key. `resetsAt` is null if the call can cost more than the whole cap. */
export interface CapRefusal {
  readonly code: 'daily_credit_cap_exceeded' | 'credit_cap_exceeded';
  readonly cap: number;
  readonly resetsAt: number | null;
}

const DECLINED_INVOICES = 2;

/**
 * @param ledger must include all that is due now
 * @param maxCost the highest possible cost of the call
 * @param keyCap the cap of the calling key; undefined: it has none
 */
export function decideRefusal(
  terms: AccountTerms,
  ledger: Ledger,
  maxCost: number,
  now: number,
  keyCap?: KeyCap,
): Refusal | null {
  const { invoices, hostedInvoiceUrl } = ledger.declined;
  if (invoices.length >= DECLINED_INVOICES) return { code: 'payment_failed', hostedInvoiceUrl };
  return planRefusal(terms, ledger, maxCost, now) ?? (keyCap ? keyRefusal(ledger, maxCost, now, keyCap) : null);
}

function planRefusal(terms: AccountTerms, ledger: Ledger, maxCost: number, now: number): Refusal | null {
  if (isUnlimited(terms)) return null;
  if (ledger.balance < maxCost) {
    const left = ledger.balance;
    return { code: 'insufficient_credits', left, isTrialExpired: isTrialExpired(terms, now) };
  }
  const cap = dailyCapOf(terms);
  if (cap === null || spendableCredits(terms, ledger, now) >= maxCost) return null;
  const resetsAt = whenSpendingFallsTo(ledger.capped, cap - (maxCost - remainingCredits(ledger).bought), now);
  return { code: 'daily_credit_cap_exceeded', cap, resetsAt };
}

function keyRefusal(ledger: Ledger, maxCost: number, now: number, keyCap: KeyCap): Refusal | null {
  if (spendableByKey(ledger, keyCap, now) >= maxCost) return null;
  const { keyId, credits: cap } = keyCap;
  const resetsAt = whenSpendingFallsTo(ledger.ofKeys?.[keyId] ?? [], cap - maxCost, now);
  return { code: 'credit_cap_exceeded', cap, resetsAt };
}

/** What the key may still spend now by its own cap. */
export const spendableByKey = (ledger: Ledger, { keyId, credits }: KeyCap, now: number): number =>
  credits - spendingAt(ledger.ofKeys?.[keyId] ?? [], now);

/** Credits that can be spent now: the plan's up to its daily cap, plus bought ones. Infinity: no limit. */
export function spendableCredits(terms: AccountTerms, ledger: Ledger, now: number): number {
  if (isUnlimited(terms)) return Number.POSITIVE_INFINITY;
  const cap = dailyCapOf(terms);
  if (cap === null) return ledger.balance;
  const { plan, bought } = remainingCredits(ledger);
  return Math.min(plan, Math.max(0, cap - spendingAt(ledger.capped, now))) + bought;
}

/** The charge of a call whose credits were reserved: from the plan first, up to its cap, then from bought credits. */
export function decideCharge(
  terms: AccountTerms,
  ledger: Ledger,
  call: AnsweredCall,
  credits: number,
  now: number,
): ChargedCall {
  if (isUnlimited(terms)) return plainCharge(call, credits);
  const cap = dailyCapOf(terms);
  if (cap === null && ledger.grants[0]?.kind !== 'pack' && ledger.grants[0]!.remaining >= credits) {
    return plainCharge(call, credits);
  }
  const left = remainingCredits(ledger);
  const capLeft = cap === null ? Number.POSITIVE_INFINITY : Math.max(0, cap - spendingAt(ledger.capped, now));
  // Reserved credits are available, whatever the cap says now: a charge is never dropped because of the cap.
  const fromPlan = Math.max(Math.min(credits, left.plan, capLeft), credits - left.bought);
  return createCharge(terms, call, credits, credits - fromPlan, now);
}

/** Creates a charge when the number of bought credits is known. */
export function createCharge(
  terms: AccountTerms,
  call: AnsweredCall,
  credits: number,
  bought: number,
  now: number,
): ChargedCall {
  if (isUnlimited(terms)) return plainCharge(call, credits);
  const isCapped = dailyCapOf(terms) !== null;
  const chargedAt = formatTime(now);
  return {
    ...call,
    credits,
    ...(bought > 0 ? { bought } : {}),
    ...(isCapped && credits > bought ? { capped: true as const } : {}),
    ...(isCapped && chargedAt !== call.at ? { chargedAt } : {}),
  };
}

/** Lists the members, because object spread would cost a microsecond for every call. */
function plainCharge(call: AnsweredCall, credits: number) {
  const { at, keyId, operation, requestId, status, milliseconds, budget, run } = call;
  const charge = { at, keyId, operation, requestId, status, milliseconds, credits };
  if (budget === undefined && run === undefined) return charge;
  return { ...charge, ...(budget === undefined ? {} : { budget }), ...(run === undefined ? {} : { run }) };
}

/** The charge, counted against the daily cap of its key. */
export function countForKey(charge: ChargedCall, now: number): ChargedCall {
  const chargedAt = formatTime(now);
  return { ...charge, ...(chargedAt === charge.at ? {} : { chargedAt }), ofKey: true };
}

/** Refunds a charge; no events if it was refunded before. */
export function decideRefund(
  accountId: number,
  ledger: Ledger,
  charge: ChargedCall,
  reason: string,
  now: number,
): LedgerEvent[] {
  const { requestId, credits, bought = 0 } = charge;
  if (ledger.refunded.includes(requestId)) return [];
  const at = formatTime(now);
  const { keyId, chargedAt = charge.at } = charge;
  const ofKey = charge.ofKey && keyId !== null ? { ofKey: { keyId, chargedAt } } : {};
  return [createAccountEvent('CreditsRefunded', { accountId, at, credits, bought, requestId, reason, ...ofKey })];
}

/** A paid credit pack; no events if this payment already brought its credits. */
export function decideTopUp(
  ledger: Ledger,
  topUp: Omit<LedgerEventData['CreditsToppedUp'], 'grant' | 'at'>,
  now: number,
): LedgerEvent[] {
  const grant = `pack.${topUp.payment}`;
  if (ledger.made.includes(grant)) return [];
  return [createAccountEvent('CreditsToppedUp', { ...topUp, at: formatTime(now), grant })];
}
