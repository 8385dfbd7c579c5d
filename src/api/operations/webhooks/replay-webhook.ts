import { z } from 'zod';
import { parseTime } from '../../../domain/primitives/time.ts';
import { badRequest } from '../../calls/api-errors.ts';
import { flatCost, type Operation, replayStoredAnswer } from '../../calls/operation/operation.ts';
import { described, entityId, pathId } from '../shared/parameters.ts';

const path = pathId('subscription');
const body = z.object({
  from: described('Messages made at this UTC time (ISO 8601 with Z) or later.', {
    format: 'date-time',
    pattern: 'Z$',
    examples: ['2026-01-31T18:00:00Z'],
  }).optional(),
  after_delivery_id: entityId('Messages made after the one of this attempt.').optional(),
});
const output = z.object({ replayed: z.int().meta({ description: 'How many messages are sent again.' }) });

export const replayWebhook: Operation<z.infer<typeof path>, object, z.infer<typeof body>, z.infer<typeof output>> = {
  name: 'replay_webhook',
  method: 'POST',
  path: '/v1/webhooks/{id}/replay',
  tag: 'Webhooks',
  brief: 'Sends messages of a subscription from the last 7 days again.',
  summary:
    'Sends messages of the last 7 days again, with the `webhook-id` and the body that they had. Takes `from` or `after_delivery_id`. One replay of a subscription at a time, and 5 in an hour.',
  input: { path, body },
  output,
  errors: ['bad_request', 'not_found'],
  cost: flatCost(0),
  idempotency: replayStoredAnswer,
  async run({ id, ...after }, { webhooks, principal }) {
    return { replayed: await webhooks.replay(principal, id, startOf(after)) };
  },
};

function startOf({ from, after_delivery_id: deliveryId }: z.infer<typeof body>) {
  if ((from === undefined) === (deliveryId === undefined)) throw badRequest('give either from or after_delivery_id');
  if (deliveryId !== undefined) return { deliveryId };
  const time = parseTime(from!);
  if (time === null) throw badRequest('from must be a UTC ISO 8601 time with a trailing Z');
  return { from: time };
}
