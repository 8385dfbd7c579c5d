import { type Config, readConfig } from '../../platform/settings/config.ts';
import { CONNECTORS, type ConnectorName } from '../../platform/settings/feed-settings.ts';
import { readFolderConfig, withStoredSettings } from '../../platform/settings/stored-settings.ts';
import { checkProvider, isCleanCheck } from '../../sources/connectors/provider-check.ts';
import { realEnvironment, silentLog } from '../composition/environment.ts';
import { polledProviders, providerClientOf } from '../composition/live-feeds.ts';
import { type Arguments, runCommand, UsageError } from './arguments.ts';

const help = `
feeds list                              a line of JSON for each live connector, as it is set up
feeds check SOURCE                      asks once what a first round would, and records nothing; needs no server
                                        SOURCE is ${CONNECTORS.join(', ')}

  --league SLUG     only this league, as if it played soon: the-odds-api then asks for its prices, which costs credits
  --messages        prints the feed messages instead, a line each

The last line of a check is its report, as JSON: first whether the provider refuses this server, and what to set then.
It ends with 1 where a request failed, a message was rejected, or an answer is not as expected. The variables of the
environment are those of the server (docs/operate.md).`;

async function feeds(args: Arguments): Promise<number> {
  const [action, source, ...more] = args.positionals;
  if (more.length > 0) throw new UsageError(`feeds takes no ${more[0]}`);
  if (action === 'list') {
    if (source !== undefined) throw new UsageError(`feeds list takes no ${source}`);
    return list(readFolderConfig(process.env, args.dataDir));
  }
  if (action !== 'check') throw new UsageError(action === undefined ? 'list or check?' : `feeds knows no ${action}`);
  if (!isConnector(source)) throw new UsageError(`SOURCE must be one of ${CONNECTORS.join(', ')}`);
  return check(readConfig(withoutFeeds(withStoredSettings(process.env, args.dataDir)), args.dataDir), source, args);
}

/** A source can be checked before FEEDS names it. */
const withoutFeeds = ({ FEEDS: _, ...env }: ReturnType<typeof withStoredSettings>) => env;

const isConnector = (name: string | undefined): name is ConnectorName => CONNECTORS.some((one) => one === name);

function list({ connectors }: Config): number {
  const { names, leagues, pace, timeoutMs, archive, theOddsApi } = connectors;
  const { key, ...ofTheOddsApi } = theOddsApi;
  for (const { provider, address, name = provider.name } of polledProviders(connectors, undefined, CONNECTORS)) {
    const own = provider.name === 'the-odds-api' ? { ...ofTheOddsApi, has_key: key !== undefined } : {};
    const { eventMarkets, ...rest } = own as Partial<typeof ofTheOddsApi>;
    const settings = {
      pace,
      timeout_seconds: timeoutMs / 1000,
      archive: archive ?? null,
      ...rest,
      ...(eventMarkets === undefined ? {} : { event_markets: eventMarkets }),
    };
    const enabled = names.some((one) => one === provider.name);
    print({ source: name, enabled, url: address, leagues, settings });
  }
  return 0;
}

async function check(config: Config, source: ConnectorName, args: Arguments): Promise<number> {
  const { connectors } = config;
  const league = args.text('league');
  if (league !== undefined && !connectors.leagues.includes(league)) {
    throw new UsageError(`--league must be one of ${connectors.leagues.join(', ')}`);
  }
  if (source === 'the-odds-api' && connectors.theOddsApi.key === undefined) {
    throw new UsageError('THE_ODDS_API_KEY: is needed to ask the-odds-api');
  }
  const showsMessages = args.flag('messages');
  // Where a provider has two hosts, the first one lists what there is.
  const [polled] = polledProviders(connectors, undefined, [source]);
  const report = await checkProvider({
    polled: polled!,
    leagues: league === undefined ? connectors.leagues : [league],
    isSoon: league !== undefined,
    client: providerClientOf(config, realEnvironment(silentLog), Date.now),
    now: Date.now,
    onMessage: showsMessages ? print : () => {},
  });
  if (!showsMessages) print(report);
  else if (report.refused !== null) process.stderr.write(`${report.refused}\n`);
  return isCleanCheck(report) ? 0 : 1;
}

const print = (value: object): void => void process.stdout.write(`${JSON.stringify(value)}\n`);

const form = { help, options: { league: { type: 'string' }, messages: { type: 'boolean' } }, run: feeds } as const;

export const run = (argv: readonly string[]) => runCommand(form, argv);
