import type { Plan } from '../../../platform/settings/plans.ts';

/** Members of a plan that staff have changed; null: the plan is deleted. */
export type PlanContent = Partial<Plan> | null;

/** What staff have changed of the configuration's plans. Several processes may use it at once. */
export interface PlanChanges {
  all(): Promise<ReadonlyMap<string, PlanContent>>;
  /** These members over what was changed before, or over nothing where the plan was deleted. */
  change(slug: string, members: Partial<Plan>): Promise<void>;
  /** False: an account is on it. */
  remove(slug: string): Promise<boolean>;
  /** How many accounts are on each plan. */
  accounts(): Promise<ReadonlyMap<string, number>>;
}
