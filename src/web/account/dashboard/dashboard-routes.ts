import type { CustomerBilling } from '../../../accounts/billing/customer-billing.ts';
import type { Analytics, UsageReader } from '../../../accounts/usage/usage-reader.ts';
import type { AccountServices } from '../../../api/calls/account-services.ts';
import { Unavailable } from '../../../domain/unavailable.ts';
import { done, jsonAnswer, page, redirect } from '../answers.ts';
import type { VisitCaller } from '../owner-caller.ts';
import { nameById } from '../usage/usage-parts.ts';
import type { Refusal, SignedInVisit, SiteAnswer, SiteRoute } from '../visit.ts';
import { dashboardPage, type UsedLately } from './dashboard-page.ts';

export interface DashboardParts {
  readonly callerOf: VisitCaller;
  readonly accounts: Pick<AccountServices, 'balance' | 'listKeys'>;
  readonly billing: Pick<CustomerBilling, 'overview' | 'rewardDocsVisit'>;
  readonly usage: Pick<UsageReader, 'analytics' | 'page'>;
  /** The public address, without a slash at its end. */
  readonly baseUrl: () => string;
  /** Milliseconds. */
  readonly now: () => number;
}

const CALLS_SHOWN = 10;
const CALLS_OF_DAYS = 30;

/** The first page of whoever is signed in, and the reward for reading the documentation. */
export function dashboardRoutes(parts: DashboardParts): readonly SiteRoute[] {
  const { callerOf, accounts, billing, usage, baseUrl, now } = parts;

  async function usedLately(accountId: number): Promise<UsedLately | undefined> {
    // Of this month: the days of it that have begun.
    const days = new Date(now()).getUTCDate();
    const asked = [usage.analytics(accountId, days), usage.page({ accountId, days: CALLS_OF_DAYS }, 1)] as const;
    try {
      const [analytics, { calls }] = await Promise.all(asked);
      return { month: sumOf(analytics), calls: calls.slice(0, CALLS_SHOWN) };
    } catch (error) {
      // All else on the page is known.
      if (error instanceof Unavailable) return undefined;
      throw error;
    }
  }

  async function shown(visit: SignedInVisit, refusal?: Refusal): Promise<SiteAnswer> {
    const { accountId } = visit.session.user;
    const caller = await callerOf(visit);
    const [balance, overview, used, keys] = await Promise.all([
      accounts.balance(caller),
      billing.overview(accountId),
      usedLately(accountId),
      accounts.listKeys(caller),
    ]);
    const view = {
      ...{ balance, billing: overview, used, baseUrl: baseUrl(), refusal },
      keys: keys.filter((key) => key.is_active),
      nameOf: nameById(keys),
    };
    return page('Dashboard', dashboardPage(visit, view));
  }

  async function rewardDocsVisit({ session: { user }, requestId, wantsJson }: SignedInVisit): Promise<SiteAnswer> {
    const act = { accountId: user.accountId, userId: user.id, requestId };
    const granted = await billing.rewardDocsVisit(act);
    if (wantsJson) return jsonAnswer({ granted });
    return redirect('/docs', granted > 0 ? done(`${granted} credits were added.`) : undefined);
  }

  return [
    { method: 'GET', path: '/dashboard', access: 'signed-in', run: (visit) => shown(visit) },
    { method: 'POST', path: '/onboarding/docs-visit', access: 'signed-in', run: rewardDocsVisit, refused: shown },
  ];
}

function sumOf({ days }: Analytics) {
  const sum = { calls: 0, errors: 0, credits: 0 };
  for (const { calls, errors, credits } of days) {
    sum.calls += calls;
    sum.errors += errors;
    sum.credits += credits;
  }
  return sum;
}
