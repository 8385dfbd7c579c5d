import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { PASSWORD, type WholeSite, wholeSite } from '../account/whole-application.ts';
import { launchBrowser, MANNERS } from './browsing.ts';
import { walk } from './walking.ts';

const EMAIL = 'ann@sports.example';
const SUSPENDED = 'sue@sports.example';
const pictures = process.env['PICTURES'];

let browser: Browser;
let site: WholeSite;
let resetPath: string;
beforeAll(async () => {
  browser = await launchBrowser();
  site = await wholeSite({ baseUrl: (port) => `http://127.0.0.1:${port}` });
  await site.user(EMAIL);
  const suspended = await site.user(SUSPENDED);
  await site.user('boss@sports.example', { staff: true });
  const boss = await site.signedIn('boss@sports.example');
  await boss.post(`/admin/users/${suspended.id}/toggle`, { active: 'false' });
  const { resetUrl } = (await site.people.operators.reset(EMAIL))!;
  resetPath = resetUrl.slice(new URL(resetUrl).origin.length);
});
afterAll(async () => {
  await browser?.close();
  await site?.close();
  expect(site?.failures).toEqual([]);
});

/** As if the form had come from elsewhere. */
const forge = (page: Page) =>
  page.evaluate(() => {
    for (const field of document.querySelectorAll<HTMLInputElement>('input[name="_csrf"]')) field.value = 'forged';
  });

const heading = (page: Page) => page.locator('h1').textContent();

describe('pages of those who cannot go on', () => {
  it.concurrent.each(MANNERS)('are for everybody, in $look at $width px', async (manner) => {
    const walker = await walk(browser, site.url, manner, { statuses: [402, 403, 404, 410, 422], pictures });
    const { page, open, type, press, button, field } = walker;
    try {
      await open('/nowhere', 404);
      await open('/billing/nowhere', 404);
      await open('/verify-email?token=unknown', 410);
      await open('/reset-password?token=unknown', 410);
      await open(resetPath);
      await type(field('New password'), 'password123');
      await press(button('Set the password'), '/reset-password', 422);
      expect(await field('New password').getAttribute('aria-invalid')).toBe('true');
      await open('/forgot-password');

      await open('/register');
      await type(field('E-mail'), 'new@sports.example');
      await type(field('Password'), 'password123');
      await press(button('Register'), '/register', 422);
      expect(await field('E-mail').inputValue()).toBe('new@sports.example');

      await open('/login');
      await type(field('E-mail'), EMAIL);
      await type(field('Password'), 'a wrong password');
      await press(button('Sign in'), '/login', 422);
      await type(field('E-mail'), SUSPENDED);
      await type(field('Password'), PASSWORD);
      await press(button('Sign in'), '/login', 403);

      await open('/login');
      await type(field('E-mail'), EMAIL);
      await type(field('Password'), PASSWORD);
      await forge(page);
      await press(button('Sign in'), '/login', 403);
      expect(await heading(page)).toBe('Not allowed');

      await open('/login');
      await type(field('E-mail'), EMAIL);
      await type(field('Password'), PASSWORD);
      await press(button('Sign in'), '/dashboard');
      // Not that there are pages of the staff.
      await open('/admin', 404);
      await open('/api-keys/999999/reveal', 404);
      await open('/account');
      await type(field('Name'), 'Ann');
      await forge(page);
      await press(button('Save'), '/account/profile', 403);
      await open('/usage?days=0', 422);
      await open('/billing');
      await press(button('Buy'), '/billing/topup', 402);
    } finally {
      await walker.close();
    }
  });
});
