import type { AccountServices, CreatedKey, KeyListing } from '../api/calls/account-services.ts';
import { ApiError, notFound } from '../api/calls/errors.ts';
import type { Principal } from '../api/calls/principal.ts';
import { ALL, couldMake, grantsSport, isScoped } from '../api/calls/scopes.ts';
import { type Limits, WINDOW } from '../api/limits/limits.ts';
import { SPORT_SLUGS } from '../domain/catalogue.ts';
import { DAY, formatTime } from '../domain/time.ts';
import {
  type ApiKey,
  BY_OWNER,
  createKey,
  isActive,
  type KeyMaker,
  TooManyKeys,
  TooManyMade,
} from './keys/key-registry.ts';
import { keysMadeRefusal } from './limit-refusals.ts';
import { type Plans, planOf } from './plan-terms.ts';

export interface AgentKeysParts {
  readonly keyMaker: KeyMaker;
  readonly plans: Plans;
  readonly limits: Pick<Limits, 'inherit'>;
}

/** So many more than it may have at once an account may make in 24 hours: keys that come and go are limits that do. */
const MORE_MADE = 10;
/** How long revoked keys are listed, in milliseconds, and how many of them. */
const LISTED_FOR = DAY;
const MOST_REVOKED = 100;

type AgentKeys = Pick<AccountServices, 'createKey' | 'listKeys' | 'revokeKey'>;

/**
 * The keys of the caller's account. The operator's own key has no account, and so neither makes nor sees any. The
 * account's owner, who comes in a session without a key, makes them under the same limits.
 */
export function createAgentKeys({ keyMaker, plans, limits }: AgentKeysParts): AgentKeys {
  const { registry, now } = keyMaker;
  return {
    async createKey(principal, { name, scopes, run }): Promise<CreatedKey> {
      if (!principal.account)
        throw new ApiError('forbidden', 'The key of the operator has no account to make keys for.');
      const { max_api_keys: most } = planOf(plans, principal.plan);
      const { accountId, keyId: maker } = principal;
      const at = now();
      const request = {
        name,
        scopes,
        expiresAt: await expiryOf(principal),
        account: { id: accountId },
        madeBy: maker ?? BY_OWNER,
        ...(run === undefined ? {} : { run }),
        ...(most === null ? {} : { most, making: { most: most + MORE_MADE, since: isoOf(at - DAY) } }),
      };
      const { key, record } = await createKey(keyMaker, request).catch((error: unknown) => {
        if (error instanceof TooManyMade) throw keysMadeRefusal(most! + MORE_MADE, Date.parse(error.madeAt) + DAY, at);
        throw error instanceof TooManyKeys ? limitReached(most!) : error;
      });
      const { id, createdAt } = record;
      // Before anybody has its secret: a key that is used before it has taken over has windows of its own.
      const revoked = await registry.revokedSince(accountId, isoOf(now() - WINDOW));
      const ended = revoked.map((one) => one.id);
      // Who has no windows hands none on; those of keys that were revoked just now would begin anew otherwise.
      const [first = maker, ...others] = maker === null ? ended : [maker, ...ended];
      if (first !== null) await limits.inherit({ keyId: id, maker: first, revoked: others, at: now() });
      return { id, name: record.name, key, scopes: record.scopes, created_at: timeOf(createdAt) };
    },
    async listKeys(principal) {
      const { account, accountId } = principal;
      if (!account) return [];
      const at = now();
      const records = await registry.listSome({
        accountId,
        revokedAfter: isoOf(at - LISTED_FOR),
        mostRevoked: MOST_REVOKED,
        without: scopesBeyond(principal),
      });
      return records.filter(({ scopes }) => couldMake(principal, scopes)).map((record) => listed(record, at));
    },
    async revokeKey(principal, id) {
      const { account, accountId } = principal;
      const found = account && (await registry.find(id));
      const isOwn = found?.accountId === accountId && couldMake(principal, found.scopes);
      if (!isOwn || !(await registry.revoke(id, isoOf(now()), accountId))) throw notFound(`There is no key ${id}.`);
    },
  };

  /** A key that ends must not make one that stays. */
  async function expiryOf({ keyId }: Principal): Promise<string | null> {
    return keyId === null ? null : ((await registry.find(keyId))?.expiresAt ?? null);
  }
}

/** Scopes that the caller's key does not have. */
const scopesBeyond = (principal: Principal): readonly string[] =>
  isScoped(principal) ? [ALL, ...SPORT_SLUGS.filter((sport) => !grantsSport(principal, sport))] : [];

const isoOf = (time: number): string => new Date(time).toISOString();

const limitReached = (most: number): ApiError =>
  new ApiError('key_limit_reached', `The plan allows ${most} ${most === 1 ? 'key' : 'keys'}.`);

const timeOf = (iso: string): string => formatTime(Date.parse(iso));
const timeOrNull = (iso: string | null): string | null => (iso === null ? null : timeOf(iso));

const listed = (record: ApiKey, now: number): KeyListing => ({
  id: record.id,
  name: record.name,
  prefix: record.prefix,
  scopes: record.scopes,
  created_at: timeOf(record.createdAt),
  last_used_at: timeOrNull(record.lastUsedAt),
  expires_at: timeOrNull(record.expiresAt),
  is_active: isActive(record, now),
});
