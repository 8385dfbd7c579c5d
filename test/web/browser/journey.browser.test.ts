import { readFileSync } from 'node:fs';
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { NFL, schedule } from '../../api/spec/messages.ts';
import { linkIn, type WholeSite, wholeSite } from '../account/whole-application.ts';
import { launchBrowser, MANNERS, type Manner } from './browsing.ts';
import { type Walk, type WalkOptions, walk } from './walking.ts';

/* The whole way of somebody who comes to this server, from the registration to the end of the account. */

const PASSWORD = 'a fine long password';
const NEW_PASSWORD = 'another fine password';
const pictures = process.env['PICTURES'];

let browser: Browser;
let site: WholeSite;
beforeAll(async () => {
  browser = await launchBrowser();
  site = await wholeSite({ baseUrl: (port) => `http://127.0.0.1:${port}` });
});
afterAll(async () => {
  await browser?.close();
  await site?.close();
  expect(site?.failures).toEqual([]);
});

/** Path of the link in the mail that has come to this address. */
async function mailedTo(email: string): Promise<string> {
  await site.server.people.resume();
  return vi.waitFor(
    () => {
      const mail = site.mails.find(({ to }) => to === email);
      if (!mail) throw new Error(`no mail to ${email}`);
      return linkIn(mail);
    },
    { timeout: 20_000, interval: 20 },
  );
}

async function journey(walker: Walk, email: string, hasScripts: boolean): Promise<void> {
  const { page, follow, menu, press, type, choose, tick, open, leave, section, button, link, field, told } = walker;

  await open('/login');
  await follow(link('Register', page.locator('main')), '/register');
  await type(field('E-mail'), email);
  await type(field('Name (optional)'), 'Ann Walker');
  await type(field('Password'), PASSWORD);
  await press(button('Register'), '/verify-email');
  expect(await told()).toContain('We have sent you a mail');
  const letter = await mailedTo(email);
  await page.goto(site.url + letter);
  await type(field('Password'), PASSWORD);
  await press(button('Verify'), '/login');
  expect(await told()).toContain('verified');

  await type(field('E-mail'), email);
  await type(field('Password'), PASSWORD);
  await press(button('Sign in'), '/dashboard');
  await leave(button('Open the documentation'), '/docs');
  expect(await told()).toBe('100 credits were added.');
  // The reference is the same for everybody: it does not know who reads it unless a script asks.
  await (hasScripts ? menu('Dashboard', '/dashboard') : follow(link('Account'), '/dashboard'));
  expect(await section('Credits left').locator('.stat').textContent()).toBe('1,100');
  await follow(link('Make an API key'), '/api-keys');

  await type(field('Name'), 'My first key');
  await tick(field('Basketball'));
  await press(button('Make the key'), /^\/api-keys\/\d+\/reveal$/);
  const key = /llk_\w{12}\.[\w-]{43}/.exec((await page.locator('main').textContent())!)![0];
  const call = () => fetch(`${site.url}/v1/sports`, { headers: { authorization: `Bearer ${key}` } });
  expect((await call()).status).toBe(200);
  await follow(link('Your keys'), '/api-keys');
  await press(button('Revoke'), '/api-keys');
  expect(await told()).toContain('is revoked');

  await menu('Playground', '/playground');
  await choose(field('Call'), 'list_sports');
  await press(button('Choose'), '/playground?operation=list_sports');
  await press(button('Run'), '/playground');
  expect(await page.locator('#answer-status').textContent()).toBe('Status 200');

  await menu('Billing', '/billing');
  await press(button('Put the card on file'), '/billing');
  expect(await told()).toBe('The card is on file.');
  await press(button('Buy', section('Buy credits')), '/billing');
  expect(await told()).toContain('The pack is paid');
  const receipt = await walker.download(link(/^Receipt LL-2026-\d{6}$/));
  expect(receipt.suggestedFilename()).toMatch(/^LL-2026-\d{6}\.pdf$/);
  expect(readFileSync(await receipt.path(), 'latin1').slice(0, 5)).toBe('%PDF-');

  await site.server.accounts.credits.flush();
  await site.core.projected();
  await menu('Dashboard', '/dashboard');
  expect(await section('Calls this month').locator('.stat').textContent()).toBe('2');
  expect(Number((await section('Credits left').locator('.stat').textContent())!.replace(/,/g, ''))).toBeGreaterThan(
    1000,
  );
  await menu('Usage', '/usage');
  expect(await page.locator('main tbody tr').count()).toBe(2);
  await menu('Analytics', '/analytics');

  await menu('Account', '/account');
  await type(field('Name'), 'Ann Elsewhere');
  await choose(field('Time zone'), 'Africa/Cairo');
  await press(button('Save'), '/account');
  expect(await told()).toBe('Saved.');
  const password = section('Password');
  await type(field('Current password', password), PASSWORD);
  await type(field('New password', password), NEW_PASSWORD);
  await press(button('Change the password'), '/account');
  expect(await told()).toContain('Your password is changed.');

  await menu('Sign out', '/login');
  expect(await told()).toBe('You are signed out.');
  await type(field('E-mail'), email);
  await type(field('Password'), NEW_PASSWORD);
  await press(button('Sign in'), '/dashboard');
  await menu('Account', '/account');
  await type(field('Current password', section('Delete the account')), NEW_PASSWORD);
  await leave(button('Delete my account'), '/');
  expect(await told()).toBe('Your account is deleted.');
  await page.reload();
  expect(await page.locator('[role="status"]').count()).toBe(0);
  await page.goto(`${site.url}/dashboard`);
  expect(new URL(page.url()).pathname).toBe('/login');
}

async function walkIt(name: string, manner: Manner, options: WalkOptions = {}): Promise<void> {
  const walker = await walk(browser, site.url, manner, { ...options, pictures });
  try {
    await journey(walker, `${name}@sports.example`, options.scripts ?? true);
  } finally {
    await walker.close();
  }
}

describe.concurrent('the whole way, from registering to deleting the account', () => {
  it.each(MANNERS)('in $look at $width px', (manner) => walkIt(`${manner.look}-${manner.width}`, manner));

  it('with the keyboard alone', () =>
    walkIt('keyboard', { look: 'light', width: 1280 }, { hands: 'keyboard', axe: false }));

  it('with the keyboard alone, a bet is kept, changed and deleted, and an alert is made and ended', async () => {
    const startsAt = new Date(site.clock.time + 3_600_000).toISOString();
    const at = new Date(site.clock.time - 3_600_000).toISOString();
    const game = schedule(NFL, 'of-keyboard', ['Kansas City Chiefs', 'Denver Broncos'], startsAt, { at });
    await site.core.intake!.accept([{ line: 1, value: game }]);
    await site.core.projected();
    await site.user('bettor@sports.example');
    const hands = { hands: 'keyboard', axe: false, statuses: [422] } as const;
    const walker = await walk(browser, site.url, { look: 'dark', width: 1280 }, hands);
    const { page, open, type, press, follow, field, button, link, told } = walker;
    try {
      const value = (await site.signedIn('bettor@sports.example')).session()!;
      await page.context().addCookies([{ name: 'session', value, url: site.url }]);
      await open('/bets');
      await type(field('Bet'), 'Broncos +3.5');
      await type(field('Price'), 'much');
      await type(field('Stake'), '50');
      await type(field('Book'), 'pinnacle');
      await press(button('Keep the bet'), '/bets', 422);
      expect(await field('Price').getAttribute('aria-invalid')).toBe('true');
      await type(field('Price'), '1.91');
      await press(button('Keep the bet'), '/bets');
      await follow(link('Something wrong? Change it.'), /^\/bets\/\d+$/);
      await type(field('Stake'), '5');
      await press(button('Save'), '/bets');
      expect(await page.locator('main tbody').first().textContent()).toContain('5.00');
      await open((await page.getByRole('link', { name: /^Change Denver Broncos/ }).getAttribute('href'))!);
      await press(button('Delete the bet'), '/bets');
      expect(await told()).toBe('The bet is deleted.');

      await open('/alerts/new?format=email');
      expect(await field('Its address (not by mail)').isVisible()).toBe(false);
      await press(button('Make the alert'), '/alerts');
      await press(button('End'), '/alerts');
      expect(await told()).toMatch(/^The alert \d+ has ended\.$/);
      await walker.turn(page.locator('.account-menu summary'));
      for (let stops = 0; stops < 12; stops++) await page.keyboard.press('Tab');
      expect(await page.locator('.account-menu').getAttribute('open')).toBeNull();
    } finally {
      await walker.close();
    }
  });

  it('without scripts', () => walkIt('no-scripts', { look: 'dark', width: 360 }, { scripts: false }));
});
