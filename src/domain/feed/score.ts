import { z } from 'zod';
import { EVENT_STATUSES, RESULT_TYPES } from '../catalogue.ts';
import { common, event, safeInteger, side, text, time } from './fields.ts';

const periodScore = z.looseObject({ period: text, score: safeInteger, tiebreak: safeInteger.optional() });
export const scoreMessage = z.looseObject({
  kind: z.literal('score'),
  ...common,
  ...event,
  status: z.enum(EVENT_STATUSES),
  period: text.optional(),
  clock: text.optional(),
  result_type: z.enum(RESULT_TYPES).optional(),
  scores: z
    .array(
      z.looseObject({
        role: side,
        score: z.string().max(100).optional(),
        game_score: z.string().max(20).optional(),
        period_scores: z.array(periodScore).max(60).optional(),
        is_winner: z.boolean().optional(),
      }),
    )
    .max(2)
    .optional(),
  inprogress_since: time.optional(),
});
