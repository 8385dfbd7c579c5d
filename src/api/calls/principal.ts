import type { KeyCap } from '../../domain/accounts/credit-terms.ts';
import { ApiError } from './api-errors.ts';

/** The caller, as authenticated by the pipeline before `run`. */
export interface Principal {
  /** Null: the account's owner calls from a browser session, without a key. Limits are those of sessions then. */
  readonly keyId: number | null;
  readonly accountId: number;
  readonly plan: string;
  /** Sport slugs, or `all`. */
  readonly scopes: readonly string[];
  /** The operator's own key: no limits, nothing charged. */
  readonly unlimited: boolean;
  /** The account whose credits the call uses; the operator's own key has none. */
  readonly account?: PrincipalAccount;
  /** The daily cap of the key; absent: it has none. */
  readonly keyCap?: KeyCap;
  /** The user and browser of a session. */
  readonly owner?: PrincipalOwner;
  /** Who calls without a key, where none is needed. */
  readonly visitor?: Visitor;
}

/** The address and the program that a call came from. */
export interface Visitor {
  /** An IPv4 address, or the network of an IPv6 address. */
  readonly ip: string;
  readonly userAgent: string;
}

/**
 * What spends the account's credits and is no key with a cap would get a key past its own.
 * @throws ApiError forbidden
 */
export function refuseCapped({ keyCap }: Pick<Principal, 'keyCap'>, what: string): void {
  if (keyCap) throw new ApiError('forbidden', `A key with a daily cap makes no ${what}: they could spend beyond it.`);
}

export interface PrincipalOwner extends Visitor {
  readonly userId: number;
}

export interface PrincipalAccount {
  /** Milliseconds. */
  readonly createdAt: number;
  /** A grant by the operator, which replaces the plan's credits. `at` in milliseconds. */
  readonly order: { readonly credits: number; readonly at: number } | null;
  /** End of the plan, in milliseconds; absent: the plan has no end. */
  readonly planUntil?: number;
  /** True: the free plan's credits were granted before, and are not granted again. Absent: they were not. */
  readonly isFreeGrantUsed?: boolean;
  /** Limit for each key of the account; absent or null: the plan's limit. */
  readonly requestsPerMinute?: number | null;
}

/** The reader of the public pages: no account, no key. Such a call passes no admission control. */
export const ANONYMOUS_PRINCIPAL: Principal = {
  keyId: 0,
  accountId: 0,
  plan: 'live-page',
  scopes: ['all'],
  unlimited: true,
};
