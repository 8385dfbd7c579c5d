import { afterAll, beforeAll, expect, it } from 'vitest';
import { type TestBrowser, type WholeSite, wholeSite } from '../whole-application.ts';

const EMAIL = 'ann@x.example';

let site: WholeSite;
let browser: TestBrowser;
beforeAll(async () => {
  site = await wholeSite();
  await site.user(EMAIL);
  await site.user('staff@x.example', { staff: true });
  const staff = await site.signedIn('staff@x.example');
  await staff.post('/admin/coupons', { code: 'GIFT-250', kind: 'credits', value: '25000' });
  browser = await site.signedIn(EMAIL);
  await browser.post('/api-keys', { name: 'first' });
  await browser.post('/billing/payment-method', { payment_method: 'ok' });
  await browser.post('/billing/topup', { pack_id: '1' });
  await browser.post('/billing/coupon', { code: 'GIFT-250' });
  await browser.post('/playground', { operation: 'list_sports' });
});
afterAll(() => site.close());

const told = async () => JSON.parse((await browser.get('/account/export')).text);

/** Names and values of all members, however deep. */
function* membersOf(value: unknown): Generator<readonly [string, unknown]> {
  if (typeof value !== 'object' || value === null) return;
  for (const [name, member] of Object.entries(value)) {
    if (!Array.isArray(value)) yield [name, member];
    yield* membersOf(member);
  }
}

it('the export has the words and shapes of the API: snake_case, ISO times, ids as integers', async () => {
  const all = [...membersOf(await told())];
  expect(all.length).toBeGreaterThan(60);
  expect(all.map(([name]) => name).filter((name) => !/^[a-z][a-z0-9]*(?:_[a-z0-9]+)*$/.test(name))).toEqual([]);
  const ids = all.filter(([name]) => /^id$|_id$/.test(name) && !['request_id', 'github_id'].includes(name));
  expect(ids.filter(([, id]) => id !== null && !Number.isInteger(id))).toEqual([]);
  const times = all.filter(([name]) => /^at$|_at$/.test(name)).map(([, time]) => time);
  expect(
    times.filter((time) => time !== null && !/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d{1,3})?Z$/.test(String(time))),
  ).toEqual([]);
});

it('the ledger has words and no raw records', async () => {
  const { ledger, invoices, keys } = await told();
  expect(new Set(ledger.map(({ type }: { type: string }) => type))).toEqual(new Set(['grant', 'top_up', 'charge']));
  expect(ledger.find(({ type }: { type: string }) => type === 'charge')).toEqual({
    at: expect.any(String),
    type: 'charge',
    credits: expect.any(Number),
    about: 'list_sports',
    request_id: expect.any(String),
    key_id: null,
  });
  expect(JSON.stringify(ledger)).not.toMatch(/position|"data"|Credits[A-Z]/);
  expect([keys.length, invoices.length]).toEqual([1, 1]);
});

it('/billing shows the balance, and numbers are written in one way', async () => {
  const { text } = await browser.get('/billing');
  const { account } = await told();
  const shown = new Intl.NumberFormat('en-US', { maximumFractionDigits: 1 });
  expect(text).toContain(`<strong class="stat">${shown.format(account.total_remaining)} credits</strong> left`);
  expect(text).not.toMatch(/\b\d{4,} credits/);
  expect(text).toMatch(/\d,\d{3} credits/);
});

it('credits of a coupon do not raise the limit of the plan, whether they are left or spent', async () => {
  const { account } = await told();
  expect(account.credit_limit).toBe(1000);
  expect(account.credit_limit + account.bonus_credits - account.credits_used).toBe(account.total_remaining);
});
