import { isIP } from 'node:net';
import { z } from 'zod';
import { ConfigError } from './config-error.ts';
import { checkProfile, ROLES } from './deployment-profile.ts';
import { brokerAddress, engineAddress, redactAddress } from './engine-settings.ts';
import { checkFeedVariables, FEED_VARIABLES } from './feed-settings.ts';
import { checkStripe } from './stripe-settings.ts';
import {
  cidr,
  days,
  decimalBetween,
  integerBetween,
  listOf,
  listWithoutDuplicates,
  mailSender,
  nonEmptyText,
  oneOfNames,
  secondsList,
  smtpAddress,
  utcTime,
  webAddress,
} from './variable-schemas.ts';

const LOG_LEVELS = ['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent'] as const;
export type LogLevel = (typeof LOG_LEVELS)[number];

/** Settings that are never shown, neither in a log nor in an error. */
const secrets = z.registry<object>();
/** Settings that are shown without their credentials. */
const addresses = z.registry<object>();
secrets.add(FEED_VARIABLES.THE_ODDS_API_KEY, {});

/** Every variable of the environment that the server reads. */
export const VARIABLES = {
  /** Where the server listens; port 0 takes a free one. */
  PORT: integerBetween(0, 65_535).default(3000),
  HOST: nonEmptyText
    .refine((host) => isIP(host) > 0 || /^[a-z0-9]([a-z0-9.-]*[a-z0-9])?$/i.test(host), 'must be an address or a name')
    .default('127.0.0.1'),
  /** A port of its own for `/metrics`, on HOST, where nobody needs a key; 0 takes a free one. Unset: there is none. */
  METRICS_PORT: integerBetween(0, 65_535).optional(),
  /** The folder of the embedded stores; the secrets made by the server are kept there too. */
  DATA_DIR: nonEmptyText.default('./data'),
  /** The public address, for links and cookies, without a slash at its end; from HOST and PORT when unset. */
  BASE_URL: webAddress.optional(),
  ...FEED_VARIABLES,
  /** The key of the ingest door; without one the door answers 404. */
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
  /** What API keys are hashed with; on one machine made and kept in DATA_DIR when unset. Another one makes every key
   *  unknown. */
  KEY_PEPPER: z.string().optional().register(secrets, {}),
  /** Signs what browsers send back: the tokens of forms and the like; on one machine made and kept in DATA_DIR when
   *  unset. */
  SESSION_SECRET: z.string().optional().register(secrets, {}),
  /** What this process does. */
  ROLES: listWithoutDuplicates(oneOfNames(ROLES)).default([...ROLES]),
  /** Where facts, read models, the registry, limits and distribution live: all embedded, or those that the roles need. */
  EVENT_LOG_URL: engineAddress('event-log').optional().register(addresses, {}),
  READ_STORE_URL: engineAddress('read-store').optional().register(addresses, {}),
  REGISTRY_URL: engineAddress('registry').optional().register(addresses, {}),
  LIMITS_URL: engineAddress('limits').optional().register(addresses, {}),
  BROKER_URL: brokerAddress.optional().register(addresses, {}),
  /** In a cluster: how long a member of a group of consumers may be silent before others take over its partitions. */
  GROUP_SESSION_SECONDS: decimalBetween(0.5, 60).default(10),
  /** A JSON file with `plans`, `packs` and `bookmakers`, merged over the defaults. */
  CONFIG: nonEmptyText.optional(),
  /** The demo's seed, and its pace as a factor of real time. */
  DEMO_SEED: integerBetween(0, Number.MAX_SAFE_INTEGER).default(1),
  DEMO_SPEED: nonEmptyText
    .refine((value) => Number(value) >= 0.1 && Number(value) <= 1000, 'must be a number from 0.1 to 1000')
    .transform(Number)
    .optional(),
  /** The page at `/` and its keyless routes; on one machine on when HOST is a loopback address. */
  LIVE_PAGE: oneOfNames(['on', 'off']).optional(),
  /** The sheet at `/grade`, where anybody has slips graded. */
  GRADE_SHEET: oneOfNames(['on', 'off']).default('on'),
  /** Whether anybody may register. */
  REGISTRATION: oneOfNames(['open', 'closed']).default('open'),
  /** Ranges of proxies whose `X-Forwarded-For` tells whose request it is. */
  TRUST_PROXY: listOf(cidr).default([]),
  /** Private ranges that webhooks may reach, by plain HTTP too: for development and tests. */
  WEBHOOK_ALLOW: listOf(cidr).default([]),
  /** Further ranges that webhooks may not reach, such as a network's own prefix of NAT64. */
  WEBHOOK_DENY: listOf(cidr).default([]),
  /** Seconds between the attempts of a delivery. */
  WEBHOOK_RETRY_SECONDS: secondsList.default([30, 300, 1800, 7200, 21_600]),
  /** How long odds of past events stay in the log's own file; then they go into an archive beside it. Unset: for ever. */
  RETAIN_ODDS: days.optional(),
  /** Real payments; the development adapter when unset. */
  STRIPE_SECRET_KEY: nonEmptyText
    .regex(/^[rs]k_(test|live)_\w+$/, 'must be a secret key of Stripe, sk_... or rk_...')
    .optional()
    .register(secrets, {}),
  /** What Stripe signs its notices of invoices with; without it they are not taken. */
  STRIPE_WEBHOOK_SECRET: nonEmptyText
    .regex(/^whsec_\S+$/, 'must be the signing secret of a webhook endpoint, whsec_...')
    .optional()
    .register(secrets, {}),
  /** Where mails are handed over; unset, each is a file. */
  SMTP_URL: smtpAddress.optional().register(secrets, {}),
  /** Whom mails are from; unset, `Ledgerline <no-reply@HOST>` with the host of BASE_URL. */
  MAIL_FROM: mailSender.optional(),
  /** An OAuth app at GitHub; without both nobody signs in with GitHub. */
  GITHUB_CLIENT_ID: nonEmptyText.optional(),
  GITHUB_CLIENT_SECRET: nonEmptyText.optional().register(secrets, {}),
  GITHUB_OAUTH_URL: webAddress.default('https://github.com'),
  GITHUB_API_URL: webAddress.default('https://api.github.com'),
  /** For the card form of the page. It is no secret there, but a secret key may be set here by mistake. */
  STRIPE_PUBLISHABLE_KEY: nonEmptyText
    .regex(/^pk_(test|live)_\w+$/, 'must be a publishable key of Stripe, pk_test_... or pk_live_...')
    .optional()
    .register(secrets, {}),
  /** About the time that it is: a start takes a clock that is within an hour of it, though it would be doubted. */
  ACCEPT_CLOCK: utcTime.optional(),
  /** The least level of JSON logs on standard error. */
  LOG_LEVEL: oneOfNames(LOG_LEVELS).default('info'),
};
const VARIABLES_SCHEMA = z.object(VARIABLES).superRefine((values, context) => {
  checkFeedVariables(values, context);
  checkProfile(values, context);
  checkStripe(values, context);
});

export type Variables = z.infer<typeof VARIABLES_SCHEMA>;

/**
 * The variables as they are set, and the defaults of those that are not. An empty variable counts as unset.
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

/** The variables as they may be shown: a secret tells only whether it is set, an address not by which credentials, and
 *  null stands for what is unset. */
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
