import { z } from 'zod';
import { SPORT_SLUGS } from '../../../domain/catalogue/catalogue.ts';
import { ApiError } from '../../calls/api-errors.ts';
import { flatCost, type Operation } from '../../calls/operation/operation.ts';
import { containsApiKey } from '../../calls/redact-keys.ts';
import { coversScopes } from '../../calls/scopes.ts';
import { type CreatedKey, MAX_CREDITS_A_DAY } from '../../calls/services/account-services.ts';
import { integer, oneOf } from '../shared/parameters.ts';

const SCOPES = ['all', ...SPORT_SLUGS] as const;
const MAX_NAME_LENGTH = 100;

/** The name of a key. */
export const keyName = (description: string) =>
  z
    .string({ error: 'must be a string' })
    .trim()
    .min(1, 'must not be empty')
    .max(MAX_NAME_LENGTH, `must have at most ${MAX_NAME_LENGTH} characters`)
    .refine((value) => !value.includes('\0'), 'must not contain NUL characters')
    .refine((value) => !containsApiKey(value), 'must not hold an API key')
    .meta({ description, pattern: '^[^\\u0000]*[^\\u0000\\s][^\\u0000]*$', examples: ['my agent'] });

const CAP_DESCRIPTION =
  'Credits that the key may be charged in any 24 hours, bought ones too; it never changes. Left out: no cap of its own.';

const body = z.object({
  name: keyName('For people. Blanks around it are taken away.'),
  scopes: z
    .array(oneOf('`all`, or a sport slug.', SCOPES), { error: 'must be an array of scopes' })
    .min(1, 'must hold at least 1 scope')
    .max(SCOPES.length, `must hold at most ${SCOPES.length} scopes`)
    .transform((scopes) => [...new Set(scopes)])
    .optional()
    .meta({ description: 'What the key opens. Left out: what the calling key opens.' }),
  max_credits_a_day: integer(CAP_DESCRIPTION, { min: 1, max: MAX_CREDITS_A_DAY }).optional(),
});

const output: z.ZodType<CreatedKey> = z.object({
  id: z.int(),
  name: z.string(),
  key: z.string().nullable().meta({
    description:
      'The key itself, shown this once and stored nowhere. Null where the creation is repeated with its `Idempotency-Key`.',
  }),
  scopes: z.array(z.string()),
  max_credits_a_day: z.int().nullable().meta({ description: 'Credits in 24 hours; null: no cap.' }),
  created_at: z.string(),
});

export const createKey: Operation<object, object, z.infer<typeof body>, CreatedKey> = {
  name: 'create_key',
  method: 'POST',
  path: '/api/agent/keys',
  tag: 'Account',
  summary:
    'Makes an API key for the account: as many as the plan allows at once, and 10 more in 24 hours, revoked ones counted.',
  input: { body },
  output,
  status: 201,
  errors: ['forbidden', 'key_limit_reached'],
  cost: flatCost(0),
  idempotency: { toStored: (created) => ({ ...created, key: null }), replay: (stored) => stored as CreatedKey },
  check({ scopes = [] }, { principal }) {
    const beyond = scopes.find((scope) => !coversScopes(principal, [scope]));
    if (beyond === undefined) return;
    throw new ApiError('forbidden', `This key does not have the scope ${beyond}, and cannot grant it.`);
  },
  run: ({ name, scopes, max_credits_a_day: cap }, { accounts, principal, runId }) =>
    accounts.createKey(principal, { name, scopes: scopes ?? principal.scopes, maxCreditsADay: cap, run: runId }),
};
