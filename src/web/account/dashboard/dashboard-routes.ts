import type { CustomerBilling } from '../../../accounts/billing/model/billing-services.ts';
import type { UsageAnalytics, UsageReader } from '../../../accounts/usage/usage-reader.ts';
import type { Principal } from '../../../api/calls/principal.ts';
import type { AccountServices } from '../../../api/calls/services/account-services.ts';
import { UnavailableError } from '../../../domain/primitives/domain-errors.ts';
import { formatDate } from '../../../domain/primitives/time.ts';
import type { Plan } from '../../../platform/settings/plans-and-packs.ts';
import { creditAmount } from '../formats.ts';
import { jsonResponse, pageResponse, redirect, successFlash } from '../page-responses.ts';
import type { PageResponse, PageRoute, Refusal, SignedInRequest } from '../page-route.ts';
import type { SessionOwner } from '../session-callers.ts';
import { busiestMinute, MAX_COUNTED_CALLS } from '../usage/call-statistics.ts';
import { indexKeyNames } from '../usage/key-names.ts';
import { type AccountLimits, dashboardPage, type RecentUsage } from './dashboard-page.ts';

interface DashboardParts {
  readonly callerOf: SessionOwner;
  readonly accounts: Pick<AccountServices, 'balance' | 'listKeys'>;
  readonly billing: Pick<CustomerBilling, 'overview' | 'rewardDocsVisit'>;
  readonly usage: Pick<UsageReader, 'analytics' | 'page' | 'all'>;
  /** In force now, by slug. */
  readonly plans: () => Readonly<Record<string, Plan>>;
  /** The public address without a trailing slash. */
  readonly baseUrl: () => string;
  /** Milliseconds. */
  readonly now: () => number;
}

const CALLS_SHOWN = 10;
const CALLS_OF_DAYS = 30;
/** UTC days: as many as the longest month has. */
const DAYS_SHOWN = 31;

/** The first page after sign-in, and the reward for reading the documentation. */
export function dashboardRoutes(parts: DashboardParts): readonly PageRoute[] {
  const { callerOf, accounts, billing, usage, plans, baseUrl, now } = parts;

  async function usedLately(accountId: number): Promise<RecentUsage | undefined> {
    const month = formatDate(now()).slice(0, 7);
    try {
      const [{ days }, { calls }, lastDay] = await Promise.all([
        usage.analytics(accountId, DAYS_SHOWN),
        usage.page({ accountId, days: CALLS_OF_DAYS }, 1),
        lastDayOf(accountId),
      ]);
      const ofMonth = days.filter(({ date }) => date.startsWith(month));
      return { days, month: sumOf(ofMonth), calls: calls.slice(0, CALLS_SHOWN), lastDay };
    } catch (error) {
      // Only the usage is missing; the rest of the page is known.
      if (error instanceof UnavailableError) return undefined;
      throw error;
    }
  }

  async function lastDayOf(accountId: number): Promise<RecentUsage['lastDay']> {
    const calls = usage.all({ accountId, days: 1 }, MAX_COUNTED_CALLS);
    let credits = 0;
    async function* summed() {
      for await (const call of calls) {
        credits += call.credits;
        yield call;
      }
    }
    const most = await busiestMinute(summed());
    return { credits, busiestMinute: most };
  }

  function limitsOf({ plan, account }: Principal): AccountLimits {
    const { max_api_keys = null, requests_per_minute = null, daily_credit_cap = null } = plans()[plan] ?? {};
    return {
      keys: max_api_keys,
      requestsPerMinute: account?.requestsPerMinute ?? requests_per_minute,
      // Credits that the operator has given are not capped.
      dailyCredits: account?.order ? null : daily_credit_cap,
    };
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
      limits: limitsOf(caller),
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

function sumOf(days: UsageAnalytics['days']) {
  const sum = { calls: 0, errors: 0, credits: 0 };
  for (const { calls, errors, credits } of days) {
    sum.calls += calls;
    sum.errors += errors;
    sum.credits += credits;
  }
  return sum;
}
