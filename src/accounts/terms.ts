import type { AccountTerms } from '../domain/accounts/terms.ts';
import type { Principal } from '../operations/operation.ts';
import type { Plan } from '../settings/plans.ts';

export type Plans = Readonly<Record<string, Plan>>;

/** A plan that the configuration no longer names gives what the smallest lasting one gives. */
export const planOf = (plans: Plans, slug: string): Plan => plans[slug] ?? plans['free']!;

/** What the caller's account is due. Undefined for the operator's own key, which has no account. */
export function termsOf({ accountId, plan: slug, account }: Principal, plans: Plans): AccountTerms | undefined {
  if (account === undefined) return undefined;
  const plan = planOf(plans, slug);
  return {
    accountId,
    createdAt: account.createdAt,
    plan: slug,
    initialCredits: plan.initial_credits,
    monthlyCredits: plan.monthly_credits,
    creditsExpireHours: plan.credits_expire_hours,
    dailyCap: plan.daily_credit_cap,
    order: account.order,
  };
}
