import type { CustomerBilling } from '../../../accounts/billing/model/billing-services.ts';
import type { UsageAnalytics, UsageReader } from '../../../accounts/usage/usage-reader.ts';
import type { AccountServices } from '../../../api/calls/services/account-services.ts';
import { UnavailableError } from '../../../domain/primitives/domain-errors.ts';
import { creditAmount } from '../formats.ts';
import { jsonResponse, pageResponse, redirect, successFlash } from '../page-responses.ts';
import type { PageResponse, PageRoute, Refusal, SignedInRequest } from '../page-route.ts';
import type { SessionOwner } from '../session-callers.ts';
import { indexKeyNames } from '../usage/key-names.ts';
import { dashboardPage, type RecentUsage } from './dashboard-page.ts';

interface DashboardParts {
  readonly callerOf: SessionOwner;
  readonly accounts: Pick<AccountServices, 'balance' | 'listKeys'>;
  readonly billing: Pick<CustomerBilling, 'overview' | 'rewardDocsVisit'>;
  readonly usage: Pick<UsageReader, 'analytics' | 'page'>;
  /** The public address without a trailing slash. */
  readonly baseUrl: () => string;
  /** Milliseconds. */
  readonly now: () => number;
}

const CALLS_SHOWN = 10;
const CALLS_OF_DAYS = 30;

/** The first page after sign-in, and the reward for reading the documentation. */
export function dashboardRoutes(parts: DashboardParts): readonly PageRoute[] {
  const { callerOf, accounts, billing, usage, baseUrl, now } = parts;

  async function usedLately(accountId: number): Promise<RecentUsage | undefined> {
    // The days of this month up to today.
    const days = new Date(now()).getUTCDate();
    const pending = [usage.analytics(accountId, days), usage.page({ accountId, days: CALLS_OF_DAYS }, 1)] as const;
    try {
      const [analytics, { calls }] = await Promise.all(pending);
      return { month: sumOf(analytics), calls: calls.slice(0, CALLS_SHOWN) };
    } catch (error) {
      // Only the usage is missing; the rest of the page is known.
      if (error instanceof UnavailableError) return undefined;
      throw error;
    }
  }

  async function shown(visit: SignedInRequest, refusal?: Refusal): Promise<PageResponse> {
    const { accountId } = visit.session.user;
    const caller = await callerOf(visit);
    const [balance, overview, recentUsage, keys] = await Promise.all([
      accounts.balance(caller),
      billing.overview(accountId),
      usedLately(accountId),
      accounts.listKeys(caller),
    ]);
    const view = {
      balance,
      billing: overview,
      recentUsage,
      baseUrl: baseUrl(),
      refusal,
      keys: keys.filter((key) => key.is_active),
      nameOf: indexKeyNames(keys),
    };
    return pageResponse('Dashboard', dashboardPage(visit, view));
  }

  async function rewardDocsVisit({ session: { user }, requestId, wantsJson }: SignedInRequest): Promise<PageResponse> {
    const act = { accountId: user.accountId, userId: user.id, requestId };
    const granted = await billing.rewardDocsVisit(act);
    if (wantsJson) return jsonResponse({ granted });
    return redirect('/docs', granted > 0 ? successFlash(`${creditAmount(granted)} were added.`) : undefined);
  }

  return [
    { method: 'GET', path: '/dashboard', access: 'signed-in', run: (visit) => shown(visit) },
    { method: 'POST', path: '/onboarding/docs-visit', access: 'signed-in', run: rewardDocsVisit, refused: shown },
  ];
}

function sumOf({ days }: UsageAnalytics) {
  const sum = { calls: 0, errors: 0, credits: 0 };
  for (const { calls, errors, credits } of days) {
    sum.calls += calls;
    sum.errors += errors;
    sum.credits += credits;
  }
  return sum;
}
