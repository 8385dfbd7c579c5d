import { z } from 'zod';
import type { Pack } from '../../../platform/settings/plans-and-packs.ts';
import { flatCost, type Operation } from '../../calls/operation/operation.ts';

const creditPack: z.ZodType<Pack> = z.object({
  id: z.int(),
  name: z.string(),
  credits: z.int().meta({ description: 'They never expire.' }),
  price_cents: z.int().meta({ description: 'In the smallest unit of the currency.' }),
  currency: z.string().meta({ description: 'ISO 4217, in small letters.' }),
});

interface CreditPacks {
  readonly packs: readonly Pack[];
  readonly total: number;
}

export const listCreditPacks: Operation<object, object, object, CreditPacks> = {
  name: 'list_credit_packs',
  method: 'GET',
  path: '/api/agent/credit-packs',
  tag: 'Account',
  summary: 'Packs of credits that can be bought once',
  input: {},
  output: z.object({ packs: z.array(creditPack), total: z.int() }),
  cost: flatCost(0),
  run: async (_, { accounts: { packs } }) => ({ packs, total: packs.length }),
};
