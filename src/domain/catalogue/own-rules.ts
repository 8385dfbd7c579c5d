export const OVERTIMES = ['none', 'timed', 'untimed'] as const;
/** `untimed`: tries, possessions or innings, until one side leads. */
export type Overtime = (typeof OVERTIMES)[number];

/** What CONFIG may say of the rules of a league. What it leaves out is as in its sport. */
export interface OwnRules {
  readonly periods?: number | undefined;
  readonly period_minutes?: number | undefined;
  readonly overtime?: Overtime | undefined;
  readonly overtime_minutes?: number | undefined;
  readonly shootout?: boolean | undefined;
  readonly draws?: boolean | undefined;
}
