import type { Principal, PrincipalAccount } from '../../api/calls/principal.ts';
import type { AccountTerms } from '../../domain/accounts/credit-terms.ts';
import { ownValue } from '../../domain/primitives/own-properties.ts';
import type { Plan } from '../../platform/settings/plans-and-packs.ts';
import { DEFAULT_PLAN } from '../keys/key-registry.ts';
import type { BilledAccount } from './model/billing-registry.ts';

export type Plans = Readonly<Record<string, Plan>>;

/** The plan of an account. A plan that the configuration no longer names counts as `free`. */
export const planOf = (plans: Plans, slug: string): Plan => ownValue(plans, slug) ?? plans['free']!;

/** The credits that the caller's account is due. Undefined for the operator's own key, which has no account. */
export function accountTermsOf({ accountId, plan: slug, account }: Principal, plans: Plans): AccountTerms | undefined {
  return account && buildAccountTerms(accountId, slug, account, plans);
}

/** The same, for an account without a caller. */
export const accountTermsOfBilled = (account: BilledAccount, plans: Plans): AccountTerms =>
  buildAccountTerms(account.id, account.plan, toPrincipalAccount(account), plans);

/** An account from the registry in the form of a principal. */
export const toPrincipalAccount = ({
  createdAt,
  order,
  planUntil,
  isFreeGrantUsed,
}: BilledAccount): PrincipalAccount => ({
  createdAt: Date.parse(createdAt),
  order: order && { credits: order.credits, at: Date.parse(order.at) },
  ...(planUntil !== undefined && { planUntil: Date.parse(planUntil) }),
  ...(isFreeGrantUsed && { isFreeGrantUsed }),
});

function buildAccountTerms(accountId: number, slug: string, account: PrincipalAccount, plans: Plans): AccountTerms {
  const plan = planOf(plans, slug);
  return {
    accountId,
    createdAt: account.createdAt,
    plan: slug,
    initialCredits: account.isFreeGrantUsed && slug === DEFAULT_PLAN ? 0 : plan.initial_credits,
    monthlyCredits: plan.monthly_credits,
    ...(account.planUntil !== undefined && { monthlyUntil: account.planUntil }),
    creditsExpireHours: plan.credits_expire_hours,
    dailyCap: plan.daily_credit_cap,
    order: account.order,
  };
}
