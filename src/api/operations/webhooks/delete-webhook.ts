import { z } from 'zod';
import { flatCost, type Operation } from '../../calls/operation/operation.ts';
import { pathId } from '../shared/parameters.ts';

const path = pathId('subscription');

export const deleteWebhook: Operation<z.infer<typeof path>, object, object, object> = {
  name: 'delete_webhook',
  method: 'DELETE',
  path: '/v1/webhooks/{id}',
  tag: 'Webhooks',
  brief: 'Ends a subscription.',
  summary: 'Ends a subscription. What it has not been told yet, it never will be.',
  input: { path },
  output: z.object({}),
  status: 204,
  errors: ['not_found'],
  cost: flatCost(0),
  async run({ id }, { webhooks, principal }) {
    await webhooks.remove(principal, id);
    return {};
  },
};
