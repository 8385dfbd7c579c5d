import { z } from 'zod';
import { flatCost, type Operation, replayStoredAnswer } from '../../calls/operation/operation.ts';
import { requireAllScopes } from '../../calls/scopes.ts';
import type { CreditBalance } from '../../calls/services/account-services.ts';
import { entityId } from '../shared/parameters.ts';
import { creditBalance } from './get-credits.ts';

const body = z.object({ pack_id: entityId('Id of the pack.') });

export const topUpCredits: Operation<object, object, z.infer<typeof body>, CreditBalance> = {
  name: 'top_up_credits',
  method: 'POST',
  path: '/api/agent/credits/topup',
  tag: 'Account',
  summary: 'Buys a pack with the payment method on file. Takes a key with the scope `all`.',
  input: { body },
  output: creditBalance,
  errors: ['bad_request', 'card_declined', 'payment_method_required', 'forbidden'],
  cost: flatCost(0),
  idempotency: replayStoredAnswer,
  check: (_, { principal }) => requireAllScopes(principal),
  run: ({ pack_id: packId }, { accounts, principal, call }) => accounts.topUp(principal, packId, call),
};
