import { z } from 'zod';
import { flatCost, type Operation } from '../../calls/operation/operation.ts';
import { answerTable } from '../../calls/operation/table.ts';
import { requireAllScopes } from '../../calls/scopes.ts';
import type { AccountUsage } from '../../calls/services/account-services.ts';
import { integer } from '../shared/parameters.ts';

const MAX_DAYS = 90;
const query = z.object({
  days: integer('How many UTC days, up to today.', { min: 1, max: MAX_DAYS }).default(30),
});

const date = z.string().meta({ format: 'date' });
const credits = z.number();
const counts = { calls: z.int(), credits };
const endpoint = z.string().nullable().meta({ description: 'Name of the operation; null: the requests matched none.' });
const keyId = z.int().nullable().meta({ description: 'Null: calls in sessions.' });
const output: z.ZodType<AccountUsage> = z.object({
  from: date,
  to: date,
  days: z.array(z.object({ date, calls: z.int(), errors: z.int(), credits })),
  endpoints: z.array(z.object({ endpoint, ...counts })),
  keys: z.array(z.object({ key_id: keyId, ...counts })),
});

/** One row a day, an endpoint and a key. */
const table = answerTable(
  z.object({
    counted_by: z.enum(['day', 'endpoint', 'key']),
    date: date.optional(),
    endpoint: endpoint.optional(),
    key_id: keyId.optional(),
    calls: z.int(),
    errors: z.int().optional(),
    credits,
  }),
  ({ days, endpoints, keys }: AccountUsage) => [
    ...days.map((one) => ({ counted_by: 'day' as const, ...one })),
    ...endpoints.map((one) => ({ counted_by: 'endpoint' as const, ...one })),
    ...keys.map((one) => ({ counted_by: 'key' as const, ...one })),
  ],
);

export const getUsage: Operation<object, z.infer<typeof query>, object, AccountUsage> = {
  name: 'get_usage',
  method: 'GET',
  path: '/api/agent/usage',
  tag: 'Account',
  summary: 'What the account has called: by day, by endpoint and by key.',
  hint: 'A key with the scope `all`. Calls of the last seconds may be missing.',
  input: { query },
  output,
  table,
  cost: flatCost(0),
  restOnly: true,
  check: (_, { principal }) => requireAllScopes(principal),
  run: ({ days }, { accounts, principal }) => accounts.usage(principal, days),
};
