import { z } from 'zod';
import { flatCost, type Operation } from '../../calls/operation/operation.ts';
import { webhook } from './webhook-schemas.ts';

const output = z.object({ data: z.array(webhook) });

export const listWebhooks: Operation<object, object, object, z.infer<typeof output>> = {
  name: 'list_webhooks',
  method: 'GET',
  path: '/v1/webhooks',
  tag: 'Webhooks',
  brief: 'Lists the webhooks of the account.',
  summary:
    'The subscriptions of the account, without their secrets; those that have ended too. A scoped key sees those that it could have made itself.',
  input: {},
  output,
  cost: flatCost(0),
  run: async (_, { webhooks, principal }) => ({ data: [...(await webhooks.list(principal))] }),
};
