import type { AccountServices, CreditBalance } from '../api/calls/account-services.ts';
import type { Principal } from '../api/calls/principal.ts';
import type { Pack } from '../platform/settings/plans.ts';
import { type AgentKeysParts, createAgentKeys } from './agent-keys.ts';
import type { TopUp } from './billing/top-ups.ts';
import type { Credits } from './credits/credits.ts';
import { termsOf } from './plan-terms.ts';

export interface AccountServicesParts extends AgentKeysParts {
  readonly credits: Credits;
  readonly packs: readonly Pack[];
  readonly topUp: TopUp;
}

/** What is behind `/api/agent`. */
export function createAccountServices(parts: AccountServicesParts): AccountServices {
  return {
    packs: parts.packs,
    balance: (principal) => balanceOf(parts, principal),
    ...createAgentKeys(parts),
    async topUp(principal, packId, call) {
      await parts.topUp(principal, packId, call);
      const balance = await balanceOf(parts, principal);
      if (balance.total_remaining !== null) call.creditsRemaining = balance.total_remaining;
      return balance;
    },
  };
}

/** The operator's own key has no account: nothing limits it, and nothing is counted. */
const BOUNDLESS = {
  credits_used: 0,
  credit_limit: null,
  bonus_credits: 0,
  total_remaining: null,
  is_trial: false,
  is_trial_expired: false,
};

async function balanceOf(
  { credits, plans }: Pick<AccountServicesParts, 'credits' | 'plans'>,
  principal: Principal,
): Promise<CreditBalance> {
  const terms = termsOf(principal, plans);
  if (!terms) return { tier: principal.plan, ...BOUNDLESS };
  return { tier: terms.plan, ...(await credits.balance(terms)) };
}
