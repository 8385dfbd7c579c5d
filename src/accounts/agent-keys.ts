import type { AccountServices, CreatedKey, KeyListing } from '../calls/account-services.ts';
import { ApiError, notFound } from '../calls/errors.ts';
import type { Principal } from '../calls/principal.ts';
import { formatTime } from '../domain/time.ts';
import { type ApiKey, createKey, isActive, type KeyMaker, TooManyKeys } from './keys/key-registry.ts';
import { type Plans, planOf } from './plan-terms.ts';

export interface AgentKeysParts {
  readonly keyMaker: KeyMaker;
  readonly plans: Plans;
}

type AgentKeys = Pick<AccountServices, 'createKey' | 'listKeys' | 'revokeKey'>;

/** The keys of the caller's account. The operator's own key has no account, and so neither makes nor sees any. */
export function createAgentKeys({ keyMaker, plans }: AgentKeysParts): AgentKeys {
  const { registry, now } = keyMaker;
  return {
    async createKey(principal, { name, scopes }): Promise<CreatedKey> {
      if (!principal.account)
        throw new ApiError('forbidden', 'The key of the operator has no account to make keys for.');
      const { max_api_keys: most } = planOf(plans, principal.plan);
      const request = {
        name,
        scopes,
        expiresAt: await expiryOf(principal),
        account: { id: principal.accountId },
        ...(most === null ? {} : { most }),
      };
      const { key, record } = await createKey(keyMaker, request).catch((error: unknown) => {
        throw error instanceof TooManyKeys ? limitReached(most!) : error;
      });
      const { id, createdAt } = record;
      return { id, name: record.name, key, scopes: record.scopes, created_at: timeOf(createdAt) };
    },
    async listKeys({ account, accountId }) {
      if (!account) return [];
      const at = now();
      return (await registry.list(accountId)).map((record) => listed(record, at));
    },
    async revokeKey({ account, accountId }, id) {
      const at = new Date(now()).toISOString();
      if (!account || !(await registry.revoke(id, at, accountId))) throw notFound(`There is no key ${id}.`);
    },
  };

  /** A key that ends must not make one that stays. */
  async function expiryOf({ accountId, keyId }: Principal): Promise<string | null> {
    const keys = await registry.list(accountId);
    return keys.find(({ id }) => id === keyId)?.expiresAt ?? null;
  }
}

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
