import { isIP } from 'node:net';
import { resolve } from 'node:path';
import { type BackupSettings, toBackupSettings } from './backup-settings.ts';
import { type ConfigFile, readConfigFile } from './config-file.ts';
import { type ClusterSettings, type Role, toClusterSettings } from './deployment-profile.ts';
import { type ConnectorSettings, type FeedName, toConnectorSettings } from './feed-settings.ts';
import { type StripeKeys, toStripeKeys } from './stripe-settings.ts';
import { type LogLevel, readVariables, redactVariables, type Variables } from './variables.ts';

/** Addresses and the name of the local machine. */
export const LOOPBACK = /^(localhost|127(\.\d{1,3}){3}|::1)$/;

/** The OAuth app, and GitHub's URLs. */
export interface GithubSettings {
  readonly clientId: string;
  readonly clientSecret: string;
  /** Both URLs have no trailing slash. */
  readonly oauthUrl: string;
  readonly apiUrl: string;
}

/** Favourite teams that are published to an MQTT broker, for Home Assistant. */
export interface HomeAssistantSettings {
  /** With credentials. */
  readonly url: string;
  readonly teams: readonly { readonly sport: string; readonly name: string }[];
}

export interface Config extends ConfigFile {
  readonly host: string;
  readonly port: number;
  /** Undefined: metrics have no port of their own. */
  readonly metricsPort: number | undefined;
  /** Absolute. It need not exist yet. */
  readonly dataDir: string;
  /** As configured; `baseUrl` gives the URL in use. */
  readonly publicUrl: string | undefined;
  readonly ingestKey: string | undefined;
  readonly bootstrapKey: string | undefined;
  readonly keyPepper: string | undefined;
  readonly sessionSecret: string | undefined;
  readonly roles: readonly Role[];
  /** For remote engines; undefined: all engines are embedded. */
  readonly cluster: ClusterSettings | undefined;
  /** As configured; undefined: the content of the folder decides. */
  readonly feeds: readonly FeedName[] | undefined;
  readonly connectors: ConnectorSettings;
  readonly demoSeed: number;
  readonly demoSpeed: number | undefined;
  readonly livePage: boolean;
  readonly gradeSheet: boolean;
  readonly registration: 'open' | 'closed';
  readonly trial: 'off' | 'anonymous';
  readonly trustProxy: readonly string[];
  readonly webhookAllow: readonly string[];
  readonly webhookDeny: readonly string[];
  readonly webhookRetrySeconds: readonly number[];
  readonly quarantine: { readonly maxMessages: number; readonly maxBytes: number };
  /** Days. Undefined: nothing is moved to the archive. */
  readonly retainOdds: number | undefined;
  /** A program that is run with the date and the root of each seal. */
  readonly sealCommand: string | undefined;
  /** Undefined: no backup is made. */
  readonly backup: BackupSettings | undefined;
  /** Undefined: nothing is published to a broker. */
  readonly homeAssistant: HomeAssistantSettings | undefined;
  /** Undefined: each mail is written to a file, from `Ledgerline <no-reply@HOST>`. */
  readonly smtpUrl: string | undefined;
  readonly mailFrom: string | undefined;
  /** Undefined: no sign-in with GitHub. */
  readonly github: GithubSettings | undefined;
  /** Undefined: payments go to the development adapter. */
  readonly stripe: StripeKeys | undefined;
  /** Milliseconds. */
  readonly acceptClock: number | undefined;
  readonly logLevel: LogLevel;
}

/**
 * Reads the configuration from the environment and the CONFIG file.
 * @param dataDir from the command line; takes precedence over DATA_DIR
 * @throws ConfigError at the first setting that is unknown or impossible
 */
export function readConfig(env: Readonly<Record<string, string | undefined>>, dataDir?: string): Config {
  const values = readVariables(env);
  return {
    ...readConfigFile(values.CONFIG),
    host: values.HOST,
    port: values.PORT,
    metricsPort: values.METRICS_PORT,
    dataDir: resolve(dataDir ?? values.DATA_DIR),
    publicUrl: values.BASE_URL,
    ingestKey: values.INGEST_KEY,
    bootstrapKey: values.BOOTSTRAP_KEY,
    keyPepper: values.KEY_PEPPER,
    sessionSecret: values.SESSION_SECRET,
    roles: values.ROLES,
    cluster: toClusterSettings(values),
    feeds: values.FEEDS,
    connectors: toConnectorSettings(values),
    demoSeed: values.DEMO_SEED,
    demoSpeed: values.DEMO_SPEED,
    livePage: livePageOf(values) === 'on',
    gradeSheet: values.GRADE_SHEET === 'on',
    registration: values.REGISTRATION,
    trial: values.TRIAL,
    trustProxy: values.TRUST_PROXY,
    webhookAllow: values.WEBHOOK_ALLOW,
    webhookDeny: values.WEBHOOK_DENY,
    webhookRetrySeconds: values.WEBHOOK_RETRY_SECONDS,
    quarantine: { maxMessages: values.QUARANTINE_MAX_MESSAGES, maxBytes: values.QUARANTINE_MAX_MB * 1024 * 1024 },
    retainOdds: values.RETAIN_ODDS,
    sealCommand: values.SEAL_COMMAND,
    backup: toBackupSettings(values),
    homeAssistant: values.MQTT_URL === undefined ? undefined : { url: values.MQTT_URL, teams: values.MQTT_TEAMS },
    smtpUrl: values.SMTP_URL,
    mailFrom: values.MAIL_FROM,
    github: toGithubSettings(values),
    stripe: toStripeKeys(values),
    acceptClock: values.ACCEPT_CLOCK,
    logLevel: values.LOG_LEVEL,
  };
}

function toGithubSettings(values: Variables): GithubSettings | undefined {
  const { GITHUB_CLIENT_ID: clientId, GITHUB_CLIENT_SECRET: clientSecret } = values;
  if (clientId === undefined || clientSecret === undefined) return undefined;
  return { clientId, clientSecret, oauthUrl: values.GITHUB_OAUTH_URL, apiUrl: values.GITHUB_API_URL };
}

/** In a cluster HOST does not tell who can reach the server, since a load balancer is in front. */
const livePageOf = (values: Variables): 'on' | 'off' =>
  values.LIVE_PAGE ?? (LOOPBACK.test(values.HOST) && !toClusterSettings(values) ? 'on' : 'off');

/**
 * The variables in force, for a log. A secret only shows whether it is set.
 * @param config read from the same environment
 */
export function describeSettings(
  env: Readonly<Record<string, string | undefined>>,
  config: Config,
): Readonly<Record<string, unknown>> {
  const values = readVariables(env);
  return redactVariables({ ...values, DATA_DIR: config.dataDir, LIVE_PAGE: livePageOf(values) });
}

/** The URL where the server listens; an IPv6 address is in brackets. @param port the actual port */
export const listenUrl = (config: Pick<Config, 'host'>, port: number): string =>
  `http://${isIP(config.host) === 6 ? `[${config.host}]` : config.host}:${port}`;

/** The URL for clients. `localhost` replaces an address that means all interfaces, since clients cannot open that. */
export function baseUrl(config: Pick<Config, 'host' | 'publicUrl'>, port: number): string {
  if (config.publicUrl !== undefined) return config.publicUrl;
  return config.host === '0.0.0.0' || config.host === '::' ? `http://localhost:${port}` : listenUrl(config, port);
}
