import { z } from 'zod';
import { flat, type Operation, repeatsItsAnswer } from '../../calls/operation.ts';
import { pathId } from '../parameters.ts';

const path = pathId('subscription');
const output = z.object({
  webhook_id: z.string().meta({ description: 'The header `webhook-id` that the message comes with.' }),
});

export const testWebhook: Operation<z.infer<typeof path>, object, object, z.infer<typeof output>> = {
  name: 'test_webhook',
  method: 'POST',
  path: '/v1/webhooks/{id}/test',
  tag: 'Webhooks',
  summary: 'Sends a message of the type `test`, signed and retried like any other.',
  input: { path },
  output,
  errors: ['bad_request', 'not_found'],
  price: flat(0),
  remembers: repeatsItsAnswer,
  run: async ({ id }, { webhooks, principal, run }) => ({ webhook_id: await webhooks.test(principal, id, run) }),
};
