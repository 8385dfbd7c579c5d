/** What an account is due by its plan and by the operator, as credits are concerned. */
export interface AccountTerms {
  readonly accountId: number;
  /** Milliseconds. */
  readonly createdAt: number;
  /** Slug. */
  readonly plan: string;
  /** Credits granted once, when the account begins; null: credits are not limited. */
  readonly initialCredits: number | null;
  /** Credits of each calendar month in UTC, which end with it. */
  readonly monthlyCredits: number;
  /** No month that begins then or later brings credits: the plan ends; milliseconds. Absent: it goes on. */
  readonly monthlyUntil?: number;
  /** Hours after the account's creation when the initial credits are gone; null: never. */
  readonly creditsExpireHours: number | null;
  /** The most that may be charged in 24 hours, bought credits aside. */
  readonly dailyCap: number | null;
  /** What the operator has granted in the place of all that: the account's only grant. `at` in milliseconds. */
  readonly order: { readonly credits: number; readonly at: number } | null;
}

export const isUnlimited = ({ order, initialCredits }: AccountTerms): boolean =>
  order === null && initialCredits === null;

/** In force: an operator's grant has no daily rule. */
export const dailyCapOf = ({ order, dailyCap }: AccountTerms): number | null => (order === null ? dailyCap : null);
