import { isIP } from 'node:net';
import { z } from 'zod';
import { checkBackup } from './backup-settings.ts';
import { ConfigError } from './config-error.ts';
import { checkProfile, ROLES } from './deployment-profile.ts';
import { brokerAddress, engineAddress, redactAddress } from './engine-settings.ts';
import { checkFeedVariables, FEED_VARIABLES } from './feed-settings.ts';
import { checkStripe } from './stripe-settings.ts';
import {
  backupUrl,
  cidr,
  days,
  decimalBetween,
  favouriteTeam,
  integerBetween,
  listOf,
  listWithoutDuplicates,
  mailSender,
  mqttAddress,
  nonEmptyText,
  oneOfNames,
  secondsList,
  smtpAddress,
  utcTime,
  webAddress,
} from './variable-schemas.ts';

const LOG_LEVELS = ['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent'] as const;
export type LogLevel = (typeof LOG_LEVELS)[number];

const isKeyText = (text: string): boolean =>
  /^[A-Za-z0-9+/]{43}=$/.test(text) && Buffer.from(text, 'base64').length === 32;

/** Settings that are never shown, neither in a log nor in an error. */
const secrets = z.registry<object>();
/** Settings that are shown without their credentials. */
const addresses = z.registry<object>();
secrets.add(FEED_VARIABLES.THE_ODDS_API_KEY, {});

/** Every environment variable that the server reads. */
export const VARIABLES = {
  /** Where the server listens; port 0 selects a free one. */
  PORT: integerBetween(0, 65_535).default(3000),
  HOST: nonEmptyText
    .refine((host) => isIP(host) > 0 || /^[a-z0-9]([a-z0-9.-]*[a-z0-9])?$/i.test(host), 'must be an address or a name')
    .default('127.0.0.1'),
  /** A separate port for `/metrics`, on HOST, without a key; 0 selects a free one. Unset: no such port. */
  METRICS_PORT: integerBetween(0, 65_535).optional(),
  /** The folder of the embedded stores, and of secrets that the server has created. */
  DATA_DIR: nonEmptyText.default('./data'),
  /** The public URL for links and cookies, without a trailing slash; unset: from HOST and PORT. */
  BASE_URL: webAddress.optional(),
  ...FEED_VARIABLES,
  /** The key of the ingest endpoint; unset: the endpoint answers 404. */
  INGEST_KEY: nonEmptyText
    .regex(/^[\x21-\x7e]{1,512}$/, 'must be printable ASCII without blanks')
    .optional()
    .register(secrets, {}),
  /** A full API key that exists from the start, without limits, with scope `all`. */
  BOOTSTRAP_KEY: nonEmptyText
    .regex(
      /^llk_[0-9A-Za-z]{12}\.[0-9A-Za-z_-]{43}$/,
      'must be llk_ + 12 letters or digits + . + 43 of A-Z a-z 0-9 - _',
    )
    .optional()
    .register(secrets, {}),
  /**
   * The secret that hashes API keys. On one machine an unset pepper is created and stored in DATA_DIR. A different
   * pepper makes every key unknown.
   */
  KEY_PEPPER: z.string().optional().register(secrets, {}),
  /**
   * Signs values that browsers send back, such as form tokens. On one machine an unset secret is created and stored in
   * DATA_DIR.
   */
  SESSION_SECRET: z.string().optional().register(secrets, {}),
  /** The work of this process. */
  ROLES: listWithoutDuplicates(oneOfNames(ROLES)).default([...ROLES]),
  /** The five engines: all embedded, or the addresses of those that the roles need. */
  EVENT_LOG_URL: engineAddress('event-log').optional().register(addresses, {}),
  READ_STORE_URL: engineAddress('read-store').optional().register(addresses, {}),
  REGISTRY_URL: engineAddress('registry').optional().register(addresses, {}),
  LIMITS_URL: engineAddress('limits').optional().register(addresses, {}),
  BROKER_URL: brokerAddress.optional().register(addresses, {}),
  /** In a cluster: how long a member of a consumer group may be silent before others take over its partitions. */
  GROUP_SESSION_SECONDS: decimalBetween(0.5, 60).default(10),
  /** A JSON file with `plans`, `packs` and `bookmakers`, merged over the defaults. */
  CONFIG: nonEmptyText.optional(),
  /** The demo's seed, and its speed as a factor of real time. */
  DEMO_SEED: integerBetween(0, Number.MAX_SAFE_INTEGER).default(1),
  DEMO_SPEED: nonEmptyText
    .refine((value) => Number(value) >= 0.1 && Number(value) <= 1000, 'must be a number from 0.1 to 1000')
    .transform(Number)
    .optional(),
  /** The page at `/` and its keyless routes. Default on one machine: on if HOST is a loopback address. */
  LIVE_PAGE: oneOfNames(['on', 'off']).optional(),
  /** The page at `/grade`, where anybody can have slips graded. */
  GRADE_SHEET: oneOfNames(['on', 'off']).default('on'),
  /** Whether anybody may register. */
  REGISTRATION: oneOfNames(['open', 'closed']).default('open'),
  /** Whether anybody gets a key of the plan `trial` at once; else a person must approve each one. */
  TRIAL: oneOfNames(['off', 'anonymous']).default('off'),
  /** Address ranges of proxies whose `X-Forwarded-For` is trusted. */
  TRUST_PROXY: listOf(cidr).default([]),
  /** Private ranges that webhooks may reach, also by plain HTTP: for development and tests. */
  WEBHOOK_ALLOW: listOf(cidr).default([]),
  /** Further ranges that webhooks may not reach, such as a network's own NAT64 prefix. */
  WEBHOOK_DENY: listOf(cidr).default([]),
  /** Seconds between the attempts of a delivery. */
  WEBHOOK_RETRY_SECONDS: secondsList.default([30, 300, 1800, 7200, 21_600]),
  /** Messages in quarantine, and megabytes of them; a message beyond these is refused. */
  QUARANTINE_MAX_MESSAGES: integerBetween(1, 100_000_000).default(1_000_000),
  QUARANTINE_MAX_MB: integerBetween(1, 1_000_000).default(1024),
  /** How long the odds of past events stay in the log's file; then they move to an archive. Unset: forever. */
  RETAIN_ODDS: days.optional(),
  /** A program that is run with the date and the root of each seal, to stamp it where the operator likes. */
  SEAL_COMMAND: nonEmptyText.optional(),
  /** Where a backup goes by itself, as `file:///path` or `s3://bucket/prefix`; unset: none is made. */
  BACKUP_URL: backupUrl.optional(),
  /** A server that speaks as S3 does; unset: AWS. */
  BACKUP_S3_ENDPOINT: webAddress.optional(),
  /** By these names AWS's own programs take them. */
  AWS_ACCESS_KEY_ID: nonEmptyText.optional().register(secrets, {}),
  AWS_SECRET_ACCESS_KEY: nonEmptyText.optional().register(secrets, {}),
  AWS_SESSION_TOKEN: nonEmptyText.optional().register(secrets, {}),
  AWS_REGION: nonEmptyText.optional(),
  AWS_DEFAULT_REGION: nonEmptyText.optional(),
  /** Encrypts the backup: 32 bytes in base64. */
  BACKUP_KEY: nonEmptyText
    .refine((text) => isKeyText(text), 'must be 32 bytes in base64, such as from: openssl rand -base64 32')
    .optional()
    .register(secrets, {}),
  /** Any moment of so many days can be restored. */
  BACKUP_KEEP: days.default(30),
  /** The broker to which favourite teams are published, for Home Assistant; unset: none is. */
  MQTT_URL: mqttAddress.optional().register(secrets, {}),
  /** Those teams, as `sport:Team Name`. */
  MQTT_TEAMS: listOf(favouriteTeam).default([]),
  /** Whether the newest backup is restored and verified once a week, in a folder that is thrown away. */
  BACKUP_DRILL: oneOfNames(['weekly', 'off']).default('weekly'),
  /** Real payments; unset: the development adapter. */
  STRIPE_SECRET_KEY: nonEmptyText
    .regex(/^[rs]k_(test|live)_\w+$/, 'must be a secret key of Stripe, sk_... or rk_...')
    .optional()
    .register(secrets, {}),
  /** The secret with which Stripe signs notices of invoices; unset: they are not accepted. */
  STRIPE_WEBHOOK_SECRET: nonEmptyText
    .regex(/^whsec_\S+$/, 'must be the signing secret of a webhook endpoint, whsec_...')
    .optional()
    .register(secrets, {}),
  /** The SMTP server; unset: each mail is written to a file. */
  SMTP_URL: smtpAddress.optional().register(secrets, {}),
  /** The sender of mails; unset: `Ledgerline <no-reply@HOST>` with the host of BASE_URL. */
  MAIL_FROM: mailSender.optional(),
  /** A GitHub OAuth app; unless both are set, there is no sign-in with GitHub. */
  GITHUB_CLIENT_ID: nonEmptyText.optional(),
  GITHUB_CLIENT_SECRET: nonEmptyText.optional().register(secrets, {}),
  GITHUB_OAUTH_URL: webAddress.default('https://github.com'),
  GITHUB_API_URL: webAddress.default('https://api.github.com'),
  /** For the page's card form. The key is public there, but a secret key may be set here by mistake. */
  STRIPE_PUBLISHABLE_KEY: nonEmptyText
    .regex(/^pk_(test|live)_\w+$/, 'must be a publishable key of Stripe, pk_test_... or pk_live_...')
    .optional()
    .register(secrets, {}),
  /** About the current time. A start trusts a clock within an hour of it that would otherwise be doubted. */
  ACCEPT_CLOCK: utcTime.optional(),
  /** Whether a server that `npm start` has started goes on when npm is gone; `launch.mjs` reads it. */
  DETACH: oneOfNames(['on', 'off']).default('off'),
  /** The lowest level of JSON logs on standard error. */
  LOG_LEVEL: oneOfNames(LOG_LEVELS).default('info'),
};
const VARIABLES_SCHEMA = z.object(VARIABLES).superRefine((values, context) => {
  checkFeedVariables(values, context);
  checkProfile(values, context);
  checkStripe(values, context);
  checkBackup(values, context);
});

export type Variables = z.infer<typeof VARIABLES_SCHEMA>;

/**
 * Reads the variables, with defaults for unset ones. An empty variable counts as unset.
 * @throws ConfigError at the first one that is unknown or impossible
 */
export function readVariables(env: Readonly<Record<string, string | undefined>>): Variables {
  const given = Object.fromEntries(
    Object.keys(VARIABLES).flatMap((name) => (env[name]?.trim() ? [[name, env[name]!.trim()]] : [])),
  );
  const result = VARIABLES_SCHEMA.safeParse(given);
  if (result.success) return result.data;
  const issue = result.error.issues[0]!;
  throw new ConfigError(String(issue.path[0]), issue.message);
}

export type VariableName = keyof typeof VARIABLES;

export const isVariable = (name: string): name is VariableName => Object.hasOwn(VARIABLES, name);

/** What is wrong with a value, apart from all other variables; undefined: nothing. */
export function findValueProblem(name: VariableName, text: string): string | undefined {
  const result = VARIABLES[name].safeParse(text);
  return result.success ? undefined : result.error.issues[0]!.message;
}

/** A value that was given, as it may be shown. */
export function redactGiven(name: VariableName, text: string): string {
  if (secrets.has(VARIABLES[name])) return '(secret)';
  return addresses.has(VARIABLES[name]) ? redactAddress(text) : text;
}

/**
 * The variables as they may be shown: for a secret only whether it is set, an address without credentials, null if
 * unset.
 */
export function redactVariables(variables: Variables): Readonly<Record<string, unknown>> {
  return Object.fromEntries(
    Object.keys(VARIABLES).map((name) => {
      const value = variables[name as keyof Variables] ?? null;
      const form = VARIABLES[name as keyof Variables];
      if (value === null) return [name, null];
      if (addresses.has(form)) return [name, redactAddress(String(value))];
      return [name, secrets.has(form) ? '(secret)' : value];
    }),
  );
}

/** The default of each setting, as text; null: it is unset. */
export const defaultVariables = (): Readonly<Record<string, string | null>> => {
  const values = readVariables({});
  return Object.fromEntries(
    Object.keys(VARIABLES).map((name) => {
      const value = values[name as keyof Variables];
      return [name, value === undefined ? null : typeof value === 'string' ? value : JSON.stringify(value)];
    }),
  );
};
