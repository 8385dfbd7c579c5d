import { resolve } from 'node:path';
import { CONNECTORS, type ConnectorName, type FeedVariables } from './feed-variables.ts';

/** What live connectors go by. */
export interface ConnectorSettings {
  /** Those that poll, by name. */
  readonly names: readonly ConnectorName[];
  /** Slugs of the leagues that are polled. */
  readonly leagues: readonly string[];
  /** Every interval, wait and backoff is divided by it. */
  readonly pace: number;
  readonly timeoutMs: number;
  /** An absolute folder; undefined: no raw answers are kept. */
  readonly archive: string | undefined;
  /** In place of the providers' own addresses, without a slash at their end. */
  readonly addresses: Readonly<Record<ConnectorName, string | undefined>>;
  readonly theOddsApi: {
    readonly key: string | undefined;
    /** The provider's credits of a UTC day. */
    readonly budget: number;
    readonly regions: readonly string[];
    readonly markets: readonly string[];
    readonly eventMarkets: readonly string[];
  };
}

export const connectorSettings = (values: FeedVariables): ConnectorSettings => ({
  names: CONNECTORS.filter((name) => values.FEEDS?.includes(name)),
  leagues: values.FEED_LEAGUES,
  pace: values.FEED_PACE,
  timeoutMs: values.FEED_TIMEOUT_SECONDS * 1000,
  archive: values.FEED_ARCHIVE === undefined ? undefined : resolve(values.FEED_ARCHIVE),
  addresses: {
    espn: values.ESPN_URL,
    'the-odds-api': values.THE_ODDS_API_URL,
    'action-network': values.ACTION_NETWORK_URL,
  },
  theOddsApi: {
    key: values.THE_ODDS_API_KEY,
    budget: values.THE_ODDS_API_BUDGET,
    regions: values.THE_ODDS_API_REGIONS,
    markets: values.THE_ODDS_API_MARKETS,
    eventMarkets: values.THE_ODDS_API_EVENT_MARKETS,
  },
});
