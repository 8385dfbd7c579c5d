import { z } from 'zod';
import { flatCost, type Operation } from '../../calls/operation/operation.ts';
import { pathId } from '../shared/parameters.ts';
import { replaySealedSecret } from './replay-sealed-secret.ts';
import { signingSecret } from './webhook-schemas.ts';

const path = pathId('subscription');
const output = z.object({ signing_secret: signingSecret });

export const rotateWebhookSecret: Operation<z.infer<typeof path>, object, object, z.infer<typeof output>> = {
  name: 'rotate_webhook_secret',
  method: 'POST',
  path: '/v1/webhooks/{id}/rotate-secret',
  tag: 'Webhooks',
  brief: 'Makes a new secret of a subscription, with which messages are signed.',
  summary: 'Makes a new secret. For 24 hours messages are signed with it and with the one before.',
  effect: 'replaces',
  input: { path },
  output,
  errors: ['not_found'],
  cost: flatCost(0),
  idempotency: replaySealedSecret,
  run: async ({ id }, { webhooks, principal, runId }) => ({
    signing_secret: await webhooks.rotateSecret(principal, id, runId),
  }),
};
