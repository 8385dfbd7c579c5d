import { z } from 'zod';

const count = z.number().int().min(0).max(Number.MAX_SAFE_INTEGER);

/** What an account on this plan may do. Null means no limit. */
export const planSchema = z.strictObject({
  name: z.string().min(1).max(100),
  /** For each key, in a sliding window of 60 seconds. */
  requests_per_minute: count.min(1).nullable(),
  /** Revoked keys do not count. */
  max_api_keys: count.nullable(),
  /** Credits granted once, when the account is created; null: credits are unlimited. */
  initial_credits: count.nullable(),
  /** Credits granted for each calendar month in UTC; they expire with it. */
  monthly_credits: count,
  /** Hours until the initial credits expire; null: never. */
  credits_expire_hours: count.min(1).nullable(),
  /** Plan credits that may be spent in a rolling 24 hours; bought credits do not count. */
  daily_credit_cap: count.min(1).nullable(),
  /** Per calendar month, in cents of the currency; 0: free. */
  price_cents: count,
  currency: z.string().regex(/^[a-z]{3}$/, 'must be three small letters'),
});
export type Plan = z.infer<typeof planSchema>;

/** The price of a plan without one. */
export const FREE_OF_CHARGE = { price_cents: 0, currency: 'usd' } as const;

export const DEFAULT_PLANS: Readonly<Record<string, Plan>> = {
  trial: {
    name: 'Trial',
    requests_per_minute: 10,
    max_api_keys: 1,
    initial_credits: 50,
    monthly_credits: 0,
    credits_expire_hours: 24,
    daily_credit_cap: null,
    ...FREE_OF_CHARGE,
  },
  free: {
    name: 'Free Tier',
    requests_per_minute: 20,
    max_api_keys: 3,
    initial_credits: 1000,
    monthly_credits: 0,
    credits_expire_hours: null,
    daily_credit_cap: 250,
    ...FREE_OF_CHARGE,
  },
  payg: {
    name: 'Pay As You Go',
    requests_per_minute: 60,
    max_api_keys: 10,
    initial_credits: 0,
    monthly_credits: 0,
    credits_expire_hours: null,
    daily_credit_cap: null,
    ...FREE_OF_CHARGE,
  },
  growth: {
    name: 'Growth',
    requests_per_minute: 120,
    max_api_keys: 25,
    initial_credits: 0,
    monthly_credits: 50_000,
    credits_expire_hours: null,
    daily_credit_cap: null,
    price_cents: 4900,
    currency: 'usd',
  },
  enterprise: {
    name: 'Enterprise',
    requests_per_minute: null,
    max_api_keys: null,
    initial_credits: null,
    monthly_credits: 0,
    credits_expire_hours: null,
    daily_credit_cap: null,
    ...FREE_OF_CHARGE,
  },
};

/** Credits that an account can buy; they never expire. Prices in cents of the currency. */
export const packSchema = z.strictObject({
  id: count.min(1),
  name: z.string().min(1).max(100),
  credits: count.min(1),
  price_cents: count,
  currency: z.string().regex(/^[a-z]{3}$/, 'must be three small letters'),
});
export type Pack = z.infer<typeof packSchema>;

export const DEFAULT_PACKS: readonly Pack[] = [
  { id: 1, name: 'Small', credits: 5_000, price_cents: 1_000, currency: 'usd' },
  { id: 2, name: 'Medium', credits: 25_000, price_cents: 4_000, currency: 'usd' },
  { id: 3, name: 'Large', credits: 100_000, price_cents: 12_000, currency: 'usd' },
];
