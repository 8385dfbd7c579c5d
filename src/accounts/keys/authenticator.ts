import { timingSafeEqual } from 'node:crypto';
import { LRUCache } from 'lru-cache';
import { ApiKeyError } from '../../api/calls/api-errors.ts';
import type { Principal } from '../../api/calls/principal.ts';
import { entriesAtMost } from '../../platform/cache-bounds.ts';
import { toIsoTime } from '../../platform/clock/iso-time.ts';
import { hashKey, keyPrefix } from './key-format.ts';
import { type ApiKey, isKeyActive, type KeyRegistry } from './key-registry.ts';

/** How long a cached key is used, in milliseconds. A revocation, or another plan, is in force at the latest after this time. */
const MAX_AGE = 500;
/** How often the last use of a key is stored, in milliseconds. */
const TOUCH_EVERY = 60_000;
const MAX_CACHED = 10_000;

interface AuthenticatorParts {
  readonly registry: KeyRegistry;
  readonly pepper: string;
  /** A complete key that is not in the registry and has no limits. */
  readonly bootstrapKey?: string;
  /** Milliseconds. */
  readonly now: () => number;
  /** Called when the last use of a key could not be stored. Nothing waits for this. */
  readonly onError: (error: unknown) => void;
}

/** Keys with equal scopes share one list, since answers are cached by the list. */
const listsOfScopes = new LRUCache<string, readonly string[]>({ max: 1000 });

export type Authenticate = (key: string | undefined) => Principal | Promise<Principal>;

/** The operator's own key has no account in the registry. */
export const BOOTSTRAP_PRINCIPAL: Principal = {
  keyId: 0,
  accountId: 0,
  plan: 'enterprise',
  scopes: ['all'],
  unlimited: true,
};

interface CachedKey {
  /** The key's HMAC, computed once. */
  readonly hash: Buffer;
  readonly prefix: string;
  /** Never looked up again. */
  readonly forever: boolean;
  id: number;
  principal: Principal;
  /** Milliseconds; Infinity: never. */
  expiresAt: number;
  checkedAt: number;
  touchedAt: number;
  /** The lookup in progress, shared by all callers that wait for it, and its start. */
  checking: Promise<Principal> | undefined;
  checkingAt: number;
}

/**
 * Authenticates the caller by an API key. A key that was looked up less than half a second ago is answered
 * synchronously. Only valid keys are cached, so that wrong ones cannot evict them.
 */
export function createAuthenticator(parts: AuthenticatorParts): Authenticate {
  const { registry, pepper, now } = parts;
  const known = new LRUCache<string, CachedKey>(entriesAtMost(MAX_CACHED));
  const bootstrapHash = parts.bootstrapKey === undefined ? undefined : hashOf(parts.bootstrapKey, pepper);

  async function check(key: string, entry: CachedKey): Promise<Principal> {
    const at = now();
    const record = await registry.findByPrefix(entry.prefix);
    if (!isSame(record, entry.hash) || !isKeyActive(record, at)) {
      known.delete(key);
      throw new ApiKeyError(isSame(record, entry.hash) ? 'deactivated' : 'unknown');
    }
    entry.id = record.id;
    entry.principal = toPrincipal(record);
    entry.expiresAt = record.expiresAt === null ? Number.POSITIVE_INFINITY : Date.parse(record.expiresAt);
    entry.checkedAt = at;
    known.set(key, entry);
    touch(entry, at);
    return entry.principal;
  }

  function touch(entry: CachedKey, at: number): void {
    if (at - entry.touchedAt < TOUCH_EVERY) return;
    entry.touchedAt = at;
    registry.touch(entry.id, toIsoTime(at)).catch(parts.onError);
  }

  return (key) => {
    // One lookup only, since each one changes the order of the cache.
    const entry = key === undefined ? undefined : known.peek(key);
    if (key !== undefined && entry !== undefined) {
      const at = now();
      const age = at - entry.checkedAt;
      // After the clock was set back, an old lookup must not stay valid.
      if (entry.forever || (age >= 0 && age < MAX_AGE && at < entry.expiresAt)) return entry.principal;
      const { checking, checkingAt } = entry;
      // A slow lookup may have read the key before a revocation.
      if (checking && at >= checkingAt && at - checkingAt < MAX_AGE) return checking;
      const lookup = check(key, entry).finally(() => {
        if (entry.checking === lookup) entry.checking = undefined;
      });
      entry.checking = lookup;
      entry.checkingAt = at;
      return lookup;
    }
    const prefix = key === undefined ? undefined : keyPrefix(key);
    if (key === undefined || prefix === undefined) throw new ApiKeyError(key === undefined ? 'missing' : 'unknown');
    const hash = hashOf(key, pepper);
    if (bootstrapHash !== undefined && timingSafeEqual(hash, bootstrapHash)) {
      // This key never changes while the server runs.
      known.set(key, newEntry(hash, prefix, true));
      return BOOTSTRAP_PRINCIPAL;
    }
    return check(key, newEntry(hash, prefix));
  };
}

const hashOf = (key: string, pepper: string): Buffer => Buffer.from(hashKey(key, pepper), 'hex');

const newEntry = (hash: Buffer, prefix: string, forever = false): CachedKey => ({
  hash,
  prefix,
  forever,
  id: 0,
  principal: BOOTSTRAP_PRINCIPAL,
  expiresAt: 0,
  checkedAt: Number.NEGATIVE_INFINITY,
  touchedAt: Number.NEGATIVE_INFINITY,
  checking: undefined,
  checkingAt: Number.NEGATIVE_INFINITY,
});

function isSame(record: ApiKey | undefined, hash: Buffer): record is ApiKey {
  if (!record) return false;
  const stored = Buffer.from(record.hash, 'hex');
  return stored.length === hash.length && timingSafeEqual(stored, hash);
}

const toPrincipal = (record: ApiKey): Principal => ({
  keyId: record.id,
  accountId: record.accountId,
  plan: record.plan,
  scopes: sharedScopes(record.scopes),
  unlimited: false,
  ...(record.maxCreditsADay !== undefined && { keyCap: { keyId: record.id, credits: record.maxCreditsADay } }),
  account: {
    createdAt: Date.parse(record.accountCreatedAt),
    order: record.order && { credits: record.order.credits, at: Date.parse(record.order.at) },
    ...(record.planUntil !== undefined && { planUntil: Date.parse(record.planUntil) }),
    ...(record.exceptions && {
      isFreeGrantUsed: record.exceptions.isFreeGrantUsed,
      requestsPerMinute: record.exceptions.requestsPerMinute,
    }),
  },
});

function sharedScopes(scopes: readonly string[]): readonly string[] {
  const text = scopes.join();
  const known = listsOfScopes.get(text);
  if (!known) listsOfScopes.set(text, scopes);
  return known ?? scopes;
}
