import { z } from 'zod';
import { BOOKMAKER_SLUG } from '../catalogue/catalogue.ts';
import { common, event, text } from './message-fields.ts';
import { MATCH_SCOPES, OUTCOMES } from './message-schemas.ts';

const probability = z.number().min(0).max(1);

/** What a contract was seen to cost, beside what its own side and the other one are worth by other books. */
const seen = z.looseObject({ price: probability, own: probability, other: probability });

/**
 * One contract of a prediction market: which side it is said to stand for, and what speaks for that or against it.
 * Its order book comes as `book`, and is shown once its side is proved.
 */
export const contractMessage = z.looseObject({
  kind: z.literal('contract'),
  ...common,
  ...event,
  venue: z.string().regex(BOOKMAKER_SLUG, 'must match [a-z0-9_]{1,40}'),
  /** The venue's own id of it. */
  contract: text,
  /** The venue's series that it belongs to: contracts of a series are named alike. */
  series: text,
  market: z.enum(['h2h', 'spreads', 'totals']),
  scope: z.enum(MATCH_SCOPES).optional(),
  outcome: z.enum(OUTCOMES),
  point: z.number().min(-100_000).max(100_000).optional(),
  /** The name or token of its outcome is that of the side. */
  by_name: z.boolean(),
  seen: seen.optional(),
  /** How the venue has settled it. */
  result: z.enum(['yes', 'no']).optional(),
});
