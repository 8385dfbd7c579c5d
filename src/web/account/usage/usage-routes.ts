import { invalidField } from '../../../domain/primitives/domain-errors.ts';
import { formatDate } from '../../../domain/primitives/time.ts';
import { jsonResponse } from '../page-responses.ts';
import type { PageResponse, PageRoute, Refusal, SignedInRequest } from '../page-route.ts';
import { analyticsPage, refusedAnalyticsPage } from './analytics-page.ts';
import { readCallStatistics } from './call-statistics.ts';
import { callsCsv } from './calls-csv.ts';
import { indexKeyNames, type UsagePageParts } from './key-names.ts';
import { refusedUsagePage, usagePage } from './usage-page.ts';
import { readAnalyticsQuery, readUsageQuery } from './usage-query.ts';

/** Rows of a download. */
const MAX_CSV_ROWS = 100_000;

/** The calls of an account, and their counts. */
export const usageRoutes = ({ usage, keysOf, now }: UsagePageParts): readonly PageRoute[] => [
  {
    method: 'GET',
    path: '/usage',
    access: 'signed-in',
    async run(visit): Promise<PageResponse> {
      const { query, session } = visit;
      const { accountId, timezone } = session.user;
      const result = readUsageQuery(query);
      if (result.refusal)
        return answerRefusal(visit, result.refusal, async (refusal) =>
          refusedUsagePage(query, await keysOf(accountId), refusal),
        );
      const { filter, page: number, isCsv } = result.value;
      const keys = await keysOf(accountId);
      if (isCsv) {
        const rows = callsCsv(usage.all({ ...filter, accountId }, MAX_CSV_ROWS), indexKeyNames(keys));
        return {
          kind: 'file',
          type: 'text/csv; charset=utf-8',
          name: `usage-${formatDate(now())}.csv`,
          body: await readFirstPiece(rows),
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
    async run(visit): Promise<PageResponse> {
      const { query, session } = visit;
      const { accountId } = session.user;
      const result = readAnalyticsQuery(query);
      if (result.refusal)
        return answerRefusal(visit, result.refusal, async (refusal) => refusedAnalyticsPage(query, refusal));
      const { days, isJson } = result.value;
      const analytics = await usage.analytics(accountId, days);
      if (isJson) return jsonResponse(analytics);
      const statistics = await readCallStatistics(usage, accountId, days, now());
      return analyticsPage(query, analytics, await keysOf(accountId), statistics);
    },
  },
];

/** Clients that ask for JSON get the API's error. */
function answerRefusal(
  { wantsJson }: SignedInRequest,
  refusal: Refusal,
  show: (refusal: Refusal) => Promise<PageResponse>,
): Promise<PageResponse> {
  const [[name, message] = ['', refusal.message]] = Object.entries(refusal.fields);
  if (wantsJson) throw invalidField(name, message);
  return show(refusal);
}

/** Waits for the first piece, so that an early failure is answered with an error instead of a broken download. */
async function readFirstPiece(pieces: AsyncGenerator<string>): Promise<AsyncIterable<string>> {
  const first = await pieces.next();
  return (async function* () {
    if (!first.done) yield first.value;
    yield* pieces;
  })();
}
