import { z } from 'zod';
import { ERROR_CODES } from '../calls/errors.ts';

const fieldError = z.object({
  loc: z.array(z.union([z.string(), z.int()])),
  msg: z.string(),
  type: z.string(),
});

/** The error envelope, as clients of every endpoint meet it. */
export const envelopeSchema = z.object({
  error: z.looseObject({
    code: z.enum(ERROR_CODES as [string, ...string[]]),
    message: z.string(),
    status: z.int(),
    doc_url: z.string(),
    request_id: z.string(),
    errors: z.array(fieldError).optional().meta({ description: 'The wrong fields, with validation_error.' }),
    retry_after: z.int().optional().meta({ description: 'Seconds, with status 429.' }),
    resets_at: z.string().optional(),
    window_hours: z.int().optional(),
    is_trial_expired: z.boolean().optional(),
    hosted_invoice_url: z.string().optional(),
    sport: z.string().optional(),
    granted_scopes: z.array(z.string()).optional(),
    upgrade_url: z.string().optional(),
    topup_url: z.string().optional(),
    billing_url: z.string().optional(),
  }),
  detail: z.string().meta({ description: 'The same as error.message.' }),
});
