import { z } from 'zod';
import { WEBHOOK_EVENT_TYPES } from '../../../domain/webhook-types.ts';
import { time } from '../../../read-models/rendering/event-schemas.ts';
import { flatCost, type Operation } from '../../calls/operation/operation.ts';
import type { WebhookDelivery } from '../../calls/services/webhook-services.ts';
import { boolean, entityId, limit, oneOf, pathId } from '../shared/parameters.ts';

const path = pathId('subscription');
const query = z.object({
  after_id: entityId('Cursor: only attempts with smaller ids.').optional(),
  limit: limit(),
  success: boolean('Whether it succeeded.').optional(),
  given_up: boolean('Whether nothing was tried any more.').optional(),
  event_type: oneOf('Only those of one type.', WEBHOOK_EVENT_TYPES).optional(),
});

const delivery: z.ZodType<WebhookDelivery> = z
  .object({
    id: z.int(),
    event_type: z.enum([...WEBHOOK_EVENT_TYPES, 'test']),
    event_id: z.int().nullable().meta({ description: 'Null for a test.' }),
    attempt: z.int().meta({ description: 'From 1; a replay counts anew.' }),
    parent_delivery_id: z.int().nullable().meta({ description: 'The attempt that this one retried.' }),
    status_code: z.int().nullable().meta({ description: 'Null: there was no answer.' }),
    success: z.boolean().meta({ description: 'The answer was 2xx.' }),
    error: z.string().nullable(),
    given_up: z.boolean().meta({ description: 'It failed, and all retries are used up.' }),
    next_retry_at: time.nullable().meta({ description: 'Null once the retry has run, and where there is none.' }),
    delivered_at: time,
  })
  .meta({ id: 'WebhookDelivery' });

const output = z.object({ data: z.array(delivery), next_after_id: z.int().nullable() });

export const listWebhookDeliveries: Operation<
  z.infer<typeof path>,
  z.infer<typeof query>,
  object,
  z.infer<typeof output>
> = {
  name: 'list_webhook_deliveries',
  method: 'GET',
  path: '/v1/webhooks/{id}/deliveries',
  tag: 'Webhooks',
  summary:
    'What was tried for a subscription in the last 30 days, and what came of it: one row for each attempt, newest first.',
  input: { path, query },
  output,
  errors: ['not_found'],
  cost: flatCost(0),
  async run({ id, after_id: afterId, limit: pageSize, success, given_up: givenUp, event_type: eventType }, context) {
    const filters = {
      ...(afterId === undefined ? {} : { afterId }),
      ...(success === undefined ? {} : { success }),
      ...(givenUp === undefined ? {} : { givenUp }),
      ...(eventType === undefined ? {} : { eventType }),
    };
    const found = await context.webhooks.deliveries(context.principal, { id, limit: pageSize + 1, ...filters });
    const data = found.slice(0, pageSize);
    return { data, next_after_id: found.length > pageSize ? data.at(-1)!.id : null };
  },
};
