import { z } from 'zod';
import { ALERT_FORMATS } from '../../../domain/alerts/alert-formats.ts';
import { SPORT_SLUGS } from '../../../domain/catalogue/catalogue.ts';
import { WEBHOOK_EVENT_TYPES } from '../../../domain/webhook-types.ts';
import type { Webhook } from '../../calls/services/webhook-services.ts';
import { alertFilter, quiet } from './alert-parameters.ts';

const members = {
  id: z.int(),
  url: z.string().meta({ description: 'In its normal form; its secrets are left out.' }),
  format: z.enum(ALERT_FORMATS),
  event_types: z.array(z.enum(WEBHOOK_EVENT_TYPES)),
  sport: z.enum(SPORT_SLUGS).nullable().meta({ description: 'Null: any that the key opens which made it.' }),
  event_id: z.int().nullable(),
  filter: alertFilter.nullable(),
  quiet,
  is_active: z.boolean().meta({
    description:
      'False once it has ended: the endpoint answered 410, failed for 5 days, or refused three messages in a row.',
  }),
};

export const webhook = z.object(members).meta({ id: 'Webhook' }) as unknown as z.ZodType<Webhook>;

export const signingSecret = z.string().meta({
  description: '`whsec_` and base64. Shown this once; stored encrypted.',
});

const { is_active, ...first } = members;
export const createdWebhook = z.object({ ...first, signing_secret: signingSecret, is_active });
