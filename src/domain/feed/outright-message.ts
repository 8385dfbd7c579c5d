import { z } from 'zod';
import { BOOKMAKER_SLUG } from '../catalogue/catalogue.ts';
import { common, league, name, price, ref, safeInteger } from './message-fields.ts';
import { MARKET_KEY } from './message-schemas.ts';

const outcome = z
  .looseObject({
    team: name.optional(),
    team_ref: ref.optional(),
    player: name.optional(),
    player_ref: ref.optional(),
    price,
  })
  .refine(({ team, player }) => (team === undefined) !== (player === undefined), 'needs team or player, and not both');

/** The prices of one bookmaker on how a season ends: who wins it, a division, who goes down. */
export const outrightMessage = z.looseObject({
  kind: z.literal('outright'),
  ...common,
  ...league,
  season: safeInteger.min(1800).max(2999),
  market: z.string().regex(MARKET_KEY, 'must match [a-z0-9_]{1,60}'),
  bookmaker: z.string().regex(BOOKMAKER_SLUG, 'must match [a-z0-9_]{1,40}'),
  complete: z.boolean().optional(),
  outcomes: z.array(outcome).max(500),
});
