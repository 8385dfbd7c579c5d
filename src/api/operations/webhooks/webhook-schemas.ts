import { z } from 'zod';
import { ALERT_FORMATS } from '../../../domain/alerts/alert-formats.ts';
import { SPORT_SLUGS } from '../../../domain/catalogue/catalogue.ts';
import { WEBHOOK_EVENT_TYPES } from '../../../domain/webhook-types.ts';
import type { Webhook } from '../../calls/services/webhook-services.ts';

const members = {
  id: z.int(),
  url: z.string().meta({ description: 'Without its secrets.' }),
  format: z.enum(ALERT_FORMATS),
  event_types: z.array(z.enum(WEBHOOK_EVENT_TYPES)),
  sport: z.enum(SPORT_SLUGS).nullable().meta({ description: 'Null: any that the key opens which made it.' }),
  event_id: z.int().nullable(),
  filter: z.looseObject({}).nullable().meta({ description: 'As it was given.' }),
  quiet: z.object({ min_interval_seconds: z.int() }),
  is_active: z.boolean().meta({
    description: 'False once it has ended: after a 410, 5 days of failures, or 3 refusals of a service.',
  }),
};

export const webhook = z.object(members).meta({ id: 'Webhook' }) as unknown as z.ZodType<Webhook>;

export const signingSecret = z.string().meta({
  description: '`whsec_` and base64. Shown this once; stored encrypted.',
});

const { is_active, ...first } = members;
export const createdWebhook = z.object({ ...first, signing_secret: signingSecret, is_active });
