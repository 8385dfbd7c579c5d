import { isIP } from 'node:net';
import { resolve } from 'node:path';
import { type ConfigFile, readConfigFile } from './config-file.ts';
import { type ClusterSettings, type Role, toClusterSettings } from './deployment-profile.ts';
import type { FeedName } from './feed-settings.ts';
import { type ConnectorSettings, toConnectorSettings } from './feed-settings.ts';
import { type StripeKeys, toStripeKeys } from './stripe-settings.ts';
import { type LogLevel, readVariables, redactVariables, type Variables } from './variables.ts';

/** Addresses and the name that mean this machine alone. */
export const LOOPBACK = /^(localhost|127(\.\d{1,3}){3}|::1)$/;

/** The OAuth app, and where GitHub is. */
export interface GithubSettings {
  readonly clientId: string;
  readonly clientSecret: string;
  /** Without a slash at the end, as the next one. */
  readonly oauthUrl: string;
  readonly apiUrl: string;
}

export interface Config extends ConfigFile {
  readonly host: string;
  readonly port: number;
  /** Undefined: metrics have no port of their own. */
  readonly metricsPort: number | undefined;
  /** Absolute. It need not exist yet. */
  readonly dataDir: string;
  /** As set; `baseUrl` gives the one in force. */
  readonly publicUrl: string | undefined;
  readonly ingestKey: string | undefined;
  readonly bootstrapKey: string | undefined;
  readonly keyPepper: string | undefined;
  readonly sessionSecret: string | undefined;
  readonly roles: readonly Role[];
  /** Where the stores are far; undefined where all are embedded. */
  readonly cluster: ClusterSettings | undefined;
  /** As set; undefined leaves it to what the folder holds. */
  readonly feeds: readonly FeedName[] | undefined;
  readonly connectors: ConnectorSettings;
  readonly demoSeed: number;
  readonly demoSpeed: number | undefined;
  readonly livePage: boolean;
  readonly gradeSheet: boolean;
  readonly registration: 'open' | 'closed';
  readonly trustProxy: readonly string[];
  readonly webhookAllow: readonly string[];
  readonly webhookDeny: readonly string[];
  readonly webhookRetrySeconds: readonly number[];
  /** Days. Undefined: nothing is moved to the archive. */
  readonly retainOdds: number | undefined;
  /** Undefined: each mail is a file, and `Ledgerline <no-reply@HOST>` has sent it. */
  readonly smtpUrl: string | undefined;
  readonly mailFrom: string | undefined;
  /** Undefined: nobody signs in with GitHub. */
  readonly github: GithubSettings | undefined;
  /** Undefined: payments go to the development adapter. */
  readonly stripe: StripeKeys | undefined;
  /** Milliseconds. */
  readonly acceptClock: number | undefined;
  readonly logLevel: LogLevel;
}

/**
 * The configuration, from the environment and the file that CONFIG names.
 * @param dataDir from the command line, before DATA_DIR
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
    trustProxy: values.TRUST_PROXY,
    webhookAllow: values.WEBHOOK_ALLOW,
    webhookDeny: values.WEBHOOK_DENY,
    webhookRetrySeconds: values.WEBHOOK_RETRY_SECONDS,
    retainOdds: values.RETAIN_ODDS,
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

/** In a cluster HOST says nothing of who reaches it: a balancer stands before it. */
const livePageOf = (values: Variables): 'on' | 'off' =>
  values.LIVE_PAGE ?? (LOOPBACK.test(values.HOST) && !toClusterSettings(values) ? 'on' : 'off');

/**
 * The variables that are in force, for a log: a secret tells only whether it is set.
 * @param config what was read from the same environment
 */
export function describeSettings(
  env: Readonly<Record<string, string | undefined>>,
  config: Config,
): Readonly<Record<string, unknown>> {
  const values = readVariables(env);
  return redactVariables({ ...values, DATA_DIR: config.dataDir, LIVE_PAGE: livePageOf(values) });
}

/** Where the server listens, as a URL: an address of version 6 in brackets. @param port the one that was taken */
export const listenUrl = (config: Config, port: number): string =>
  `http://${isIP(config.host) === 6 ? `[${config.host}]` : config.host}:${port}`;

/** The address that clients are told. An address that means every interface cannot be visited: `localhost` can. */
export function baseUrl(config: Config, port: number): string {
  if (config.publicUrl !== undefined) return config.publicUrl;
  return config.host === '0.0.0.0' || config.host === '::' ? `http://localhost:${port}` : listenUrl(config, port);
}
