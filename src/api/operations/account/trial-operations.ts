import { z } from 'zod';
import { flatCost, type Operation } from '../../calls/operation/operation.ts';
import type { Visitor } from '../../calls/principal.ts';
import type { DeviceRequest, TrialKey } from '../../calls/services/trial-services.ts';
import { boolean, text } from '../shared/parameters.ts';
import { keyName } from './create-key.ts';

const deviceRequest: z.ZodType<DeviceRequest> = z
  .object({
    device_code: z.string().meta({ description: 'For the program: it fetches the key with it.' }),
    user_code: z.string().meta({ description: 'For the person: to be typed at `verification_uri`.' }),
    verification_uri: z.string(),
    interval: z.int().meta({ description: 'Seconds between two polls.' }),
    expires_in: z.int().meta({ description: 'Seconds.' }),
  })
  .meta({ id: 'DeviceRequest' });

const trialKey: z.ZodType<TrialKey> = z
  .object({
    id: z.int(),
    name: z.string(),
    key: z.string().meta({ description: 'The key itself, shown this once.' }),
    scopes: z.array(z.string()),
    max_credits_a_day: z.int().nullable().meta({ description: 'Credits in 24 hours; null: no cap.' }),
    created_at: z.string(),
    expires_at: z.string().nullable().meta({ description: 'From this time on the key opens nothing; null: never.' }),
  })
  .meta({ id: 'TrialKey' });

const startBody = z
  .object({
    client_name: keyName('The name of the program: the person reads it, and the key gets it.').optional(),
    anonymous: boolean('A key of the plan `trial` at once, for 24 hours, where the server allows it.').optional(),
  })
  .superRefine(({ client_name: name, anonymous }, context) => {
    if (name !== undefined || anonymous) return;
    context.addIssue({ code: 'custom', path: ['client_name'], message: 'is required' });
  });

/** The route of an operation without a key always tells where a call comes from. */
const NOBODY: Visitor = { ip: '', userAgent: '' };

export const startTrial: Operation<object, object, z.infer<typeof startBody>, DeviceRequest | TrialKey> = {
  name: 'start_trial',
  method: 'POST',
  path: '/api/agent/trial',
  tag: 'Account',
  summary: 'Asks for an API key without having one: a person approves it at `verification_uri` (RFC 8628).',
  hint: 'Show the person `user_code` and `verification_uri`, then poll with `device_code`. 20 an hour and address; `anonymous` 2 in 24 hours.',
  input: { body: startBody },
  output: z.union([deviceRequest, trialKey]),
  errors: ['forbidden'],
  cost: flatCost(0),
  keyless: true,
  run({ client_name: name, anonymous }, { trials, principal }) {
    const { visitor = NOBODY } = principal;
    return anonymous ? trials.startAnonymous(visitor, name) : trials.start(visitor, name!);
  },
};

const finishBody = z.object({
  device_code: text('As `POST /api/agent/trial` has given it.', { min: 1, max: 200 }),
});

export const finishTrial: Operation<object, object, z.infer<typeof finishBody>, TrialKey> = {
  name: 'finish_trial',
  method: 'POST',
  path: '/api/agent/trial/token',
  tag: 'Account',
  summary: 'Fetches the API key that a person has approved, once.',
  hint: 'Until then it is 400: `authorization_pending`, `slow_down`, `access_denied` or `expired_token`.',
  input: { body: finishBody },
  output: trialKey,
  errors: ['authorization_pending', 'slow_down', 'access_denied', 'expired_token', 'key_limit_reached'],
  cost: flatCost(0),
  keyless: true,
  run: ({ device_code: code }, { trials, principal }) => trials.finish(principal.visitor ?? NOBODY, code),
};
