import { mkdirSync } from 'node:fs';
import type { SharpWeight } from '../../intelligence/prices/sharp-books.ts';
import type { Config } from '../../platform/settings/config.ts';
import { ConfigError } from '../../platform/settings/config-error.ts';
import type { ConnectorName, ConnectorSettings } from '../../platform/settings/feed-settings.ts';
import type { DocumentChangeSource } from '../../read-models/projector/document-changes.ts';
import { createBookmakers } from '../../read-models/rendering/bookmakers.ts';
import { type Connectors, openConnectors, type PolledProvider } from '../../sources/connectors/connectors.ts';
import { createLeagueViews } from '../../sources/connectors/league-views.ts';
import { createProviderClient, type ProviderClient } from '../../sources/connectors/provider-client.ts';
import { openTransport, type ProviderTransport } from '../../sources/connectors/provider-transport.ts';
import type { SharedFeedAges } from '../../sources/connectors/store/shared-feed-ages.ts';
import { createLiveProviders } from '../../sources/live-providers.ts';
import type { Provider } from '../../sources/provider-base/provider.ts';
import { createLoggedPriceReader } from '../../sources/the-odds-api/logged-prices.ts';
import { createBoundContractReader } from './bound-contracts.ts';
import type { Environment } from './environment.ts';
import { createFairPriceReader } from './fair-prices.ts';
import type { Core } from './open-core.ts';
import type { Ports } from './ports.ts';
import { providerUserAgent } from './provider-user-agent.ts';

interface LiveFeedsParts {
  readonly config: Pick<Config, 'connectors' | 'roles' | 'host' | 'port' | 'publicUrl' | 'referenceWeights'>;
  readonly ports: Pick<Ports, 'log' | 'store' | 'identities' | 'connectorStore' | 'clock'>;
  readonly core: Pick<Core, 'intake'> & { readonly runner: DocumentChangeSource };
  /** Tells other processes how old the feeds are; absent: there are none. */
  readonly sharedAges?: SharedFeedAges;
  readonly environment: Pick<Environment, 'pace' | 'random' | 'version' | 'logger'>;
  /** The name of this process among those that share the registry. */
  readonly owner: string;
  /** Default: over the network. */
  readonly transport?: ProviderTransport;
}

/** The connectors, not started yet; undefined if this process polls nothing. */
export async function openLiveFeeds(parts: LiveFeedsParts): Promise<Connectors | undefined> {
  const { config, ports, core, environment, owner, transport } = parts;
  const { connectors: settings, roles } = config;
  if (settings.names.length === 0 || !roles.includes('ingest')) return undefined;
  makeArchive(settings.archive);
  const { now } = ports.clock;
  const providers = [
    ...polledProviders(settings, ports, settings.names, createBookmakers({}, config.referenceWeights).sharpWeight),
    ...secondSources(settings),
  ];
  const { pace: steady, random, logger } = environment;
  return openConnectors({
    connectorStore: ports.connectorStore,
    sharedAges: parts.sharedAges,
    owner,
    intake: core.intake,
    pace: settings.pace,
    archive: settings.archive,
    now,
    random,
    steadyNow: steady.now,
    setTimer: steady.setTimer,
    providers,
    leagues: settings.leagues,
    client: providerClientOf(config, environment, now, transport),
    views: (onChange) =>
      createLeagueViews({
        store: ports.store,
        identities: ports.identities,
        changes: core.runner.documentChanges,
        now,
        onChange,
        leagues: settings.leagues,
        sources: [...new Set(providers.map(({ provider }) => provider.name))],
      }),
    onError(error, what) {
      // While the clock is doubted nothing is ingested, and the clock logs why.
      if (ports.clock.isOpen) logger.error({ err: error }, what);
    },
  });
}

/** The HTTP client that all connectors share. */
export const providerClientOf = (
  config: LiveFeedsParts['config'],
  { pace, version }: Pick<Environment, 'pace' | 'version'>,
  now: () => number,
  transport = openTransport(),
): ProviderClient =>
  createProviderClient({
    transport,
    timeoutMs: config.connectors.timeoutMs,
    now,
    steadyNow: pace.now,
    setTimer: pace.setTimer,
    userAgent: providerUserAgent(config, version),
  });

/** The providers with these names, with the operator's settings. */
export function polledProviders(
  settings: ConnectorSettings,
  ports?: KnownPorts,
  names: readonly ConnectorName[] = settings.names,
  weightOf: SharpWeight = createBookmakers({}, {}).sharpWeight,
): PolledProvider[] {
  const { theOddsApi, addresses } = settings;
  const providers = providersOf(settings, ports, weightOf);
  return names.flatMap((name: ConnectorName): PolledProvider[] => {
    const provider: Provider = providers[name]();
    const address = addresses[name] ?? provider.address;
    const { companion } = provider;
    if (companion) {
      const second = settings.polymarketClobAddress ?? companion.provider.address;
      return [
        { provider, address },
        { ...companion, address: second },
      ];
    }
    if (name !== 'the-odds-api') return [{ provider, address }];
    const { key = '', budget } = theOddsApi;
    return [{ provider, address, key: { name: 'apiKey', value: key }, budget }];
  });
}

/** What is known already, which some providers ask for. */
type KnownPorts = Pick<Ports, 'log' | 'store' | 'identities'>;

function providersOf(settings: ConnectorSettings, ports?: KnownPorts, weightOf?: SharpWeight) {
  const { theOddsApi, espn, pace } = settings;
  const scores = !settings.names.includes('espn');
  const inLog = ports && createLoggedPriceReader('the-odds-api', ports.store, ports.identities);
  const fair = ports && weightOf && createFairPriceReader({ ...ports, weightOf });
  const bound = ports && createBoundContractReader(ports.log);
  return createLiveProviders({ ...theOddsApi, ahead: espn.ahead, pace, scores }, inLog, { fair, bound });
}

/** The second sources of ESPN's leagues, which are asked while it is silent. */
function secondSources(settings: ConnectorSettings): PolledProvider[] {
  const { names, leagues, fallback, addresses, espn } = settings;
  if (!fallback || !names.includes('espn')) return [];
  const providers = providersOf(settings);
  const ofLeagues = (['mlb', 'nhl'] as const)
    .filter((name) => leagues.includes(name) && !names.includes(name))
    .map((name) => ({ provider: providers[name](), address: addresses[name], standsInFor: 'espn' }))
    .map((second) => ({ ...second, address: second.address ?? second.provider.address }));
  if (espn.fallbackAddress === undefined) return ofLeagues;
  const otherHost = {
    provider: providers.espn(),
    address: espn.fallbackAddress,
    standsInFor: 'espn',
    name: 'espn-fallback',
  };
  return [otherHost, ...ofLeagues];
}

/** @throws ConfigError */
function makeArchive(folder: string | undefined): void {
  if (folder === undefined) return;
  try {
    mkdirSync(folder, { recursive: true });
  } catch (error) {
    throw new ConfigError('FEED_ARCHIVE', `${folder} cannot be made (${(error as NodeJS.ErrnoException).code})`);
  }
}
