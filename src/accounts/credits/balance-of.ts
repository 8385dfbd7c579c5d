import { isTrialExpired } from '../../../commands/credits/decider.ts';
import { type Ledger, leftOf } from '../../domain/accounts/ledger.ts';
import { type AccountTerms, isUnlimited } from '../../domain/accounts/terms.ts';
import type { Balance } from './credits.ts';

/** @param ledger with all that is due by now */
export function balanceOf(terms: AccountTerms, ledger: Readonly<Ledger>, now: number): Balance {
  const { period } = ledger;
  const { plan, bought } = leftOf(ledger);
  const unlimited = isUnlimited(terms);
  return {
    credits_used: period.planSpent + period.boughtSpent,
    credit_limit: unlimited ? null : plan + period.planSpent,
    bonus_credits: bought + period.boughtSpent,
    total_remaining: unlimited ? null : plan + bought,
    is_trial: terms.plan === 'trial',
    is_trial_expired: isTrialExpired(terms, now),
  };
}
