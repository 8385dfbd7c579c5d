import type { AnsweredCall, ChargedCall } from '../src/domain/accounts/account-event-data.ts';
import { createAccountEvent, type LedgerEvent, type LedgerEventData } from '../src/domain/accounts/account-events.ts';
import {
  cappedSpendingAt,
  type Ledger,
  neverExpires,
  remainingCredits,
  whenCappedSpendingFallsTo,
} from '../src/domain/accounts/credit-ledger.ts';
import { type AccountTerms, dailyCapOf, isUnlimited } from '../src/domain/accounts/credit-terms.ts';
import { formatTime, HOUR, monthOf, startOfNextMonth } from '../src/domain/primitives/time.ts';

/**
 * What an account is due by now: credits that end, and those of its plan, of the month, or of the operator. Deciding
 * again once these are applied gives nothing.
 * @param reserved credits that calls in flight hold back: they do not end under them
 */
export function decideDue(terms: AccountTerms, ledger: Ledger, reserved: number, now: number): LedgerEvent[] {
  const { accountId, order } = terms;
  const at = formatTime(now);
  const grants = dueGrants(terms, now).filter(({ grant }) => !isGranted(ledger, grant));
  // What the operator grants takes the place of all that the plan has.
  const isReplaced = order !== null && grants.length > 0;
  let free = ledger.balance - reserved;
  // These hold calls too: what has ended need not wait for the next decision, which would find them there.
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

/** A month that was paid for from some day on has its credits, and not those of the whole month besides. */
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
    // What had ended before it began is not granted: it would be there for the call that asks.
    if (end === null || end > now) {
      const expiresAt = end === null ? null : formatTime(end);
      grants.push({ grant: `initial.${plan}`, kind: 'initial' as const, credits: initialCredits, expiresAt });
    }
  }
  // The plan may end at a month's end before anybody has put the account on another one.
  if (monthlyCredits > 0 && (monthlyUntil === undefined || now < monthlyUntil)) {
    const month = monthOf(now);
    const expiresAt = formatTime(startOfNextMonth(now));
    grants.push({ grant: `monthly.${month}`, kind: 'monthly' as const, credits: monthlyCredits, expiresAt });
  }
  return grants;
}

/** When `decideDue` may next have something to say, as far as time alone brings it: milliseconds, or infinity. */
export function nextDueTime(terms: AccountTerms, ledger: Ledger, now: number): number {
  let next = Number.POSITIVE_INFINITY;
  for (const { expiresAt } of ledger.grants) if (expiresAt !== null) next = Math.min(next, expiresAt);
  if (terms.order === null && terms.monthlyCredits > 0) next = Math.min(next, startOfNextMonth(now));
  return next;
}

/** Whether the credits of a trial have ended by time. */
export const isTrialExpired = ({ plan, order, createdAt, creditsExpireHours }: AccountTerms, now: number): boolean =>
  plan === 'trial' && order === null && creditsExpireHours !== null && now >= createdAt + creditsExpireHours * HOUR;

/** Why a call that can cost `most` may not run; null when it may, as far as what is settled goes. */
export type Refusal =
  | { readonly code: 'payment_failed'; readonly hostedInvoiceUrl: string | null }
  | { readonly code: 'insufficient_credits'; readonly left: number; readonly isTrialExpired: boolean }
  | { readonly code: 'daily_credit_cap_exceeded'; readonly cap: number; readonly resetsAt: number | null };

const DECLINED_INVOICES = 2;

/** @param ledger with all that is due by now */
export function decideRefusal(terms: AccountTerms, ledger: Ledger, most: number, now: number): Refusal | null {
  const { invoices, hostedInvoiceUrl } = ledger.declined;
  if (invoices.length >= DECLINED_INVOICES) return { code: 'payment_failed', hostedInvoiceUrl };
  if (isUnlimited(terms)) return null;
  if (ledger.balance < most) {
    const left = ledger.balance;
    return { code: 'insufficient_credits', left, isTrialExpired: isTrialExpired(terms, now) };
  }
  const cap = dailyCapOf(terms);
  if (cap === null || spendableCredits(terms, ledger, now) >= most) return null;
  const resetsAt = whenCappedSpendingFallsTo(ledger, cap - (most - remainingCredits(ledger).bought), now);
  return { code: 'daily_credit_cap_exceeded', cap, resetsAt };
}

/** Credits that can be charged at this moment: the plan's up to its daily cap, and bought ones. Infinite: no limit. */
export function spendableCredits(terms: AccountTerms, ledger: Ledger, now: number): number {
  if (isUnlimited(terms)) return Number.POSITIVE_INFINITY;
  const cap = dailyCapOf(terms);
  if (cap === null) return ledger.balance;
  const { plan, bought } = remainingCredits(ledger);
  return Math.min(plan, Math.max(0, cap - cappedSpendingAt(ledger, now))) + bought;
}

/** The charge of a call whose credits were held back: the plan's first, up to its cap, then bought ones. */
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
  const room = cap === null ? Number.POSITIVE_INFINITY : Math.max(0, cap - cappedSpendingAt(ledger, now));
  // What was held back is there, whatever the cap says by now: it never lets a charge be forgotten.
  const fromPlan = Math.max(Math.min(credits, left.plan, room), credits - left.bought);
  return createCharge(terms, call, credits, credits - fromPlan, now);
}

/** A charge of which it is known how many credits are bought ones. */
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

/** Written out: to spread an object costs a microsecond, of every call. */
function plainCharge(call: AnsweredCall, credits: number) {
  const { at, keyId, operation, requestId, status, milliseconds, budget, run } = call;
  const charge = { at, keyId, operation, requestId, status, milliseconds, credits };
  if (budget === undefined && run === undefined) return charge;
  return { ...charge, ...(budget === undefined ? {} : { budget }), ...(run === undefined ? {} : { run }) };
}

/** What can be taken back of a charge; nothing where it was before. */
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
  return [createAccountEvent('CreditsRefunded', { accountId, at, credits, bought, requestId, reason })];
}

/** A pack that was paid for; nothing where this payment has brought its credits already. */
export function decideTopUp(
  ledger: Ledger,
  topUp: Omit<LedgerEventData['CreditsToppedUp'], 'grant' | 'at'>,
  now: number,
): LedgerEvent[] {
  const grant = `pack.${topUp.payment}`;
  if (ledger.made.includes(grant)) return [];
  return [createAccountEvent('CreditsToppedUp', { ...topUp, at: formatTime(now), grant })];
}
