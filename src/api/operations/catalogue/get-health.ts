import { z } from 'zod';
import {
  type BackupHealth,
  type FeedHealth,
  flatCost,
  type Health,
  type Operation,
  type StandbyHealth,
} from '../../calls/operation/operation.ts';

const time = z.string().nullable();
const feed: z.ZodType<FeedHealth> = z.object({
  name: z.string(),
  state: z.enum(['starting', 'ok', 'refused', 'failing', 'drift', 'exhausted', 'standby']),
  last_success_at: time,
  last_error_at: time,
  last_error: z.object({ code: z.string(), message: z.string() }).nullable(),
  lag_seconds: z.number().nullable().meta({ description: 'Since the last success.' }),
  requests: z.int(),
  failures: z.int(),
  messages: z.int(),
  rejected: z.int(),
  held: z.int(),
  flaps: z.int(),
  ahead: z.record(z.string(), z.enum(['day', 'month'])).nullable(),
  budget: z
    .object({
      limit: z.number(),
      used: z.number(),
      remaining: z.number(),
      provider_remaining: z.number().nullable(),
      resets_at: z.string(),
    })
    .nullable()
    .meta({ description: "The provider's credits of a UTC day, where it counts them." }),
});

const backup: z.ZodType<BackupHealth> = z.object({
  last_success_at: time.meta({ description: 'When it last held everything; null: not since the start.' }),
  lag_seconds: z.number().meta({ description: 'How long something has waited to be backed up.' }),
  problem: z.string().nullable().meta({ description: 'What is wrong with it, and what to do; null: nothing.' }),
  drill: z
    .object({ at: z.string(), age_seconds: z.number(), outcome: z.enum(['passed', 'failed']) })
    .nullable()
    .meta({ description: 'When the newest backup was last restored to try it; null: it was not.' }),
});

const standby: z.ZodType<StandbyHealth> = z.object({
  role: z.enum(['first', 'standby']),
  lag_seconds: z.number().nullable().meta({ description: 'Of a standby: how old what it shows is.' }),
  lease_seconds: z
    .number()
    .nullable()
    .meta({ description: 'For how long the lease of the first is still good; null: none was seen.' }),
});

const output: z.ZodType<Health> = z.object({
  status: z.enum(['ok', 'degraded']),
  reasons: z
    .array(z.enum(['backup', 'clock', 'disk', 'engine', 'feeds', 'log_ahead', 'read_model', 'standby']))
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
  feeds: z
    .array(feed)
    .optional()
    .meta({ description: 'Present where live connectors are set up. Counts are since the start.' }),
  backup: backup.optional().meta({ description: 'Present where the server backs itself up.' }),
  standby: standby.optional().meta({ description: 'Present where a standby follows the server, and at a standby.' }),
  simulated: z.literal(true).optional().meta({ description: 'Present while simulated data is fed in.' }),
});

export const getHealth: Operation<object, object, object, Health> = {
  name: 'get_health',
  method: 'GET',
  path: '/v1/health',
  tag: 'Catalogue',
  summary: 'State of the server, of its log and of its read models',
  input: {},
  output,
  cost: flatCost(0),
  run: (_, context) => context.health(),
};
