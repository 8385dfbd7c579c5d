import { generateKey, hashKey, keyPrefix, type RandomBytes } from './key-format.ts';

export const DEFAULT_PLAN = 'free';

/** What is known of an API key. The key itself is stored nowhere. Times are ISO 8601. */
export interface ApiKey {
  readonly id: number;
  readonly accountId: number;
  /** Slug of the account's plan. */
  readonly plan: string;
  readonly accountCreatedAt: string;
  /** What the operator has granted the account in the place of its plan's credits, and when. */
  readonly order: { readonly credits: number; readonly at: string } | null;
  readonly name: string;
  readonly prefix: string;
  /** HMAC of the key, in hexadecimal. */
  readonly hash: string;
  /** `all`, or sport slugs. */
  readonly scopes: readonly string[];
  readonly createdAt: string;
  readonly lastUsedAt: string | null;
  /** From this time on the key is refused; null: never. */
  readonly expiresAt: string | null;
  readonly revokedAt: string | null;
}

/** Whether the key opens anything at this time, in milliseconds. */
export const isActive = ({ revokedAt, expiresAt }: ApiKey, at: number): boolean =>
  revokedAt === null && (expiresAt === null || at < Date.parse(expiresAt));

export interface NewApiKey {
  readonly name: string;
  readonly prefix: string;
  readonly hash: string;
  readonly scopes: readonly string[];
  readonly createdAt: string;
  readonly expiresAt: string | null;
  /** Whose key it is: an account by its id or its e-mail (made when there is none), or a new account of its own. */
  readonly account: { readonly id: number } | { readonly email: string } | 'own';
  /** Puts the account on this plan. Absent: it stays on its plan; a new one gets the default plan. */
  readonly plan?: string;
  /** Makes this the account's only grant of credits, in the place of its plan's. */
  readonly credits?: number;
  /** The account must have fewer keys than this. Revoked ones do not count. */
  readonly most?: number;
}

/** The account has as many keys as it may have. */
export class TooManyKeys extends Error {
  readonly code = 'too_many_keys';
}

/** Accounts and their API keys. Several processes may use it at once. */
export interface KeyRegistry {
  /**
   * However many are asked for at once, no account gets more than `most`.
   * @throws TooManyKeys, and Error when the account id is unknown, or the prefix is taken
   */
  create(key: NewApiKey): Promise<ApiKey>;
  /** Revoked and expired keys too. */
  findByPrefix(prefix: string): Promise<ApiKey | undefined>;
  /** In the order of their creation, revoked ones too; of one account where it is given. */
  list(accountId?: number): Promise<readonly ApiKey[]>;
  /** False when there is no such key (of that account, where one is given), or it was revoked before. */
  revoke(id: number, at: string, accountId?: number): Promise<boolean>;
  /** Notes that the key was used. An older time never replaces a newer one. */
  touch(id: number, at: string): Promise<void>;
}

export interface KeyMaker {
  readonly registry: KeyRegistry;
  readonly random: RandomBytes;
  readonly pepper: string;
  /** Milliseconds. */
  readonly now: () => number;
}

export type KeyRequest = Omit<NewApiKey, 'prefix' | 'hash' | 'createdAt'>;

/**
 * Makes a key. The answer is the only place that ever shows it.
 * @throws TooManyKeys
 */
export async function createKey(
  { registry, random, pepper, now }: KeyMaker,
  request: KeyRequest,
): Promise<{ readonly key: string; readonly record: ApiKey }> {
  const key = generateKey(random);
  const record = await registry.create({
    ...request,
    prefix: keyPrefix(key)!,
    hash: hashKey(key, pepper),
    createdAt: new Date(now()).toISOString(),
  });
  return { key, record };
}
