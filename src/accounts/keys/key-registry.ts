import { generateKey, hashKey, keyPrefix, type RandomBytes } from './key-format.ts';

export const DEFAULT_PLAN = 'free';

/** Stands in the place of the key that makes another: the account's owner makes it, in a session of the browser. */
export const CREATED_BY_OWNER = 0;

/** What holds for one account beside its plan. */
export interface AccountOverrides {
  /** Its keys open nothing. */
  readonly isSuspended: boolean;
  /** The free plan's credits were granted to one of its addresses before, and are not granted again. */
  readonly isFreeGrantUsed: boolean;
  /** Of each of its keys, in the place of its plan's number; null: its plan's. */
  readonly requestsPerMinute: number | null;
}

/** What is known of an API key. The key itself is stored nowhere. Times are ISO 8601. */
export interface ApiKey {
  readonly id: number;
  readonly accountId: number;
  /** Slug of the account's plan. */
  readonly plan: string;
  readonly accountCreatedAt: string;
  /** What the operator has granted the account in the place of its plan's credits, and when. */
  readonly order: { readonly credits: number; readonly at: string } | null;
  /** When the plan ends; absent: it goes on. */
  readonly planUntil?: string;
  /** Absent: there are none. */
  readonly exceptions?: AccountOverrides;
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
export const isKeyActive = ({ revokedAt, expiresAt, exceptions }: ApiKey, at: number): boolean =>
  revokedAt === null && exceptions?.isSuspended !== true && (expiresAt === null || at < Date.parse(expiresAt));

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
  /** The key that makes it, or `BY_OWNER`; absent: the operator. */
  readonly madeBy?: number;
  /**
   * Counts the key among those that the account has made, of which it may have made fewer than `most` after `since`.
   * Revoked ones count, keys that were made without this do not.
   */
  readonly making?: { readonly most: number; readonly since: string };
  /** The run that makes it: the key that the account has made in the same run before is given in its place. */
  readonly run?: string;
}

/** The account has as many keys as it may have. */
export class TooManyKeys extends Error {
  readonly code = 'too_many_keys';
}

/** The account has made as many keys as it may make in a while. Judged before `TooManyKeys`. */
export class TooManyKeysCreated extends Error {
  readonly code = 'too_many_made';
  /** One more may be made when a key that was made then counts no more. */
  readonly madeAt: string;
  constructor(madeAt: string) {
    super('the account has made as many keys as it may make');
    this.madeAt = madeAt;
  }
}

/** Which keys of an account are listed. */
interface KeyFilter {
  readonly accountId: number;
  /** Of those that were revoked: after this time, and so many, the newest. */
  readonly revokedAfter: string;
  readonly mostRevoked: number;
  /** None that has one of these scopes. */
  readonly without: readonly string[];
}

/** A key that was made by another, or by its account's owner. */
interface KeyCreation {
  readonly id: number;
  readonly accountId: number;
  /** Or `BY_OWNER`. */
  readonly madeBy: number;
  readonly createdAt: string;
}

/** Accounts and their API keys. Several processes may use it at once. */
export interface KeyRegistry {
  /**
   * However many are asked for at once, no account gets more than `most`, nor makes more than `making` says. What it
   * takes does not grow with the keys that were revoked.
   * @throws TooManyMade, TooManyKeys, and Error when the account id is unknown, or the prefix is taken
   */
  create(key: NewApiKey): Promise<ApiKey>;
  /** Revoked and expired keys too. */
  findByPrefix(prefix: string): Promise<ApiKey | undefined>;
  find(id: number): Promise<ApiKey | undefined>;
  /** In the order of their creation, revoked ones too; of one account where it is given. */
  list(accountId?: number): Promise<readonly ApiKey[]>;
  /** Some of an account's, in the order of their creation. */
  listMatching(wanted: KeyFilter): Promise<readonly ApiKey[]>;
  /** Keys of the account that were revoked after this time, whoever revoked them. */
  revokedSince(
    accountId: number,
    after: string,
  ): Promise<readonly { readonly id: number; readonly revokedAt: string }[]>;
  /** Keys that were made by others after this time, in the order of their creation. */
  madeSince(after: string): Promise<readonly KeyCreation[]>;
  /** False when there is no such key (of that account, where one is given), or it was revoked before. */
  revoke(id: number, at: string, accountId?: number): Promise<boolean>;
  /** Notes that the key was used. An older time never replaces a newer one. */
  touch(id: number, at: string): Promise<void>;
}

export interface KeyIssuer {
  readonly registry: KeyRegistry;
  readonly random: RandomBytes;
  readonly pepper: string;
  /** Milliseconds. */
  readonly now: () => number;
}

export type KeyRequest = Omit<NewApiKey, 'prefix' | 'hash' | 'createdAt'>;

/**
 * Makes a key. The answer is the only place that ever shows it.
 * @returns `key` null where the same run has made it before: nobody knows it
 * @throws TooManyKeys
 */
export async function issueKey(
  maker: KeyIssuer,
  request: Omit<KeyRequest, 'run'>,
): Promise<{ readonly key: string; readonly record: ApiKey }>;
export async function issueKey(
  maker: KeyIssuer,
  request: KeyRequest,
): Promise<{ readonly key: string | null; readonly record: ApiKey }>;
export async function issueKey(
  { registry, random, pepper, now }: KeyIssuer,
  request: KeyRequest,
): Promise<{ readonly key: string | null; readonly record: ApiKey }> {
  const key = generateKey(random);
  const hash = hashKey(key, pepper);
  const createdAt = new Date(now()).toISOString();
  const record = await registry.create({ ...request, prefix: keyPrefix(key)!, hash, createdAt });
  return { key: record.hash === hash ? key : null, record };
}
