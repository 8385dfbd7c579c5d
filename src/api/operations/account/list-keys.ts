import { z } from 'zod';
import { flatCost, type Operation } from '../../calls/operation/operation.ts';
import type { KeyListing } from '../../calls/services/account-services.ts';

const listing: z.ZodType<KeyListing> = z
  .object({
    id: z.int(),
    name: z.string(),
    prefix: z.string().meta({ description: 'Its beginning, up to the dot.' }),
    scopes: z.array(z.string()),
    created_at: z.string(),
    last_used_at: z.string().nullable().meta({ description: 'To the minute.' }),
    expires_at: z.string().nullable().meta({ description: 'It opens nothing from then on.' }),
    max_credits_a_day: z.int().nullable(),
    is_active: z.boolean().meta({ description: 'Not revoked, nor expired.' }),
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
