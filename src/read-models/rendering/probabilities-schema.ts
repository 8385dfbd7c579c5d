import { z } from 'zod';
import { EVENT_STATUSES } from '../../domain/catalogue/catalogue.ts';

export const PLAY_OUTCOMES = ['home', 'away', 'draw', 'player_1', 'player_2', 'over', 'under'] as const;

const outcomes = z.array(
  z.object({
    outcome: z.enum(PLAY_OUTCOMES),
    pregame: z.number().nullable().meta({ description: 'The `probability` of the intelligence.' }),
    now: z.number().nullable().meta({
      description:
        'By the score and the time left: `pregame` before the start, 0 or 1 at the end; null if the event is cancelled or postponed, or this is not known.',
    }),
  }),
);
const atLine = z
  .object({
    line: z.number().meta({ description: 'The home side’s or the first player’s point, or the total.' }),
    outcomes,
  })
  .nullable();

export const eventProbabilities = z
  .object({
    event_id: z.int(),
    available: z.boolean().meta({ description: 'Whether a forecast from before the start is known.' }),
    status: z.enum(EVENT_STATUSES),
    as_of: z.string().nullable(),
    outcomes: outcomes.meta({ description: 'Of the moneyline.' }),
    spread: atLine.meta({
      description: 'At the closing line, or the present main line before the start; null without one.',
    }),
    total: atLine,
    model_version: z.string().nullable(),
  })
  .meta({ id: 'EventProbabilities' });

export type EventProbabilities = z.infer<typeof eventProbabilities>;
