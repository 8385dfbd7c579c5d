import { resolve } from 'node:path';
import type { z } from 'zod';
import { SPORTS } from '../../domain/catalogue/catalogue.ts';
import {
  contactAddress,
  decimalBetween,
  integerBetween,
  listOf,
  nonEmptyText,
  oneOfNames,
  ownUserAgent,
  webAddress,
} from './variable-schemas.ts';

/** Providers that are polled live. */
export const CONNECTORS = ['action-network', 'espn', 'kalshi', 'mlb', 'nhl', 'polymarket', 'the-odds-api'] as const;
export type ConnectorName = (typeof CONNECTORS)[number];
const FEED_NAMES = ['none', 'demo', ...CONNECTORS] as const;
export type FeedName = (typeof FEED_NAMES)[number];

const LEAGUES = SPORTS.flatMap(({ leagues }) => leagues.map(({ slug }) => slug));
const REGIONS = ['us', 'us2', 'us_dfs', 'us_ex', 'uk', 'eu', 'fr', 'se', 'au'] as const;
const market = nonEmptyText.regex(/^[a-z0-9_]{1,60}$/, 'must be a list of market keys such as h2h,spreads');

/** The variables for live feeds. */
export const FEED_VARIABLES = {
  /** The feeds of this process; `none`: no feed. Unset: `demo` if nothing else has fed the folder. */
  FEEDS: listOf(oneOfNames(FEED_NAMES))
    .refine((feeds) => !feeds.includes('none') || feeds.length === 1, 'none stands alone')
    .refine((feeds) => !feeds.includes('demo') || feeds.length === 1, 'demo stands alone: it is simulated')
    .optional(),
  /** Leagues that connectors poll. */
  FEED_LEAGUES: listOf(oneOfNames(LEAGUES)).default(LEAGUES),
  /** Divides every interval and wait of the connectors. */
  FEED_PACE: decimalBetween(0.1, 60).default(1),
  /** For a whole answer, including the connection. */
  FEED_TIMEOUT_SECONDS: decimalBetween(0.1, 300).default(10),
  /** A folder for raw answers. */
  FEED_ARCHIVE: nonEmptyText.optional(),
  /** Where the operator can be reached: part of the User-Agent of all requests to providers. */
  FEED_CONTACT: contactAddress.optional(),
  /** Replaces that User-Agent. */
  FEED_USER_AGENT: ownUserAgent.optional(),
  /** Whether second sources are asked while the first one of a league does not answer. */
  FEED_FALLBACK: oneOfNames(['on', 'off']).default('on'),
  /** How ESPN is asked for the days ahead; `auto`: soccer by month, the others by day. */
  ESPN_AHEAD: oneOfNames(['auto', 'day', 'month']).default('auto'),
  /** Replace the providers' own URLs. */
  ESPN_URL: webAddress.optional(),
  /** ESPN's other host. Default: none if ESPN_URL is set. */
  ESPN_FALLBACK_URL: webAddress.optional(),
  MLB_URL: webAddress.optional(),
  NHL_URL: webAddress.optional(),
  KALSHI_URL: webAddress.optional(),
  /** Where Polymarket lists its markets. */
  POLYMARKET_URL: webAddress.optional(),
  /** Where Polymarket has its order books. */
  POLYMARKET_CLOB_URL: webAddress.optional(),
  THE_ODDS_API_URL: webAddress.optional(),
  ACTION_NETWORK_URL: webAddress.optional(),
  THE_ODDS_API_KEY: nonEmptyText.regex(/^[\x21-\x7e]{1,512}$/, 'must be printable ASCII without blanks').optional(),
  /** Credits per UTC day. */
  THE_ODDS_API_BUDGET: integerBetween(0, 1_000_000_000).default(16),
  THE_ODDS_API_REGIONS: listOf(oneOfNames(REGIONS)).default(['us']),
  THE_ODDS_API_MARKETS: listOf(market).default(['h2h', 'spreads', 'totals']),
  /** Requested for each event that is in play or starts within a day. */
  THE_ODDS_API_EVENT_MARKETS: listOf(market).default([]),
};

/** It has the same paths and answers as ESPN's first host. */
const ESPN_OTHER_HOST = 'https://site.web.api.espn.com';

type FeedVariables = z.infer<z.ZodObject<typeof FEED_VARIABLES>>;

/** Checks variables that need another one. */
export function checkFeedVariables(
  { FEEDS: feeds = [], THE_ODDS_API_KEY: key }: FeedVariables,
  context: z.RefinementCtx,
): void {
  if (!feeds.includes('the-odds-api') || key !== undefined) return;
  const message = 'is needed where FEEDS names the-odds-api';
  context.addIssue({ code: 'custom', path: ['THE_ODDS_API_KEY'], message });
}

/** The settings of live connectors. */
export interface ConnectorSettings {
  /** The connectors that poll, by name. */
  readonly names: readonly ConnectorName[];
  /** Slugs of the polled leagues. */
  readonly leagues: readonly string[];
  /** Divides every interval, wait and backoff. */
  readonly pace: number;
  readonly timeoutMs: number;
  /** An absolute path; undefined: raw answers are not stored. */
  readonly archive: string | undefined;
  /** Where the operator can be reached. */
  readonly contact: string | undefined;
  /** The whole User-Agent, in place of the server's own. */
  readonly userAgent: string | undefined;
  /** Whether second sources are asked while the first one of a league does not answer. */
  readonly fallback: boolean;
  /** Replace the providers' own URLs; without a trailing slash. */
  readonly addresses: Readonly<Record<ConnectorName, string | undefined>>;
  /** Replaces the address of Polymarket's order books. */
  readonly polymarketClobAddress: string | undefined;
  readonly espn: {
    /** Undefined: ESPN has no other host here. */
    readonly fallbackAddress: string | undefined;
    /** How the days ahead are asked for. */
    readonly ahead: 'auto' | 'day' | 'month';
  };
  readonly theOddsApi: {
    readonly key: string | undefined;
    /** The provider's credits per UTC day. */
    readonly budget: number;
    readonly regions: readonly string[];
    readonly markets: readonly string[];
    readonly eventMarkets: readonly string[];
  };
}

export const toConnectorSettings = (values: FeedVariables): ConnectorSettings => ({
  names: CONNECTORS.filter((name) => values.FEEDS?.includes(name)),
  leagues: values.FEED_LEAGUES,
  pace: values.FEED_PACE,
  timeoutMs: values.FEED_TIMEOUT_SECONDS * 1000,
  archive: values.FEED_ARCHIVE === undefined ? undefined : resolve(values.FEED_ARCHIVE),
  contact: values.FEED_CONTACT,
  userAgent: values.FEED_USER_AGENT,
  fallback: values.FEED_FALLBACK === 'on',
  addresses: {
    espn: values.ESPN_URL,
    mlb: values.MLB_URL,
    nhl: values.NHL_URL,
    kalshi: values.KALSHI_URL,
    polymarket: values.POLYMARKET_URL,
    'the-odds-api': values.THE_ODDS_API_URL,
    'action-network': values.ACTION_NETWORK_URL,
  },
  polymarketClobAddress: values.POLYMARKET_CLOB_URL,
  espn: {
    fallbackAddress: values.ESPN_FALLBACK_URL ?? (values.ESPN_URL === undefined ? ESPN_OTHER_HOST : undefined),
    ahead: values.ESPN_AHEAD,
  },
  theOddsApi: {
    key: values.THE_ODDS_API_KEY,
    budget: values.THE_ODDS_API_BUDGET,
    regions: values.THE_ODDS_API_REGIONS,
    markets: values.THE_ODDS_API_MARKETS,
    eventMarkets: values.THE_ODDS_API_EVENT_MARKETS,
  },
});
