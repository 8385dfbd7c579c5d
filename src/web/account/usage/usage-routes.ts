import { wrongField } from '../../../domain/refused-act.ts';
import { formatDate } from '../../../domain/time.ts';
import { jsonAnswer } from '../answers.ts';
import type { Refusal, SignedInVisit, SiteAnswer, SiteRoute } from '../visit.ts';
import { analyticsPage, refusedAnalyticsPage } from './analytics-page.ts';
import { callsCsv } from './calls-csv.ts';
import { refusedUsagePage, usagePage } from './usage-page.ts';
import { nameById, type UsagePageParts } from './usage-parts.ts';
import { askedAnalytics, askedUsage } from './usage-query.ts';

/** Rows of a download. */
const MOST_ROWS = 100_000;

/** What an account has called: the calls themselves, and their counts. */
export const usageRoutes = ({ usage, keysOf, now }: UsagePageParts): readonly SiteRoute[] => [
  {
    method: 'GET',
    path: '/usage',
    access: 'signed-in',
    async run(visit): Promise<SiteAnswer> {
      const { query, session } = visit;
      const { accountId, timezone } = session.user;
      const asked = askedUsage(query);
      if (asked.refusal)
        return refused(visit, asked.refusal, async (refusal) =>
          refusedUsagePage(query, await keysOf(accountId), refusal),
        );
      const { filter, page: number, isCsv } = asked.value;
      const keys = await keysOf(accountId);
      if (isCsv) {
        const rows = callsCsv(usage.all({ ...filter, accountId }, MOST_ROWS), nameById(keys));
        return {
          kind: 'file',
          type: 'text/csv; charset=utf-8',
          name: `usage-${formatDate(now())}.csv`,
          body: await begun(rows),
        };
      }
      const { calls, hasMore } = await usage.page({ ...filter, accountId }, number);
      return usagePage({ query, keys, timezone, number, calls, hasMore });
    },
  },
  {
    method: 'GET',
    path: '/analytics',
    access: 'signed-in',
    async run(visit): Promise<SiteAnswer> {
      const { query, session } = visit;
      const { accountId } = session.user;
      const asked = askedAnalytics(query);
      if (asked.refusal) return refused(visit, asked.refusal, async (refusal) => refusedAnalyticsPage(query, refusal));
      const { days, isJson } = asked.value;
      const analytics = await usage.analytics(accountId, days);
      return isJson ? jsonAnswer(analytics) : analyticsPage(query, analytics, await keysOf(accountId));
    },
  },
];

/** Programs are told as the API tells them. */
function refused(
  { wantsJson }: SignedInVisit,
  refusal: Refusal,
  show: (refusal: Refusal) => Promise<SiteAnswer>,
): Promise<SiteAnswer> {
  const [[name, message] = ['', refusal.message]] = Object.entries(refusal.fields);
  if (wantsJson) throw wrongField(name, message);
  return show(refusal);
}

/** The same with its first piece there already: what fails then is answered, and not broken off. */
async function begun(pieces: AsyncGenerator<string>): Promise<AsyncIterable<string>> {
  const first = await pieces.next();
  return (async function* () {
    if (!first.done) yield first.value;
    yield* pieces;
  })();
}
