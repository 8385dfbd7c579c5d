import { toIsoTime } from '../../platform/clock/iso-time.ts';
import { generateKey, hashKey, keyPrefix, type RandomBytes } from './key-format.ts';

export const DEFAULT_PLAN = 'free';

/** Stands for the maker's key id if the account's owner made the key in a session. */
export const CREATED_BY_OWNER = 0;

/** Exceptions from the plan for one account. */
interface AccountOverrides {
  /** The account's keys are refused. */
  readonly isSuspended: boolean;
  /** One of the account's addresses has received the free plan's credits before, so they are not granted again. */
  readonly isFreeGrantUsed: boolean;
  /** For each of the account's keys, in place of the plan's number; null: the plan's number. */
  readonly requestsPerMinute: number | null;
}

/** A stored API key. The key itself is not stored. Times are ISO 8601. */
export interface ApiKey {
  readonly id: number;
  readonly accountId: number;
  /** Slug of the account's plan. */
  readonly plan: string;
  readonly accountCreatedAt: string;
  /** Credits that the operator granted in place of the plan's credits, and when. */
  readonly order: { readonly credits: number; readonly at: string } | null;
  /** When the plan ends; absent: it does not end. */
  readonly planUntil?: string;
  /** Absent: the account has no exceptions. */
  readonly exceptions?: AccountOverrides;
  readonly name: string;
  readonly prefix: string;
  /** HMAC of the key, in hexadecimal. */
  readonly hash: string;
  /** `all`, or sport slugs. */
  readonly scopes: readonly string[];
  readonly createdAt: string;
  readonly lastUsedAt: string | null;
  /** From this time on the key is refused; null: it does not expire. */
  readonly expiresAt: string | null;
  readonly revokedAt: string | null;
  /** Credits that it may be charged in 24 hours; absent: it has no cap. */
  readonly maxCreditsADay?: number;
}

/** Whether the key is accepted at this time, in milliseconds. */
export const isKeyActive = ({ revokedAt, expiresAt, exceptions }: ApiKey, at: number): boolean =>
  revokedAt === null && exceptions?.isSuspended !== true && (expiresAt === null || at < Date.parse(expiresAt));

export interface NewApiKey {
  readonly name: string;
  readonly prefix: string;
  readonly hash: string;
  readonly scopes: readonly string[];
  readonly createdAt: string;
  readonly expiresAt: string | null;
  /** The key's account: by id, by e-mail address (created if missing), or a new account. */
  readonly account: { readonly id: number } | { readonly email: string } | 'own';
  /** Puts the account on this plan. Absent: it stays on its plan; a new account gets the default plan. */
  readonly plan?: string;
  /** The account's only grant of credits, in place of its plan's. */
  readonly credits?: number;
  /** The account must have fewer keys than this. Revoked keys do not count. */
  readonly maxKeys?: number;
  /** The key that makes this one, or `CREATED_BY_OWNER`; absent: the operator makes it. */
  readonly madeBy?: number;
  /**
   * Counts this key among the keys that the account has made. It may have made fewer than `maxKeys` of them after `since`.
   * Revoked keys count; keys made without `making` do not.
   */
  readonly making?: { readonly maxKeys: number; readonly since: string };
  /** Credits that the key may be charged in 24 hours; absent: no cap. It never changes. */
  readonly maxCreditsADay?: number | undefined;
  /** The run that makes the key. If the same run has made a key before, that key is returned. */
  readonly run?: string;
}

/** The account has the maximum number of keys. */
export class TooManyKeys extends Error {
  readonly code = 'too_many_keys';
}

/** The account has made the maximum number of keys in a period. Checked before `TooManyKeys`. */
export class TooManyKeysCreated extends Error {
  readonly code = 'too_many_made';
  /** When the oldest counted key was made. Another key may be made when it no longer counts. */
  readonly madeAt: string;
  constructor(madeAt: string) {
    super('the account has made as many keys as it may make');
    this.madeAt = madeAt;
  }
}

/** Which keys of an account are listed. */
interface KeyFilter {
  readonly accountId: number;
  /** Revoked keys are listed if they were revoked after this time; at most this many, newest first. */
  readonly revokedAfter: string;
  readonly mostRevoked: number;
  /** Leaves out keys with one of these scopes. */
  readonly without: readonly string[];
}

/** A key made by another key, or by its account's owner. */
interface KeyCreation {
  readonly id: number;
  readonly accountId: number;
  /** The maker's key id, or `CREATED_BY_OWNER`. */
  readonly madeBy: number;
  readonly createdAt: string;
}

/** Accounts and their API keys. Several processes may use the registry at once. */
export interface KeyRegistry {
  /**
   * Even with requests at the same time, an account never exceeds `maxKeys` and `making`. The cost does not grow with the
   * number of revoked keys.
   * @throws TooManyKeysCreated, TooManyKeys, and Error if the account id is unknown or the prefix exists already
   */
  create(key: NewApiKey): Promise<ApiKey>;
  /** Finds revoked and expired keys too. */
  findByPrefix(prefix: string): Promise<ApiKey | undefined>;
  find(id: number): Promise<ApiKey | undefined>;
  /** In order of creation, with revoked keys; only of this account, if given. */
  list(accountId?: number): Promise<readonly ApiKey[]>;
  /** Some keys of an account, in order of creation. */
  listMatching(wanted: KeyFilter): Promise<readonly ApiKey[]>;
  /** The account's keys that were revoked after this time, by anybody. */
  revokedSince(
    accountId: number,
    after: string,
  ): Promise<readonly { readonly id: number; readonly revokedAt: string }[]>;
  /** Keys made after this time by another key or an owner, in order of creation. */
  madeSince(after: string): Promise<readonly KeyCreation[]>;
  /** False: there is no such key (in this account, if given), or it was already revoked. */
  revoke(id: number, at: string, accountId?: number): Promise<boolean>;
  /** Stores the time of the last use. An older time never replaces a newer one. */
  touch(id: number, at: string): Promise<void>;
}

/** Stores a new key. @param secret the key itself, which nothing else has yet @throws TooManyKeysCreated, TooManyKeys */
export type StoreNewKey = (key: NewApiKey, secret: string) => Promise<ApiKey>;

export interface KeyIssuer {
  readonly registry: KeyRegistry;
  readonly random: RandomBytes;
  readonly pepper: string;
  /** Milliseconds. */
  readonly now: () => number;
}

export type KeyRequest = Omit<NewApiKey, 'prefix' | 'hash' | 'createdAt'>;

/**
 * Makes a key. The key is never shown again.
 * @returns `key` is null if the same run has made it before, since the server does not store it
 * @throws TooManyKeys
 */
export async function issueKey(
  maker: KeyIssuer,
  request: Omit<KeyRequest, 'run'>,
  store?: StoreNewKey,
): Promise<{ readonly key: string; readonly record: ApiKey }>;
export async function issueKey(
  maker: KeyIssuer,
  request: KeyRequest,
  store?: StoreNewKey,
): Promise<{ readonly key: string | null; readonly record: ApiKey }>;
export async function issueKey(
  { registry, random, pepper, now }: KeyIssuer,
  request: KeyRequest,
  store: StoreNewKey = registry.create,
): Promise<{ readonly key: string | null; readonly record: ApiKey }> {
  const key = generateKey(random);
  const hash = hashKey(key, pepper);
  const createdAt = toIsoTime(now());
  const record = await store({ ...request, prefix: keyPrefix(key)!, hash, createdAt }, key);
  return { key: record.hash === hash ? key : null, record };
}
