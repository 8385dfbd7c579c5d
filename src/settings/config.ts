import { isIP } from 'node:net';
import { resolve } from 'node:path';
import { z } from 'zod';
import { ConfigError } from './config-error.ts';
import { type ConfigFile, readConfigFile } from './config-file.ts';
import { cidr, list, oneOf, secondsList, sizedNumber, webAddress, word } from './forms.ts';

export const ROLES = ['api', 'ingest', 'projector', 'webhooks', 'relay', 'intelligence'] as const;
export type Role = (typeof ROLES)[number];
export const FEEDS = ['none', 'demo'] as const;
const LOG_LEVELS = ['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent'] as const;
/** Addresses and the name that mean this machine alone. */
export const LOOPBACK = /^(localhost|127(\.\d{1,3}){3}|::1)$/;

/**
 * A store that only the embedded kind of is built in so far.
 * @param later schemes that the documentation names
 */
const embedded = (later: readonly string[]) =>
  word.transform((value, context) => {
    if (value === 'sqlite:') return value;
    const scheme = /^[a-z][a-z0-9+.-]*:/i.exec(value)?.[0].toLowerCase();
    const message =
      scheme !== undefined && later.includes(scheme)
        ? `${scheme} is not available in this version; leave it unset`
        : `must be sqlite: (the file in DATA_DIR)${later.length > 0 ? `, not ${scheme ?? 'this'}` : ''}`;
    context.issues.push({ code: 'custom', message, input: undefined });
    return z.NEVER;
  });

const notYet = (what: string) => word.refine(() => false, `${what} not available in this version; leave it unset`);

/** Every variable of the environment that the server reads. An empty one counts as unset. */
const VARIABLES = {
  /** Where the server listens; port 0 takes a free one. */
  PORT: sizedNumber(0, 65_535).default(3000),
  HOST: word
    .refine((host) => isIP(host) > 0 || /^[a-z0-9]([a-z0-9.-]*[a-z0-9])?$/i.test(host), 'must be an address or a name')
    .default('127.0.0.1'),
  /** The folder of the embedded stores; the secrets made by the server are kept there too. */
  DATA_DIR: word.default('./data'),
  /** The public address, for links and cookies, without a slash at its end; from HOST and PORT when unset. */
  BASE_URL: webAddress.optional(),
  /** Connectors that fetch by themselves; `none` for none. Unset: `demo` where nothing else has fed the folder. */
  FEEDS: list(oneOf(FEEDS))
    .refine((feeds) => !feeds.includes('none') || feeds.length === 1, 'none stands alone')
    .optional(),
  /** The key of the ingest door; without one the door answers 404. */
  INGEST_KEY: word.regex(/^[\x21-\x7e]{1,512}$/, 'must be printable ASCII without blanks').optional(),
  /** A full API key that exists from the start, without limits, with scope `all`. */
  BOOTSTRAP_KEY: word
    .regex(
      /^llk_[0-9A-Za-z]{12}\.[0-9A-Za-z_-]{43}$/,
      'must be llk_ + 12 letters or digits + . + 43 of A-Z a-z 0-9 - _',
    )
    .optional(),
  /** What API keys are hashed with; made and kept in DATA_DIR when unset. Another one makes every key unknown. */
  KEY_PEPPER: z.string().optional(),
  /** What session cookies are signed with; made and kept in DATA_DIR when unset. */
  SESSION_SECRET: z.string().optional(),
  /** What this process does; all of it when unset. */
  ROLES: list(oneOf(ROLES)).default([...ROLES]),
  /** Where facts, read models, the registry, limits and distribution live: embedded in this version. */
  EVENT_LOG_URL: embedded(['esdb:', 'kurrentdb:']).default('sqlite:'),
  READ_STORE_URL: embedded(['mongodb:']).default('sqlite:'),
  REGISTRY_URL: embedded(['postgres:', 'postgresql:']).default('sqlite:'),
  LIMITS_URL: embedded(['redis:', 'rediss:']).default('sqlite:'),
  BROKER_URL: notYet('kafka: is').optional(),
  /** A JSON file with `plans`, `packs` and `bookmakers`, merged over the defaults. */
  CONFIG: word.optional(),
  /** The demo's seed, and its pace as a factor of real time. */
  DEMO_SEED: sizedNumber(0, Number.MAX_SAFE_INTEGER).default(1),
  DEMO_SPEED: word
    .refine((value) => Number(value) >= 0.1 && Number(value) <= 1000, 'must be a number from 0.1 to 1000')
    .transform(Number)
    .optional(),
  /** The page at `/` and its keyless routes; on when HOST is a loopback address. */
  LIVE_PAGE: oneOf(['on', 'off']).optional(),
  /** Private ranges that webhooks may reach, by plain HTTP too: for development and tests. */
  WEBHOOK_ALLOW: list(cidr).default([]),
  /** Seconds between the attempts of a delivery. */
  WEBHOOK_RETRY_SECONDS: secondsList.default([30, 300, 1800, 7200, 21_600]),
  /** Real payments; the development adapter when unset. */
  STRIPE_SECRET_KEY: word
    .regex(/^[rs]k_(test|live)_\w+$/, 'must be a secret key of Stripe, sk_... or rk_...')
    .optional(),
  /** What Stripe signs its notices of invoices with; without it they are not taken. */
  STRIPE_WEBHOOK_SECRET: word
    .regex(/^whsec_\S+$/, 'must be the signing secret of a webhook endpoint, whsec_...')
    .optional(),
  /** The least level of JSON logs on standard error. */
  LOG_LEVEL: oneOf(LOG_LEVELS).default('info'),
};
const ALL = z.object(VARIABLES).superRefine(({ STRIPE_SECRET_KEY, STRIPE_WEBHOOK_SECRET }, context) => {
  if (STRIPE_WEBHOOK_SECRET === undefined || STRIPE_SECRET_KEY !== undefined) return;
  context.addIssue({ code: 'custom', path: ['STRIPE_WEBHOOK_SECRET'], message: 'needs STRIPE_SECRET_KEY beside it' });
});

export interface Config extends ConfigFile {
  readonly host: string;
  readonly port: number;
  /** Absolute. It need not exist yet. */
  readonly dataDir: string;
  /** As set; `baseUrl` gives the one in force. */
  readonly publicUrl: string | undefined;
  readonly ingestKey: string | undefined;
  readonly bootstrapKey: string | undefined;
  readonly keyPepper: string | undefined;
  readonly sessionSecret: string | undefined;
  readonly roles: readonly Role[];
  /** As set; undefined leaves it to what the folder holds. */
  readonly feeds: readonly (typeof FEEDS)[number][] | undefined;
  readonly demoSeed: number;
  readonly demoSpeed: number | undefined;
  readonly livePage: boolean;
  readonly webhookAllow: readonly string[];
  readonly webhookRetrySeconds: readonly number[];
  /** Undefined: payments go to the development adapter. */
  readonly stripe: { readonly secretKey: string; readonly webhookSecret: string | undefined } | undefined;
  readonly logLevel: (typeof LOG_LEVELS)[number];
}

/**
 * The configuration, from the environment and the file that CONFIG names.
 * @param dataDir from the command line, before DATA_DIR
 * @throws ConfigError at the first setting that is unknown or impossible
 */
export function readConfig(env: Readonly<Record<string, string | undefined>>, dataDir?: string): Config {
  const given = Object.fromEntries(
    Object.keys(VARIABLES).flatMap((name) => (env[name]?.trim() ? [[name, env[name]!.trim()]] : [])),
  );
  const result = ALL.safeParse(given);
  if (!result.success) {
    const issue = result.error.issues[0]!;
    throw new ConfigError(String(issue.path[0]), issue.message);
  }
  const values = result.data;
  const secretKey = values.STRIPE_SECRET_KEY;
  return {
    ...readConfigFile(values.CONFIG),
    host: values.HOST,
    port: values.PORT,
    dataDir: resolve(dataDir ?? values.DATA_DIR),
    publicUrl: values.BASE_URL,
    ingestKey: values.INGEST_KEY,
    bootstrapKey: values.BOOTSTRAP_KEY,
    keyPepper: values.KEY_PEPPER,
    sessionSecret: values.SESSION_SECRET,
    roles: values.ROLES,
    feeds: values.FEEDS,
    demoSeed: values.DEMO_SEED,
    demoSpeed: values.DEMO_SPEED,
    livePage: (values.LIVE_PAGE ?? (LOOPBACK.test(values.HOST) ? 'on' : 'off')) === 'on',
    webhookAllow: values.WEBHOOK_ALLOW,
    webhookRetrySeconds: values.WEBHOOK_RETRY_SECONDS,
    stripe: secretKey === undefined ? undefined : { secretKey, webhookSecret: values.STRIPE_WEBHOOK_SECRET },
    logLevel: values.LOG_LEVEL,
  };
}

/** Where the server listens, as a URL: an address of version 6 in brackets. @param port the one that was taken */
export const listenUrl = (config: Config, port: number): string =>
  `http://${isIP(config.host) === 6 ? `[${config.host}]` : config.host}:${port}`;

/** The address that clients are told. An address that means every interface cannot be visited: `localhost` can. */
export function baseUrl(config: Config, port: number): string {
  if (config.publicUrl !== undefined) return config.publicUrl;
  return config.host === '0.0.0.0' || config.host === '::' ? `http://localhost:${port}` : listenUrl(config, port);
}
