import { z } from 'zod';
import { flatCost, type Operation } from '../../calls/operation/operation.ts';
import type { CreditBalance } from '../../calls/services/account-services.ts';

const creditCount = z.number().multipleOf(0.5);

export const creditBalance: z.ZodType<CreditBalance> = z.object({
  tier: z.string().meta({ description: 'Slug of the plan.' }),
  credits_used: creditCount.meta({ description: 'On a plan with monthly credits: of this calendar month, in UTC.' }),
  credit_limit: creditCount.nullable().meta({ description: 'What the plan gives; null: no limit.' }),
  bonus_credits: creditCount.meta({ description: 'What was bought or given beside it.' }),
  total_remaining: creditCount.nullable().meta({
    description: 'credit_limit + bonus_credits - credits_used; null: no limit.',
  }),
  is_trial: z.boolean(),
  is_trial_expired: z.boolean(),
});

export const getCredits: Operation<object, object, object, CreditBalance> = {
  name: 'get_credits',
  method: 'GET',
  path: '/api/agent/credits',
  tag: 'Account',
  brief: 'How many credits the account has left.',
  summary: "The account's credits",
  input: {},
  output: creditBalance,
  cost: flatCost(0),
  // The balance changes independently of the read models, so this answer must never be cached.
  run: (_, { accounts, principal }) => accounts.balance(principal),
};
