import type { Browser, BrowserContext, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { type Application, application, PASSWORD } from '../account/signed-up-application.ts';
import { complaints, fitsItsWidth, launchBrowser, MANNERS, type Manner } from './browsing.ts';

const GITHUB = { clientId: 'id', clientSecret: 'secret', oauthUrl: 'http://127.0.0.1:9', apiUrl: 'http://127.0.0.1:9' };

let browser: Browser;
let app: Application;
let context: BrowserContext | undefined;
let faults: string[];
let users = 0;
beforeAll(async () => {
  browser = await launchBrowser();
  app = await application({ github: GITHUB }, (port) => `http://127.0.0.1:${port}`);
});
afterEach(() => context?.close());
afterAll(async () => {
  await browser.close();
  await app.close();
});

async function open(path: string, { look, width }: Manner = MANNERS[1]!): Promise<Page> {
  context = await browser.newContext({ viewport: { width, height: 800 }, colorScheme: look, reducedMotion: 'reduce' });
  context.setDefaultTimeout(15_000);
  const page = await context.newPage();
  faults = [];
  page.on('pageerror', ({ message }) => faults.push(message));
  page.on('request', (request) => request.url().startsWith(`${app.url}/`) || faults.push(request.url()));
  await page.goto(app.url + path);
  return page;
}

/** Registers, opens the link of the mail, and signs in, by what the pages offer. */
async function signUp(page: Page): Promise<string> {
  const email = `ann${++users}@a.example`;
  await page.goto(`${app.url}/register?plan=payg`);
  await page.getByLabel('E-mail').fill(email);
  await page.getByLabel('Password').fill(PASSWORD);
  await page.getByRole('button', { name: 'Register' }).click();
  await page.getByRole('status').waitFor();
  await page.goto(app.url + (await app.link(email)));
  await page.getByLabel('Password').fill(PASSWORD);
  await page.getByRole('button', { name: 'Verify' }).click();
  await page.getByText('Your e-mail address is verified.').waitFor();
  await page.getByLabel('E-mail').fill(email);
  await page.getByLabel('Password').fill(PASSWORD);
  await page.getByRole('button', { name: 'Sign in', exact: true }).click();
  await page.waitForURL(`${app.url}/dashboard`);
  return email;
}

const OPEN = [
  '/login',
  '/register',
  '/verify-email',
  '/verify-email?token=x',
  '/forgot-password',
  '/reset-password?token=x',
];

describe('the pages that anybody sees', () => {
  it.each(MANNERS)('are for everybody, in $look at $width px', async (manner) => {
    for (const path of OPEN) {
      const page = await open(path, manner);
      expect([path, await complaints(page), await fitsItsWidth(page), faults]).toEqual([path, [], true, []]);
      await context!.close();
    }
  });

  it('say what was refused', async () => {
    const page = await open('/login');
    await page.getByLabel('E-mail').fill('nobody@a.example');
    await page.getByLabel('Password').fill('a wrong password');
    await page.getByRole('button', { name: 'Sign in', exact: true }).click();
    await page.getByRole('alert').waitFor();
    expect(await page.getByLabel('E-mail').inputValue()).toBe('nobody@a.example');
    expect(await complaints(page)).toEqual([]);
  });
});

describe('the account', () => {
  it.each(MANNERS)('is for everybody, in $look at $width px', async (manner) => {
    const page = await open('/login', manner);
    await signUp(page);
    await page.goto(`${app.url}/account`);
    expect(await complaints(page)).toEqual([]);
    expect(await fitsItsWidth(page)).toBe(true);
    await page.getByLabel('Name').fill('Ann');
    await page.getByLabel('Time zone').selectOption('America/New_York');
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByRole('status').waitFor();
    expect(await page.locator('time').first().textContent()).toMatch(/ E[SD]T$/);
    await page.locator('.account-menu summary').click();
    await page.getByRole('link', { name: 'Sign out' }).click();
    await page.getByRole('heading', { level: 1, name: 'Sign in' }).waitFor();
    expect(faults).toEqual([]);
  });
});
