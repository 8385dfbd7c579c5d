import { isDeepStrictEqual } from 'node:util';
import type { SetTimer } from '../../platform/async/timer.ts';
import { FREE_OF_CHARGE, type Plan, planSchema } from '../../platform/settings/plans-and-packs.ts';
import type { Plans } from './account-terms.ts';
import type { PlanChangeStore } from './model/billing-stores.ts';

interface LivePlansParts {
  /** The configuration's. */
  readonly configured: Plans;
  readonly changes: Pick<PlanChangeStore, 'all'>;
  readonly setTimer: SetTimer;
  /** The plans stay as they are known. */
  readonly onError: (error: unknown) => void;
}

/** The plans that are in force, in one object for all who go by them. */
export interface LivePlans {
  /** Changes in place. */
  readonly plans: Plans;
  /** Looks at what staff have changed. Rejects where nobody knows. */
  refresh(): Promise<void>;
  /** Looks again and again from now on. */
  start(): void;
  stop(): void;
}

/** A caller is known for half a second besides: a change is in force within a second everywhere. */
const REFRESH_EVERY = 300;

export function createLivePlans({ configured, changes, setTimer, onError }: LivePlansParts): LivePlans {
  const plans: Record<string, Plan> = { ...configured };
  let stopTimer = (): void => {};
  let isStopped = false;

  async function refresh(): Promise<void> {
    const inForce = mergePlanChanges(configured, await changes.all());
    for (const slug of Object.keys(plans)) if (!Object.hasOwn(inForce, slug)) delete plans[slug];
    // The same object where nothing has changed.
    for (const [slug, plan] of Object.entries(inForce)) {
      if (!isDeepStrictEqual(plans[slug], plan)) plans[slug] = plan;
    }
  }

  function start(): void {
    stopTimer = setTimer(() => {
      refresh()
        .catch(onError)
        .finally(() => {
          if (!isStopped) start();
        });
    }, REFRESH_EVERY);
  }

  return {
    plans,
    refresh,
    start,
    stop() {
      isStopped = true;
      stopTimer();
    },
  };
}

/** The configuration's plans with what staff have changed over them. What is not a whole plan is none. */
export function mergePlanChanges(configured: Plans, changes: Awaited<ReturnType<PlanChangeStore['all']>>): Plans {
  const plans: Record<string, Plan> = { ...configured };
  for (const [slug, content] of changes) {
    if (content === null) delete plans[slug];
    else {
      const plan = planSchema.safeParse({ ...NEW_PLAN_DEFAULTS, ...configured[slug], ...content });
      if (plan.success) plans[slug] = plan.data;
    }
  }
  return plans;
}

/** What a plan has that nobody has told of it; its name is to be told. */
export const NEW_PLAN_DEFAULTS: Omit<Plan, 'name'> = {
  requests_per_minute: 60,
  max_api_keys: 10,
  initial_credits: 0,
  monthly_credits: 0,
  credits_expire_hours: null,
  daily_credit_cap: null,
  ...FREE_OF_CHARGE,
};
