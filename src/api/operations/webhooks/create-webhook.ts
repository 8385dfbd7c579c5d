import { z } from 'zod';
import { ALERT_FORMATS } from '../../../domain/alerts/alert-formats.ts';
import { SPORT_SLUGS } from '../../../domain/catalogue/catalogue.ts';
import { describeDeliveryCosts, WEBHOOK_EVENT_TYPES } from '../../../domain/webhook-types.ts';
import { badRequest } from '../../calls/api-errors.ts';
import { flatCost, type Operation } from '../../calls/operation/operation.ts';
import type { CreatedWebhook } from '../../calls/services/webhook-services.ts';
import { eventId, oneOf, text } from '../shared/parameters.ts';
import { readEvent } from '../shared/read-documents.ts';
import { alertFilter, givenFilter, quiet } from './alert-parameters.ts';
import { replaySealedSecret } from './replay-sealed-secret.ts';
import { createdWebhook } from './webhook-schemas.ts';

const MAX_TYPES = 20;

const body = z.object({
  url: text('', { max: 2048 }).meta({
    description:
      'Where messages go: HTTPS; its host must resolve, to public addresses alone. `email`: mailto: and the account’s verified address.',
    format: 'uri',
    pattern: '^(https://|mailto:)',
    examples: ['https://example.com/ledgerline'],
  }),
  format: oneOf('`ledgerline` is signed JSON; the others are for people.', ALERT_FORMATS).default('ledgerline'),
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
  filter: alertFilter.nullish(),
  quiet: quiet.nullish(),
});
type Body = z.infer<typeof body>;

export const createWebhook: Operation<object, object, Body, CreatedWebhook> = {
  name: 'create_webhook',
  method: 'POST',
  path: '/v1/webhooks',
  tag: 'Webhooks',
  brief: 'Subscribes a URL to what happens from now on.',
  summary: 'Subscribes a URL to what happens from now on. Made with a scoped key, it is told of its sports only.',
  input: { body },
  output: createdWebhook as unknown as z.ZodType<CreatedWebhook>,
  status: 201,
  errors: ['bad_request', 'forbidden', 'sport_scope_denied', 'not_found'],
  cost: flatCost(0),
  idempotency: replaySealedSecret,
  async run({ sport = null, event_id = null, filter = null, quiet = null, ...wish }, context) {
    if (event_id !== null) {
      const event = await readEvent(context, event_id);
      if (sport !== null && sport !== event.sport) {
        throw badRequest(`event_id: event ${event_id} is none of the sport ${sport}`);
      }
    }
    return context.webhooks.create(
      context.principal,
      { ...wish, sport, event_id, filter: filter && givenFilter(filter), quiet },
      context.runId,
    );
  },
};
