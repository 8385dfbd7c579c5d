import { z } from 'zod';
import { flat, type Health, type Operation } from '../../calls/operation.ts';

const output: z.ZodType<Health> = z.object({
  status: z.enum(['ok', 'degraded']),
  reasons: z
    .array(z.enum(['clock', 'disk', 'log_ahead', 'read_model']))
    .optional()
    .meta({ description: 'Why it is degraded, sorted; absent while it is not.' }),
  version: z.string(),
  time: z.string(),
  log: z.object({ position: z.string().meta({ description: 'Position of the last record, in decimal.' }) }),
  quarantined: z
    .int()
    .meta({ description: 'Messages of feeds that wait for something to become known, and are not in the log.' }),
  projections: z.array(
    z.object({ name: z.string(), position: z.string(), lag_events: z.int(), lag_seconds: z.number() }),
  ),
  simulated: z.literal(true).optional().meta({ description: 'Present while simulated data is fed in.' }),
});

export const health: Operation<object, object, object, Health> = {
  name: 'get_health',
  method: 'GET',
  path: '/v1/health',
  tag: 'Catalogue',
  summary: 'State of the server, of its log and of its read models',
  input: {},
  output,
  price: flat(0),
  run: (_, context) => context.health(),
};
