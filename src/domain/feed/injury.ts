import { z } from 'zod';
import { INJURY_STATUSES } from '../catalogue.ts';
import { common, event, league, ref, text } from './fields.ts';

export const injuryMessage = z.looseObject({
  kind: z.literal('injury'),
  ...common,
  ...event,
  sport: league.sport.optional(),
  league: league.league.optional(),
  player_ref: ref.optional(),
  player: text.optional(),
  team_ref: ref.optional(),
  team: text.optional(),
  status: z.enum(INJURY_STATUSES).optional(),
  body_part: text.optional(),
  note: z.string().max(4000).optional(),
  source_url: z.string().max(2000).optional(),
  checked: z.boolean().optional(),
});
