import { ApiError, notFound } from '../api/calls/api-errors.ts';
import { type Principal, refuseCapped } from '../api/calls/principal.ts';
import { ALL_SPORTS, coversScopes, grantsSport, isLimitedToSports } from '../api/calls/scopes.ts';
import type { AccountServices, CreatedKey, KeyListing, NewKey } from '../api/calls/services/account-services.ts';
import { type Limits, WINDOW_MS } from '../api/limits/limits.ts';
import { SPORT_SLUGS } from '../domain/catalogue/catalogue.ts';
import { DAY, formatTime } from '../domain/primitives/time.ts';
import { toIsoTime } from '../platform/clock/iso-time.ts';
import { type Plans, planOf } from './billing/account-terms.ts';
import {
  type ApiKey,
  CREATED_BY_OWNER,
  isKeyActive,
  issueKey,
  type KeyIssuer,
  type StoreNewKey,
  TooManyKeys,
  TooManyKeysCreated,
} from './keys/key-registry.ts';
import { toKeyCreationLimitError } from './limit-errors.ts';

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

export interface AgentKeys extends Pick<AccountServices, 'listKeys' | 'revokeKey'> {
  /**
   * As `AccountServices` has it.
   * @param store stores the key; absent: the registry does, and nothing else is stored with it
   */
  createKey(principal: Principal, key: NewKey, store?: StoreNewKey): Promise<CreatedKey>;
}

/**
 * The keys of the caller's account. The operator's own key has no account: it can make and list none. The account's
 * owner, who has a session without a key, makes keys under the same limits.
 */
export function createAgentKeys({ keyMaker, plans, limits }: AgentKeysParts): AgentKeys {
  const { registry, now } = keyMaker;
  return {
    async createKey(principal, { name, scopes, maxCreditsADay, run }, store = registry.create): Promise<CreatedKey> {
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
      const { key, record } = await issueKey(keyMaker, request, store).catch((error: unknown) => {
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
