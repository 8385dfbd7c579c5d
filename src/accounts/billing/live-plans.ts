import { isDeepStrictEqual } from 'node:util';
import { ownValue, setOwn } from '../../domain/primitives/own-properties.ts';
import type { OnChange } from '../../platform/async/change-signal.ts';
import { createRepeatedWork } from '../../platform/async/repeated-work.ts';
import type { SetTimer } from '../../platform/async/timer.ts';
import { FREE_OF_CHARGE, type Plan, planSchema } from '../../platform/settings/plans-and-packs.ts';
import type { Plans } from './account-terms.ts';
import type { PlanChangeStore } from './model/billing-stores.ts';

interface LivePlansParts {
  /** The plans of the configuration. */
  readonly configured: Plans;
  readonly changes: Pick<PlanChangeStore, 'all'>;
  readonly setTimer: SetTimer;
  /** Tells that somebody has committed to the stores. Absent: the changes are read several times a second. */
  readonly onCommit?: OnChange | undefined;
  /** After an error the plans stay as they are. */
  readonly onError: (error: unknown) => void;
}

/** The plans in force, in one shared object. */
export interface LivePlans {
  /** This object changes in place. */
  readonly plans: Plans;
  /** Reads the changes that staff have made. Rejects if they cannot be read. */
  refresh(): Promise<void>;
  /** Refreshes the plans from now on. */
  start(): void;
  stop(): void;
}

/**
 * Milliseconds. An authenticated key is cached for half a second more, so a change is in force everywhere within a
 * second.
 */
const REFRESH_EVERY = 300;

export function createLivePlans({ configured, changes, setTimer, onCommit, onError }: LivePlansParts): LivePlans {
  const plans: Record<string, Plan> = { ...configured };
  let stopTimer = (): void => {};
  const refreshing = createRepeatedWork({
    run: () =>
      refresh().then(
        () => true,
        (error) => {
          onError(error);
          return false;
        },
      ),
    pauseMs: REFRESH_EVERY,
    onChange: onCommit,
    later(callback, milliseconds) {
      stopTimer = setTimer(callback, milliseconds);
    },
  });

  async function refresh(): Promise<void> {
    const inForce = mergePlanChanges(configured, await changes.all());
    for (const slug of Object.keys(plans)) if (!Object.hasOwn(inForce, slug)) delete plans[slug];
    // Keep the same object for an unchanged plan.
    for (const [slug, plan] of Object.entries(inForce)) {
      if (!isDeepStrictEqual(ownValue(plans, slug), plan)) setOwn(plans, slug, plan);
    }
  }

  return {
    plans,
    refresh,
    start: refreshing.start,
    stop() {
      stopTimer();
      void refreshing.stop();
    },
  };
}

/** The plans of the configuration, merged with the changes of staff. A plan that is not valid is left out. */
export function mergePlanChanges(configured: Plans, changes: Awaited<ReturnType<PlanChangeStore['all']>>): Plans {
  const plans: Record<string, Plan> = { ...configured };
  for (const [slug, content] of changes) {
    if (content === null) delete plans[slug];
    else {
      const plan = planSchema.safeParse({ ...NEW_PLAN_DEFAULTS, ...ownValue(configured, slug), ...content });
      if (plan.success) setOwn(plans, slug, plan.data);
    }
  }
  return plans;
}

/** The defaults of a new plan. Only its name must be given. */
export const NEW_PLAN_DEFAULTS: Omit<Plan, 'name'> = {
  requests_per_minute: 60,
  max_api_keys: 10,
  initial_credits: 0,
  monthly_credits: 0,
  credits_expire_hours: null,
  daily_credit_cap: null,
  ...FREE_OF_CHARGE,
};
