import { z } from 'zod';
import { BOOKMAKER_SLUG } from '../catalogue/catalogue.ts';
import { common, event, text, time } from './message-fields.ts';
import { MARKET_KEY, MATCH_SCOPES, OUTCOMES } from './message-schemas.ts';

/** How a venue charges: `VenueFee` says what each means. */
export const FEE_MODELS = ['p(1-p)', 'winnings', 'notional'] as const;
export type FeeModel = (typeof FEE_MODELS)[number];

/** More levels of a side are rejected: a connector cuts them. */
export const MAX_LEVELS = 10;
const LARGEST_SIZE = 1e12;

/** A probability with four decimals: one more digit would be a price that no answer shows. */
export const bookProbability = z
  .number()
  .min(0.0001)
  .max(0.9999)
  .refine((value) => Math.abs(value * 10_000 - Math.round(value * 10_000)) < 1e-6, 'must have at most four decimals');
export const money = z.number().min(0).max(LARGEST_SIZE);
export const levels = z
  .array(z.tuple([bookProbability, money.refine((value) => value > 0, 'must be more than 0')]))
  .max(MAX_LEVELS)
  .refine((list) => new Set(list.map(([price]) => price)).size === list.length, 'has a price twice');

export const bookFee = z
  .looseObject({
    model: z.enum(FEE_MODELS),
    rate: z.number().min(0).max(0.5),
    exponent: z.number().min(0).max(10).optional(),
    taker_only: z.boolean().optional(),
    rounding: z.number().min(0.000001).max(1).optional(),
    from: time.optional(),
  })
  .refine(({ model, exponent }) => model === 'p(1-p)' || exponent === undefined, {
    error: 'exponent goes with p(1-p) alone',
    path: ['exponent'],
  });

const outcome = z.looseObject({
  outcome: z.enum(OUTCOMES),
  point: z.number().min(-100_000).max(100_000).optional(),
  /** The venue's own id of the contract, where its side must be proved before it is shown: see `contract`. */
  contract: text.optional(),
  bids: levels,
  asks: levels,
  last: bookProbability.optional(),
  volume: money.optional(),
  open_interest: money.optional(),
});
export type FeedBookOutcome = z.infer<typeof outcome>;

const market = z
  .looseObject({
    key: z.string().regex(MARKET_KEY, 'must match [a-z0-9_]{1,60}'),
    scope: z.enum(MATCH_SCOPES).optional(),
    alternate: z.boolean().optional(),
    outcomes: z.array(outcome).max(200),
    fee: bookFee.optional(),
  })
  .refine(({ outcomes }) => new Set(outcomes.map(betOf)).size === outcomes.length, {
    error: 'has an outcome twice',
    path: ['outcomes'],
  });

const betOf = (one: { readonly outcome: string; readonly point?: number | undefined }): string =>
  `${one.outcome}|${one.point ?? ''}`;

/** The order books of one exchange or prediction market on one event. */
export const bookMessage = z.looseObject({
  kind: z.literal('book'),
  ...common,
  ...event,
  venue: z.string().regex(BOOKMAKER_SLUG, 'must match [a-z0-9_]{1,40}'),
  markets: z
    .array(market)
    .max(100)
    .refine(
      (list) =>
        new Set(list.map(({ key, scope, alternate }) => `${key}|${scope ?? 'match'}|${alternate === true}`)).size ===
        list.length,
      'has a market twice',
    ),
});
