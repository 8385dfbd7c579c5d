/** Who calls, as the pipeline found out before `run`. */
export interface Principal {
  readonly keyId: number;
  readonly accountId: number;
  readonly plan: string;
  /** Sport slugs, or `all`. */
  readonly scopes: readonly string[];
  /** The operator's own key: no limits, nothing charged. */
  readonly unlimited: boolean;
  /** What its credits hang on; the operator's own key has no account. */
  readonly account?: PrincipalAccount;
}

export interface PrincipalAccount {
  /** Milliseconds. */
  readonly createdAt: number;
  /** The operator's grant, in the place of all that the plan has. `at` in milliseconds. */
  readonly order: { readonly credits: number; readonly at: number } | null;
}

/** Whoever reads the open pages: nobody in particular, without a key. Such a call passes no stages. */
export const VISITOR: Principal = {
  keyId: 0,
  accountId: 0,
  plan: 'live-page',
  scopes: ['all'],
  unlimited: true,
};
