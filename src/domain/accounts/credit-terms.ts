/** The credit terms of an account, from its plan and from the operator. */
export interface AccountTerms {
  readonly accountId: number;
  /** Milliseconds. */
  readonly createdAt: number;
  /** Slug. */
  readonly plan: string;
  /** Credits granted once, when the account is created; null: unlimited credits. */
  readonly initialCredits: number | null;
  /** Credits per calendar month (UTC). They expire at the end of the month. */
  readonly monthlyCredits: number;
  /** The plan ends at this time (milliseconds): no month from then on brings credits. Absent: no end. */
  readonly monthlyUntil?: number;
  /** Hours from the creation of the account until the initial credits expire; null: never. */
  readonly creditsExpireHours: number | null;
  /** Limit of the credits charged in 24 hours, without bought credits. */
  readonly dailyCap: number | null;
  /** An order of the operator replaces all grants of the plan. `at` in milliseconds. */
  readonly order: { readonly credits: number; readonly at: number } | null;
}

/** The daily cap of a key: credits that it may be charged in 24 hours, bought ones too. */
export interface KeyCap {
  readonly keyId: number;
  readonly credits: number;
}

export const isUnlimited = ({ order, initialCredits }: AccountTerms): boolean =>
  order === null && initialCredits === null;

/** The daily cap in force: an operator order has none. */
export const dailyCapOf = ({ order, dailyCap }: AccountTerms): number | null => (order === null ? dailyCap : null);
