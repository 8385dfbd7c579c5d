import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { PASSWORD, type WholeSite, wholeSite } from '../account/whole-application.ts';
import { launchBrowser, MANNERS } from './browsing.ts';
import { type Walk, type WalkOptions, walk } from './walking.ts';

const STAFF = 'staff@sports.example';
const LONG = `${'a-part-of-an-address-without-a-place-to-break'.slice(0, 40)}.${'x'.repeat(23)}@${'long-name-of-a-host.'.repeat(4)}example`;
const pictures = process.env['PICTURES'];

let browser: Browser;
let site: WholeSite;
let userId: number;
let accountId: number;
beforeAll(async () => {
  browser = await launchBrowser();
  site = await wholeSite({ baseUrl: (port) => `http://127.0.0.1:${port}` });
  await site.user(STAFF, { staff: true, name: 'Sam Staff' });
  const user = await site.user(LONG, { name: 'NameWithoutAPlaceToBreak'.repeat(4) });
  userId = user.id;
  accountId = user.accountId!;
  const theirs = await site.signedIn(LONG);
  await theirs.post('/billing/payment-method', { payment_method: 'ok' });
  await theirs.post('/billing/topup', { pack_id: '1' });
  const staff = await site.signedIn(STAFF);
  await staff.post('/admin/coupons', { code: 'C'.repeat(40), kind: 'percent', value: '20', max_uses: '1000000' });
  await staff.post(`/admin/users/${userId}/rate-limit`, { requests_per_minute: '1000' });
});
afterAll(async () => {
  await browser?.close();
  await site?.close();
  expect(site?.failures).toEqual([]);
});

/** Somebody of the staff, at the first of their pages. */
async function asStaff(manner: (typeof MANNERS)[number], options: WalkOptions, work: (walker: Walk) => Promise<void>) {
  const walker = await walk(browser, site.url, manner, { ...options, pictures });
  const { page, open, type, leave, field, button } = walker;
  try {
    await open('/login?next=/admin');
    await type(field('E-mail'), STAFF);
    await type(field('Password'), PASSWORD);
    await leave(button('Sign in'), '/admin');
    await page.waitForLoadState();
    await work(walker);
  } finally {
    await walker.close();
  }
}

describe('the pages of the staff', () => {
  it.concurrent.each(MANNERS)('are for everybody, in $look at $width px', (manner) =>
    asStaff(manner, { statuses: [422] }, async ({ open }) => {
      await open('/admin');
      await open('/admin/users');
      await open('/admin/users?q=nobody+has+this');
      await open('/admin/users?page=none', 422);
      await open(`/admin/users/${userId}`);
      await open('/admin/customers');
      await open(`/admin/customers/${accountId}`);
      await open('/admin/coupons');
      await open('/admin/plans');
      await open('/admin/plans?new=team');
      await open('/admin/settings');
      await open('/admin/security');
      await open('/admin/security?severity=none', 422);
    }),
  );

  it('are worked with the keyboard alone', () =>
    asStaff({ look: 'light', width: 1280 }, { hands: 'keyboard', axe: false, statuses: [422] }, async (walker) => {
      const { page, follow, press, type, choose, link, field, button, section, told } = walker;
      const staffLinks = page.getByRole('navigation', { name: 'Staff' });
      const open = async (summary: string) => {
        await walker.turn(page.locator('summary').filter({ hasText: summary }).first());
      };

      await follow(link('Users', staffLinks), '/admin/users');
      await type(field('E-mail or name'), 'long-name');
      await press(button('Search'), '/admin/users?q=long-name');
      await follow(link(LONG), `/admin/users/${userId}`);
      await type(field('Requests a minute'), '0');
      await press(button('Set the limit'), `/admin/users/${userId}/rate-limit`, 422);
      expect(await field('Requests a minute').getAttribute('aria-invalid')).toBe('true');
      await type(field('Requests a minute'), '50');
      await press(button('Set the limit'), `/admin/users/${userId}`);
      await open('Suspend this user');
      await press(button('Suspend'), `/admin/users/${userId}`);
      await press(button('Make active again'), `/admin/users/${userId}`);

      await follow(link('Customers', staffLinks), '/admin/customers');
      await follow(link(String(accountId)), `/admin/customers/${accountId}`);
      await type(field('Credits to give'), '250');
      await type(field('Reason'), 'asked for');
      await press(button('Change'), `/admin/customers/${accountId}`);
      expect(await section('Ledger').textContent()).toContain('250');

      await follow(link('Coupons', staffLinks), '/admin/coupons');
      await type(field('Code'), 'SPRING');
      await choose(field('Kind'), 'percent');
      await type(field('Value'), '10');
      await press(button('Make the coupon'), '/admin/coupons');
      expect(await told()).toBe('The coupon SPRING is there.');
      const row = page.getByRole('row').filter({ hasText: 'SPRING' });
      await press(button('Switch off', row), '/admin/coupons');
      await open('Delete SPRING');
      await press(button('Delete for good', row), '/admin/coupons');
      expect(await row.count()).toBe(0);

      await follow(link('Plans', staffLinks), '/admin/plans');
      await type(field('Name in addresses and commands'), 'team');
      await press(button('Go on'), '/admin/plans?new=team');
      await type(field('Name', section('New plan')), 'Team');
      await press(button('Save', section('New plan')), '/admin/plans');
      expect(await page.getByRole('row').filter({ hasText: 'Team' }).count()).toBe(1);

      await follow(link('Settings', staffLinks), '/admin/settings');
      await type(field('Credits in 24 hours'), '90');
      await press(button('Save'), '/admin/settings');
      expect(await field('Credits in 24 hours').inputValue()).toBe('90');

      await follow(link('Security log', staffLinks), '/admin/security');
      await choose(field('Severity'), 'critical');
      await press(button('Filter'), '/admin/security?severity=critical&event_type=&ip=');
      expect(await page.locator('main').textContent()).toContain('account_suspended');
    }));
});
