import { type CapRefusal, isTrialExpired, type Refusal } from '../../../commands/credit-decisions.ts';
import { ApiError } from '../../api/calls/api-errors.ts';
import { type Ledger, remainingCredits } from '../../domain/accounts/credit-ledger.ts';
import { type AccountTerms, isUnlimited } from '../../domain/accounts/credit-terms.ts';
import { creditAmount } from '../../domain/accounts/format-credits.ts';
import { WINDOW_HOURS } from '../../domain/accounts/spending-window.ts';
import { formatTime } from '../../domain/primitives/time.ts';
import type { Balance } from './credits.ts';

/** The error for a caller without enough credits. @param maxCost the maximum cost of the call */
export function toCreditRefusalError(refusal: Refusal, maxCost: number): ApiError {
  switch (refusal.code) {
    case 'payment_failed': {
      const { hostedInvoiceUrl } = refusal;
      const extras = hostedInvoiceUrl === null ? {} : { hosted_invoice_url: hostedInvoiceUrl };
      return new ApiError('payment_failed', 'Two invoices were declined. A paid invoice restores access.', extras);
    }
    case 'insufficient_credits': {
      const message = refusal.isTrialExpired
        ? 'The trial is over: its credits ended 24 hours after its creation.'
        : `This call can cost ${creditAmount(maxCost)}; ${refusal.left} ${refusal.left === 1 ? 'is' : 'are'} left.`;
      const extras = refusal.isTrialExpired ? { is_trial_expired: true } : {};
      return new ApiError('insufficient_credits', message, extras);
    }
    case 'daily_credit_cap_exceeded':
    case 'credit_cap_exceeded':
      return capError(refusal, maxCost);
  }
}

/** A call that can cost more than the whole cap never passes, so it gets no reset time. */
function capError({ code, cap, resetsAt }: CapRefusal, maxCost: number): ApiError {
  const own = code === 'credit_cap_exceeded' ? ' of this key' : '';
  const whole = `cap${own} of ${creditAmount(cap)} in ${WINDOW_HOURS} hours`;
  const message =
    resetsAt === null
      ? `This call can cost ${creditAmount(maxCost)}: more than the ${whole}.`
      : `The ${whole} is reached.`;
  const reset = resetsAt === null ? {} : { resets_at: formatTime(resetsAt) };
  return new ApiError(code, message, { ...reset, window_hours: WINDOW_HOURS });
}

/** @param ledger with everything recorded that is due by now */
export function toBalance(terms: AccountTerms, ledger: Readonly<Ledger>, now: number): Balance {
  const { period } = ledger;
  const { plan, bought, gifts } = remainingCredits(ledger);
  // What was given beside the plan, left or spent.
  const given = gifts + period.giftSpent;
  const unlimited = isUnlimited(terms);
  return {
    credits_used: period.planSpent + period.boughtSpent,
    credit_limit: unlimited ? null : plan + period.planSpent - given,
    bonus_credits: bought + period.boughtSpent + given,
    total_remaining: unlimited ? null : plan + bought,
    is_trial: terms.plan === 'trial',
    is_trial_expired: isTrialExpired(terms, now),
  };
}
