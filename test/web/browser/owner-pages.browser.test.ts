import type { Browser, BrowserContext } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { CustomerBilling } from '../../../src/accounts/billing/model/billing-services.ts';
import type { UsageReader } from '../../../src/accounts/usage/usage-reader.ts';
import { type OwnerPages, serveOwnerPages } from '../account/serve-owner-pages.ts';
import { complaints, fitsItsWidth, launchBrowser, PAGE_SIZES, visit } from './browsing.ts';

/** An address needs no lookup, and nothing is sent to it. */
const DISCORD = 'https://93.184.216.34/api/webhooks/1234567890/abcdefghijkLMNOP';
const LONG = 'a_key_whose_name_has_no_place_to_break_and_is_as_long_as_names_of_keys_may_become_in_this_application';
const overview = {
  plan: { slug: 'free', name: 'Free Tier' },
  ends: { at: '2026-04-01T00:00:00Z', plan: 'free' },
  autoRecharge: {
    enabled: false,
    threshold: null,
    packId: null,
    monthlyCapCents: null,
    notice: 'The card was declined.',
  },
  paymentFailed: true,
  testMode: true,
};
const call = { at: '2026-03-01T11:00:00Z', keyId: null, operation: 'get_player_events', status: 200, credits: 1 };

const DAYS = Array.from({ length: 31 }, (_, index) => ({
  date: `2026-01-${String(index + 1).padStart(2, '0')}`,
  calls: 1000 * index,
  errors: index,
  credits: 2000 * index,
}));

let browser: Browser;
/** Of a program that asks for a key. */
let userCode: string;
let pages: OwnerPages;
beforeAll(async () => {
  browser = await launchBrowser();
  pages = await serveOwnerPages({
    isPlain: true,
    billing: { overview: async () => overview } as unknown as CustomerBilling,
    usage: {
      analytics: async () => ({ days: DAYS, operations: [], keys: [] }),
      async *all() {
        yield { ...call, keyId: 1, milliseconds: 1, requestId: 'r' };
      },
      page: async () => ({ calls: [{ ...call, milliseconds: 1, requestId: 'r' }], hasMore: false }),
    } as unknown as UsageReader,
  });
  const { accountId } = await pages.newAccount('growth');
  pages.signIn('me', accountId);
  await pages.post('/api-keys', [['name', LONG.slice(0, 100)]], 'me');
  const visitor = { ip: '192.0.2.1', userAgent: LONG };
  ({ user_code: userCode } = await pages.server.trials.services.start(visitor, LONG.slice(0, 100)));
  await pages.post(
    '/alerts',
    [
      ['format', 'discord'],
      ['url', DISCORD],
    ],
    'me',
  );
});
afterAll(async () => {
  await browser?.close();
  await pages?.close();
});

const signIn = (context: BrowserContext) => context.addCookies([{ name: 'session', value: 'me', url: pages.url }]);

describe.each(PAGE_SIZES)('pages of an account, $look, $width pixels wide', (manner) => {
  it.each([
    '/dashboard',
    '/api-keys',
    '/api-keys/1/reveal',
    '/device',
    '/device?user_code=BCDF-GHJK',
    '/device?user_code=CODE',
    '/alerts',
    '/alerts/new',
    '/alerts/new?format=discord&about=final&sport=nfl&url=x',
    '/alerts/end?token=wrong',
    '/playground',
    '/playground?operation=list_events',
    '/playground?operation=grade_slip',
  ])('%s has nothing that axe finds, and fits', async (path) => {
    const { page, close } = await visit(browser, pages.url, manner);
    try {
      await signIn(page.context());
      await page.goto(pages.url + path.replace('CODE', userCode));
      expect(await page.locator('h1').count()).toBe(1);
      expect(await complaints(page)).toEqual([]);
      expect(await fitsItsWidth(page)).toBe(true);
    } finally {
      await close();
    }
  });

  it('a key is made, shown and revoked, and a call is run, by forms alone', async () => {
    const { page, faults, close } = await visit(browser, pages.url, manner);
    try {
      await signIn(page.context());
      await page.goto(`${pages.url}/api-keys`);
      await page.getByLabel('Name').fill('');
      await page
        .locator('main form')
        .last()
        .evaluate((form) => form.setAttribute('novalidate', ''));
      await page.getByRole('button', { name: 'Make the key' }).click();
      expect(await page.getByLabel('Name').getAttribute('aria-invalid')).toBe('true');
      expect(await complaints(page)).toEqual([]);
      await page.getByLabel('Name').fill(LONG.slice(0, 60));
      await page.getByLabel('Basketball', { exact: true }).check();
      await page.getByRole('button', { name: 'Make the key' }).click();
      expect(await page.locator('main').textContent()).toMatch(/llk_\w{12}\.[\w-]{43}/);
      expect(await complaints(page)).toEqual([]);
      expect(await fitsItsWidth(page)).toBe(true);
      await page.getByRole('link', { name: 'Your keys' }).click();
      await page.getByRole('button', { name: 'Revoke' }).first().click();
      expect(await page.getByRole('status').textContent()).toContain('is revoked');
      await page.goto(`${pages.url}/playground?operation=list_sports`);
      await page.getByRole('button', { name: 'Run' }).click();
      expect(await page.locator('#answer-status').textContent()).toBe('Status 200');
      expect(await complaints(page)).toEqual([]);
      expect(await fitsItsWidth(page)).toBe(true);
      expect(faults.filter((fault) => !/status of 422/.test(fault))).toEqual([]);
    } finally {
      await close();
    }
  });
});
