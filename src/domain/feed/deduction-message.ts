import { z } from 'zod';
import { common, league, name, ref, safeInteger, text } from './message-fields.ts';

/** Points that a league has taken from a team in one season. */
export const deductionMessage = z.looseObject({
  kind: z.literal('deduction'),
  ...common,
  ...league,
  season: safeInteger.min(1800).max(2999),
  team: name,
  team_ref: ref.optional(),
  points: safeInteger.min(0, 'must be at least 0: how many points are taken away').max(1000),
  reason: text,
});
