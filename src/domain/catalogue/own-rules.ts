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
  readonly points?: OwnPoints | undefined;
}

/** What results are worth in tables, in whole points. A win after overtime or by a shootout is an overtime win. */
export interface OwnPoints {
  readonly win?: number | undefined;
  readonly draw?: number | undefined;
  readonly loss?: number | undefined;
  readonly overtime_win?: number | undefined;
  readonly overtime_loss?: number | undefined;
}
