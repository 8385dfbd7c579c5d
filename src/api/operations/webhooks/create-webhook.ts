import { z } from 'zod';
import { SPORT_SLUGS } from '../../../domain/catalogue/catalogue.ts';
import { describeDeliveryCosts, WEBHOOK_EVENT_TYPES } from '../../../domain/webhook-types.ts';
import { badRequest } from '../../calls/api-errors.ts';
import { flatCost, type Operation } from '../../calls/operation/operation.ts';
import type { CreatedWebhook } from '../../calls/services/webhook-services.ts';
import { eventId, oneOf, text } from '../shared/parameters.ts';
import { readEvent } from '../shared/read-documents.ts';
import { replaySealedSecret } from './replay-sealed-secret.ts';
import { createdWebhook } from './webhook-schemas.ts';

const MAX_TYPES = 20;

const body = z.object({
  url: text('', { max: 2048 }).meta({
    description:
      'Where messages are POSTed to. HTTPS. Its host must resolve, and to public addresses alone; that is checked again at every delivery.',
    format: 'uri',
    pattern: '^https://',
    examples: ['https://example.com/ledgerline'],
  }),
  event_types: z
    .array(oneOf('What the subscription is told of.', WEBHOOK_EVENT_TYPES), {
      error: 'must be an array of event types',
    })
    .min(1, 'must hold at least 1 event type')
    .max(MAX_TYPES, `must hold at most ${MAX_TYPES} event types`)
    .default(['score', 'status'])
    .transform((types) => [...new Set(types)])
    .meta({ description: `Repeated ones count once. ${describeDeliveryCosts()}` }),
  sport: oneOf('Only events of this sport.', SPORT_SLUGS).nullish(),
  event_id: eventId('Only this event.').nullish(),
});
type Body = z.infer<typeof body>;

export const createWebhook: Operation<object, object, Body, CreatedWebhook> = {
  name: 'create_webhook',
  method: 'POST',
  path: '/v1/webhooks',
  tag: 'Webhooks',
  summary: 'Subscribes a URL to what happens from now on. Made with a scoped key, it is told of its sports only.',
  input: { body },
  output: createdWebhook as unknown as z.ZodType<CreatedWebhook>,
  status: 201,
  errors: ['bad_request', 'forbidden', 'sport_scope_denied', 'not_found'],
  cost: flatCost(0),
  idempotency: replaySealedSecret,
  async run({ url, event_types, sport = null, event_id = null }, context) {
    if (event_id !== null) {
      const event = await readEvent(context, event_id);
      if (sport !== null && sport !== event.sport) {
        throw badRequest(`event_id: event ${event_id} is none of the sport ${sport}`);
      }
    }
    return context.webhooks.create(context.principal, { url, event_types, sport, event_id }, context.runId);
  },
};
