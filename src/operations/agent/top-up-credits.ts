import { z } from 'zod';
import { flat, type Operation, repeatsItsAnswer } from '../operation.ts';
import { integer } from '../parameters.ts';
import { creditBalance } from './get-credits.ts';
import type { CreditBalance } from './services.ts';

const body = z.object({ pack_id: integer('Id of the pack.') });

export const topUpCredits: Operation<object, object, z.infer<typeof body>, CreditBalance> = {
  name: 'top_up_credits',
  method: 'POST',
  path: '/api/agent/credits/topup',
  tag: 'Account',
  summary: 'Buys a pack with the payment method on file',
  input: { body },
  output: creditBalance,
  errors: ['bad_request', 'card_declined', 'payment_method_required', 'forbidden'],
  price: flat(0),
  remembers: repeatsItsAnswer,
  run: ({ pack_id: packId }, { accounts, principal, call }) => accounts.topUp(principal, packId, call),
};
