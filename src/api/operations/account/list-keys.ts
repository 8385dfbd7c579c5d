import { z } from 'zod';
import { flatCost, type Operation } from '../../calls/operation/operation.ts';
import type { KeyListing } from '../../calls/services/account-services.ts';

const listing: z.ZodType<KeyListing> = z
  .object({
    id: z.int(),
    name: z.string(),
    prefix: z.string().meta({ description: 'What the key begins with, up to its dot.' }),
    scopes: z.array(z.string()),
    created_at: z.string(),
    last_used_at: z.string().nullable().meta({ description: 'To the minute.' }),
    expires_at: z.string().nullable().meta({ description: 'From this time on the key opens nothing; null: never.' }),
    max_credits_a_day: z.int().nullable().meta({ description: 'Credits in 24 hours; null: no cap.' }),
    is_active: z.boolean().meta({ description: 'False once it is revoked or has expired.' }),
  })
  .meta({ id: 'ApiKey' });

const output = z.object({ keys: z.array(listing), total: z.int() });

export const listKeys: Operation<object, object, object, z.infer<typeof output>> = {
  name: 'list_keys',
  method: 'GET',
  path: '/api/agent/keys',
  tag: 'Account',
  brief: 'The API keys of the account, without their secrets.',
  summary:
    'The API keys of the account whose scopes lie within those of the calling one, without their secrets. Revoked ones stay for 24 hours, the newest 100 of them.',
  input: {},
  output,
  cost: flatCost(0),
  async run(_, { accounts, principal }) {
    const keys = [...(await accounts.listKeys(principal))];
    return { keys, total: keys.length };
  },
};
