import { z } from 'zod';
import { BOOKMAKER_SLUG } from '../catalogue.ts';
import { common, event, price } from './fields.ts';

const percent = z.number().int().min(0).max(100);
const splitSide = z.looseObject({
  bets_pct: percent,
  handle_pct: percent,
  price: price.optional(),
  line: z.number().min(-100_000).max(100_000).optional(),
});
const sides = z.looseObject({ home: splitSide.optional(), away: splitSide.optional() });
export const splitsMessage = z.looseObject({
  kind: z.literal('splits'),
  ...common,
  ...event,
  bookmaker: z.string().regex(BOOKMAKER_SLUG, 'must match [a-z0-9_]{1,40}').optional(),
  markets: z.looseObject({
    moneyline: sides.optional(),
    spread: sides.optional(),
    total: z.looseObject({ over: splitSide.optional(), under: splitSide.optional() }).optional(),
  }),
});
