import { z } from 'zod';
import { time } from '../../../read-models/rendering/event-schemas.ts';

/** A link as answers show it. */
export const link = z
  .object({
    id: z.int(),
    name: z.string().nullable(),
    url: z.string().nullable().meta({ description: 'The address; null in lists, since only its making shows it.' }),
    path: z.string().meta({ description: 'What it reads, with its query.' }),
    format: z.string(),
    created_at: time,
    expires_at: time.nullable().meta({ description: 'From this time on it opens nothing; null: never.' }),
    last_used_at: time.nullable(),
    uses: z.int().meta({ description: 'How often it was answered.' }),
  })
  .meta({ id: 'Link' });
