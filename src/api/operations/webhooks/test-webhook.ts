import { z } from 'zod';
import { flatCost, type Operation, replayStoredAnswer } from '../../calls/operation/operation.ts';
import { pathId } from '../shared/parameters.ts';

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
  cost: flatCost(0),
  idempotency: replayStoredAnswer,
  run: async ({ id }, { webhooks, principal, runId }) => ({ webhook_id: await webhooks.test(principal, id, runId) }),
};
