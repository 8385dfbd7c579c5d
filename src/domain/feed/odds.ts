import { z } from 'zod';
import { BOOKMAKER_SLUG } from '../catalogue.ts';
import { common, event, price, ref, text } from './fields.ts';

export const MATCH_SCOPES = ['match', '1H', 'F5', 'S1'] as const;
export const OUTCOMES = ['home', 'away', 'draw', 'over', 'under', 'player_1', 'player_2'] as const;
export const MARKET_KEY = /^[a-z0-9_]{1,60}$/;
const outcome = z.looseObject({
  outcome: z.enum(OUTCOMES),
  price,
  /** The price as the source states it, with the stake. */
  decimal: z.number().optional(),
  point: z.number().min(-100_000).max(100_000).optional(),
  team: z.enum(['home', 'away']).optional(),
  player: text.optional(),
  player_ref: ref.optional(),
});
export type FeedOutcome = z.infer<typeof outcome>;
export const oddsMessage = z.looseObject({
  kind: z.literal('odds'),
  ...common,
  ...event,
  bookmaker: z.string().regex(BOOKMAKER_SLUG, 'must match [a-z0-9_]{1,40}'),
  markets: z
    .array(
      z.looseObject({
        key: z.string().regex(MARKET_KEY, 'must match [a-z0-9_]{1,60}'),
        scope: z.enum(MATCH_SCOPES).optional(),
        alternate: z.boolean().optional(),
        complete: z.boolean().optional(),
        outcomes: z.array(outcome).max(2000),
      }),
    )
    .max(500),
});
