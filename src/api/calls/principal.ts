/** Who calls, as the pipeline found out before `run`. */
export interface Principal {
  /** Null: no key, but the account's owner in a session of the browser. No limit of keys holds then. */
  readonly keyId: number | null;
  readonly accountId: number;
  readonly plan: string;
  /** Sport slugs, or `all`. */
  readonly scopes: readonly string[];
  /** The operator's own key: no limits, nothing charged. */
  readonly unlimited: boolean;
  /** What its credits hang on; the operator's own key has no account. */
  readonly account?: PrincipalAccount;
  /** Who sits before the browser, where it is a session. */
  readonly owner?: PrincipalOwner;
}

export interface PrincipalOwner {
  readonly userId: number;
  readonly ip: string;
  readonly userAgent: string;
}

export interface PrincipalAccount {
  /** Milliseconds. */
  readonly createdAt: number;
  /** The operator's grant, in the place of all that the plan has. `at` in milliseconds. */
  readonly order: { readonly credits: number; readonly at: number } | null;
  /** When the plan ends, in milliseconds; absent: it goes on. */
  readonly planUntil?: number;
  /** The free plan's credits were granted before, and are not granted again; absent: they were not. */
  readonly isFreeGrantUsed?: boolean;
  /** Of each of its keys, in the place of its plan's number; absent or null: its plan's. */
  readonly requestsPerMinute?: number | null;
}

/** Whoever reads the open pages: nobody in particular, without a key. Such a call passes no stages. */
export const ANONYMOUS_PRINCIPAL: Principal = {
  keyId: 0,
  accountId: 0,
  plan: 'live-page',
  scopes: ['all'],
  unlimited: true,
};
