import { ApiError, notFound } from '../api/calls/api-errors.ts';
import { type Principal, refuseCapped } from '../api/calls/principal.ts';
import { ALL_SPORTS, coversScopes, grantsSport, isLimitedToSports } from '../api/calls/scopes.ts';
import type {
  AccountLedgerLine,
  AccountServices,
  AccountUsage,
  CreatedKey,
  CreditBalance,
  KeyListing,
} from '../api/calls/services/account-services.ts';
import { type Limits, WINDOW_MS } from '../api/limits/limits.ts';
import { SPORT_SLUGS } from '../domain/catalogue/catalogue.ts';
import { DAY, formatTime } from '../domain/primitives/time.ts';
import type { EventLog } from '../event-log/port/event-log.ts';
import { toIsoTime } from '../platform/clock/iso-time.ts';
import type { Pack } from '../platform/settings/plans-and-packs.ts';
import { accountTermsOf, type Plans, planOf } from './billing/account-terms.ts';
import type { TopUp } from './billing/payments/top-ups.ts';
import type { Credits } from './credits/credits.ts';
import { readNewestLedgerLines } from './credits/ledger-reader.ts';
import {
  type ApiKey,
  CREATED_BY_OWNER,
  isKeyActive,
  issueKey,
  type KeyIssuer,
  TooManyKeys,
  TooManyKeysCreated,
} from './keys/key-registry.ts';
import { toKeyCreationLimitError } from './limit-errors.ts';
import type { UsageReader } from './usage/usage-reader.ts';

interface AccountServicesParts extends AgentKeysParts {
  readonly credits: Credits;
  readonly packs: readonly Pack[];
  readonly topUp: TopUp;
  readonly log: Pick<EventLog, 'readStream'>;
  readonly usage: Pick<UsageReader, 'analytics'>;
}

/** The services behind `/api/agent`. */
export function createAccountServices(parts: AccountServicesParts): AccountServices {
  return {
    packs: parts.packs,
    balance: (principal) => readBalance(parts, principal),
    ...createAgentKeys(parts),
    usage: (principal, days) => readUsage(parts, principal, days),
    ledger: (principal, page) => readLedger(parts, principal, page),
    async topUp(principal, packId, call) {
      await parts.topUp(principal, packId, call);
      const balance = await readBalance(parts, principal);
      if (balance.total_remaining !== null) call.creditsRemaining = balance.total_remaining;
      return balance;
    },
  };
}

/** The operator's own key has no account: it has no limits, and its use is not counted. */
const UNLIMITED_BALANCE = {
  credits_used: 0,
  credit_limit: null,
  bonus_credits: 0,
  total_remaining: null,
  is_trial: false,
  is_trial_expired: false,
};

async function readBalance(
  { credits, plans }: Pick<AccountServicesParts, 'credits' | 'plans'>,
  principal: Principal,
): Promise<CreditBalance> {
  const terms = accountTermsOf(principal, plans);
  if (!terms) return { tier: principal.plan, ...UNLIMITED_BALANCE };
  return { tier: terms.plan, ...(await credits.balance(terms)) };
}

async function readUsage(
  { usage }: Pick<AccountServicesParts, 'usage'>,
  { accountId }: Principal,
  count: number,
): Promise<AccountUsage> {
  const { days, operations, keys } = await usage.analytics(accountId, count);
  const endpoints = operations.map(({ operation, calls, credits }) => ({ endpoint: operation, calls, credits }));
  return { from: days[0]!.date, to: days.at(-1)!.date, days, endpoints, keys };
}

async function readLedger(
  { log }: Pick<AccountServicesParts, 'log'>,
  { accountId }: Principal,
  { afterId, limit }: { readonly afterId: number | undefined; readonly limit: number },
): Promise<readonly AccountLedgerLine[]> {
  const lines = await readNewestLedgerLines({ log }, accountId, limit, afterId);
  return lines.map(({ id, at, type, credits, about, requestId, keyId }) => ({
    id,
    at,
    type,
    credits,
    about,
    request_id: requestId,
    key_id: keyId,
  }));
}

interface AgentKeysParts {
  readonly keyMaker: KeyIssuer;
  readonly plans: Plans;
  readonly limits: Pick<Limits, 'inherit'>;
}

/**
 * In 24 hours an account may make this many keys more than it may have at once. Each new key has new limits, so without
 * this bound an account could evade them.
 */
const EXTRA_KEYS_PER_DAY = 10;
/** Keys of an account whose plan has no limit. */
const MAX_KEYS = 10_000;
/** How long revoked keys are listed, in milliseconds, and at most how many. */
const REVOKED_LISTED_FOR = DAY;
const MOST_REVOKED = 100;

type AgentKeys = Pick<AccountServices, 'createKey' | 'listKeys' | 'revokeKey'>;

/**
 * The keys of the caller's account. The operator's own key has no account: it can make and list none. The account's
 * owner, who has a session without a key, makes keys under the same limits.
 */
function createAgentKeys({ keyMaker, plans, limits }: AgentKeysParts): AgentKeys {
  const { registry, now } = keyMaker;
  return {
    async createKey(principal, { name, scopes, maxCreditsADay, run }): Promise<CreatedKey> {
      if (!principal.account)
        throw new ApiError('forbidden', 'The key of the operator has no account to make keys for.');
      refuseCapped(principal, 'keys');
      const { max_api_keys: planKeys } = planOf(plans, principal.plan);
      const maxKeys = planKeys ?? MAX_KEYS;
      const { accountId, keyId: maker } = principal;
      const at = now();
      const request = {
        name,
        scopes,
        expiresAt: await expiryOf(principal),
        maxCreditsADay,
        account: { id: accountId },
        madeBy: maker ?? CREATED_BY_OWNER,
        ...(run === undefined ? {} : { run }),
        maxKeys,
        making: { maxKeys: maxKeys + EXTRA_KEYS_PER_DAY, since: toIsoTime(at - DAY) },
      };
      const { key, record } = await issueKey(keyMaker, request).catch((error: unknown) => {
        if (error instanceof TooManyKeysCreated)
          throw toKeyCreationLimitError(maxKeys + EXTRA_KEYS_PER_DAY, Date.parse(error.madeAt) + DAY, at);
        throw error instanceof TooManyKeys ? keyLimitReached(maxKeys) : error;
      });
      const { id, createdAt } = record;
      // Do this before the secret is returned: a key used before it inherits windows would have new ones.
      const revoked = await registry.revokedSince(accountId, toIsoTime(now() - WINDOW_MS));
      const ended = revoked.map((one) => one.id);
      // A session has no windows to pass on. But the windows of recently revoked keys must pass on, or they would start
      // anew.
      const [first = maker, ...others] = maker === null ? ended : [maker, ...ended];
      if (first !== null) await limits.inherit({ keyId: id, maker: first, revoked: others, at: now() });
      return {
        id,
        name: record.name,
        key,
        scopes: record.scopes,
        max_credits_a_day: record.maxCreditsADay ?? null,
        created_at: formatIsoTime(createdAt),
      };
    },
    async listKeys(principal) {
      const { account, accountId } = principal;
      if (!account) return [];
      const at = now();
      const records = await registry.listMatching({
        accountId,
        revokedAfter: toIsoTime(at - REVOKED_LISTED_FOR),
        mostRevoked: MOST_REVOKED,
        without: scopesBeyond(principal),
      });
      return records.filter(({ scopes }) => coversScopes(principal, scopes)).map((record) => toKeyListing(record, at));
    },
    async revokeKey(principal, id) {
      const { account, accountId } = principal;
      const found = account && (await registry.find(id));
      const isOwn = found?.accountId === accountId && coversScopes(principal, found.scopes);
      if (!isOwn || !(await registry.revoke(id, toIsoTime(now()), accountId))) throw notFound(`There is no key ${id}.`);
    },
  };

  /** A key that expires must not make one that does not. */
  async function expiryOf({ keyId }: Principal): Promise<string | null> {
    return keyId === null ? null : ((await registry.find(keyId))?.expiresAt ?? null);
  }
}

/** The scopes that the caller's key lacks. */
const scopesBeyond = (principal: Principal): readonly string[] =>
  isLimitedToSports(principal) ? [ALL_SPORTS, ...SPORT_SLUGS.filter((sport) => !grantsSport(principal, sport))] : [];

const keyLimitReached = (maxKeys: number): ApiError =>
  new ApiError('key_limit_reached', `The plan allows ${maxKeys} ${maxKeys === 1 ? 'key' : 'keys'}.`);

const formatIsoTime = (iso: string): string => formatTime(Date.parse(iso));
const timeOrNull = (iso: string | null): string | null => (iso === null ? null : formatIsoTime(iso));

const toKeyListing = (record: ApiKey, now: number): KeyListing => ({
  id: record.id,
  name: record.name,
  prefix: record.prefix,
  scopes: record.scopes,
  created_at: formatIsoTime(record.createdAt),
  last_used_at: timeOrNull(record.lastUsedAt),
  expires_at: timeOrNull(record.expiresAt),
  max_credits_a_day: record.maxCreditsADay ?? null,
  is_active: isKeyActive(record, now),
});
