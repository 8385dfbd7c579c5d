import type { z } from 'zod';
import { SPORTS } from '../../domain/catalogue.ts';
import { factor, list, oneOf, sizedNumber, webAddress, word } from './forms.ts';

/** Providers that are polled live. */
export const CONNECTORS = ['action-network', 'espn', 'the-odds-api'] as const;
export type ConnectorName = (typeof CONNECTORS)[number];
const FEEDS = ['none', 'demo', ...CONNECTORS] as const;
export type FeedName = (typeof FEEDS)[number];

const LEAGUES = SPORTS.flatMap(({ leagues }) => leagues.map(({ slug }) => slug));
const REGIONS = ['us', 'us2', 'us_dfs', 'us_ex', 'uk', 'eu', 'fr', 'se', 'au'] as const;
const market = word.regex(/^[a-z0-9_]{1,60}$/, 'must be a list of market keys such as h2h,spreads');

/** What live feeds go by. */
export const FEED_VARIABLES = {
  /** Connectors that fetch by themselves; `none` for none. Unset: `demo` where nothing else has fed the folder. */
  FEEDS: list(oneOf(FEEDS))
    .refine((feeds) => !feeds.includes('none') || feeds.length === 1, 'none stands alone')
    .refine((feeds) => !feeds.includes('demo') || feeds.length === 1, 'demo stands alone: it is simulated')
    .optional(),
  /** Leagues that connectors poll. */
  FEED_LEAGUES: list(oneOf(LEAGUES)).default(LEAGUES),
  /** Every interval and wait of the connectors is divided by it. */
  FEED_PACE: factor(0.1, 60).default(1),
  /** For a whole answer, connecting included. */
  FEED_TIMEOUT_SECONDS: factor(0.1, 300).default(10),
  /** A folder for raw answers. */
  FEED_ARCHIVE: word.optional(),
  /** In place of the providers' own addresses. */
  ESPN_URL: webAddress.optional(),
  THE_ODDS_API_URL: webAddress.optional(),
  ACTION_NETWORK_URL: webAddress.optional(),
  THE_ODDS_API_KEY: word.regex(/^[\x21-\x7e]{1,512}$/, 'must be printable ASCII without blanks').optional(),
  /** Credits of a UTC day. */
  THE_ODDS_API_BUDGET: sizedNumber(0, 1_000_000_000).default(16),
  THE_ODDS_API_REGIONS: list(oneOf(REGIONS)).default(['us']),
  THE_ODDS_API_MARKETS: list(market).default(['h2h', 'spreads', 'totals']),
  /** Asked for each event that is in play or starts within a day. */
  THE_ODDS_API_EVENT_MARKETS: list(market).default([]),
};

export type FeedVariables = z.infer<z.ZodObject<typeof FEED_VARIABLES>>;

/** What one variable of them needs beside it. */
export function checkFeeds(
  { FEEDS: feeds = [], THE_ODDS_API_KEY: key }: FeedVariables,
  context: z.RefinementCtx,
): void {
  if (!feeds.includes('the-odds-api') || key !== undefined) return;
  const message = 'is needed where FEEDS names the-odds-api';
  context.addIssue({ code: 'custom', path: ['THE_ODDS_API_KEY'], message });
}
