import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type {
  BillingOverview,
  BillingRequest,
  CustomerBilling,
} from '../../../../src/accounts/billing/model/billing-services.ts';
import type { UsageReader } from '../../../../src/accounts/usage/usage-reader.ts';
import { START } from '../../../support/composed.ts';
import { type OwnerPages, serveOwnerPages } from '../serve-owner-pages.ts';

const PLAIN = {
  plan: { slug: 'free', name: 'Free <Tier>' },
  ends: null,
  autoRecharge: { enabled: false, threshold: null, packId: null, monthlyCapCents: null, notice: null },
  paymentFailed: false,
  testMode: false,
};
const CALL = { at: '2026-03-01T11:00:00Z', status: 200, credits: 0.5, milliseconds: 3, requestId: 'r' };
let overview: Partial<BillingOverview>;
const acts: BillingRequest[] = [];
const asked: unknown[] = [];
let calls: readonly object[];

const billing: Partial<CustomerBilling> = {
  overview: async () => overview as BillingOverview,
  async rewardDocsVisit(act) {
    acts.push(act);
    return acts.length === 1 ? 100 : 0;
  },
};
const usage = {
  async analytics(accountId: number, days: number) {
    asked.push([accountId, days]);
    const day = (date: string, count: number) => ({ date, calls: count, errors: 1, credits: count / 2 });
    return { days: [day('2026-03-01', 1200), day('2026-03-02', 34)], operations: [], keys: [] };
  },
  page: async () => ({ calls, hasMore: false }),
  async *all() {
    yield* calls;
  },
} as unknown as UsageReader;

let pages: OwnerPages;
let accountId: number;
let keyId: number;
beforeAll(async () => {
  pages = await serveOwnerPages({ billing, usage });
});
beforeEach(async () => {
  overview = PLAIN;
  calls = [];
  acts.length = 0;
  asked.length = 0;
  pages.clock.time = START;
  ({ accountId, keyId } = await pages.newAccount());
  pages.signIn('me', accountId);
});
afterAll(() => pages.close());

describe('the dashboard', () => {
  it('shows the balance, the plan, and the calls and credits of this month of UTC', async () => {
    pages.clock.time = Date.parse('2026-03-02T00:30:00Z');
    const text = await pages.show('/dashboard', 'me');
    expect(asked).toEqual([[accountId, 31]]);
    for (const shown of ['>1,000<', 'Free &lt;Tier&gt;', '>1,234<', '>617<']) expect(text).toContain(shown);
  });

  it('says what a day costs, and for how many days the credits last at this rate', async () => {
    const text = await pages.show('/dashboard', 'me');
    // 1,200 and 34 calls of half a credit, on two days.
    expect(text).toMatch(
      /Credits a day<\/h2><p class="stat">309<\/p><p class="facts">Mean of the last 2 days, today included/,
    );
    expect(text).toMatch(/Days left<\/h2><p class="stat">3<\/p><p class="facts">At this rate/);
    expect(text.match(/<svg class="plot"/g)).toHaveLength(2);
  });

  it('has a meter for each limit of the plan', async () => {
    calls = Array.from({ length: 5 }, () => ({ ...CALL, operation: 'get_event', keyId }));
    const text = await pages.show('/dashboard', 'me');
    const meters = [...text.matchAll(/<meter aria-label="([^"]*)"[^>]*>([^<]*)<\/meter>/g)].map(([, name, is]) => [
      name,
      is,
    ]);
    expect(meters).toEqual([
      ['Credits', '0 of 1,000'],
      ['Credits of the last 24 hours', '2.5 of 250'],
      ['Most calls of a key in a minute, last 24 hours', '5 of 20'],
      ['API keys', '1 of 3'],
    ]);
    const { accountId: other } = await pages.newAccount('enterprise');
    pages.signIn('other', other);
    const unlimited = await pages.show('/dashboard', 'other');
    expect(unlimited).toContain('This plan has no limits.');
    expect(unlimited).toContain('Credits are unlimited');
  });

  it('shows the newest calls by their keys’ names, those of a session too', async () => {
    calls = [
      { ...CALL, operation: 'get_event', keyId },
      { ...CALL, operation: null, keyId: null, status: 404 },
      { ...CALL, operation: 'list_sports', keyId: 99_999 },
    ];
    const text = await pages.show('/dashboard', 'me');
    expect(text).toMatch(/get_event<\/td>\s*<td class="wide">test</);
    expect(text).toMatch(/<td>-<\/td>\s*<td class="wide">Session<\/td><td class="number">404</);
    expect(text).toContain('Key 99999');
    // In the user's time zone.
    expect(text).toContain('<time datetime="2026-03-01T11:00:00.000Z">1 Mar 2026, 12:00');
  });

  it('shows a first call with a placeholder, and no secret', async () => {
    const text = await pages.show('/dashboard', 'me');
    expect(text).toContain('curl https://sports.example/v1/sports');
    expect(text).toContain('Bearer YOUR_API_KEY');
    expect(text).not.toMatch(/llk_\w{12}\./);
  });

  it.each<[string, Partial<BillingOverview>, string]>([
    ['a payment that failed', { paymentFailed: true }, 'Two invoices were declined'],
    [
      'automatic purchases that ended',
      { autoRecharge: { ...PLAIN.autoRecharge, notice: 'The card <was> declined.' } },
      'The card &lt;was&gt; declined.',
    ],
    [
      'a plan that ends',
      { ends: { at: '2026-04-01T00:00:00Z', plan: 'free' } },
      'The plan ends on <time datetime="2026-04-01',
    ],
    ['test mode', { testMode: true }, 'no money moves'],
  ])('tells of %s', async (_, more, notice) => {
    expect(await pages.show('/dashboard', 'me')).not.toContain(notice);
    overview = { ...PLAIN, ...more };
    expect(await pages.show('/dashboard', 'me')).toContain(notice);
  });

  it('tells of no credits and of no key', async () => {
    const text = await pages.show('/dashboard', 'me');
    expect(text).not.toMatch(/No credits are left|There is no API key yet/);
    const { accountId: other, keyId: only } = await pages.newAccount('payg');
    pages.signIn('other', other);
    await pages.post(`/api-keys/${only}/revoke`, [], 'other');
    const poor = await pages.show('/dashboard', 'other');
    expect(poor).toContain('No credits are left');
    expect(poor).toContain('There is no API key yet');
  });
});

describe('the first visit to the documentation', () => {
  it('brings the reward and leads there', async () => {
    const answer = await pages.post('/onboarding/docs-visit', [], 'me');
    expect([answer.status, answer.headers.get('location')]).toEqual([303, '/docs']);
    expect(acts).toMatchObject([{ accountId, userId: accountId, requestId: expect.any(String) }]);
  });

  it('tells a program what it has brought, and that another brings nothing', async () => {
    const grants = [];
    for (const _ of [1, 2]) {
      const answer = await pages.post('/onboarding/docs-visit', [], 'me', { accept: 'application/json' });
      grants.push([answer.status, await answer.json()]);
    }
    expect(grants).toEqual([
      [200, { granted: 100 }],
      [200, { granted: 0 }],
    ]);
  });

  it('is for forms of this site', async () => {
    const headers = { 'content-type': 'application/x-www-form-urlencoded' };
    const answer = await pages.ask('/onboarding/docs-visit', { method: 'POST', as: 'me', body: '', headers });
    expect([answer.status, acts]).toEqual([403, []]);
  });
});
