import type { Browser } from 'playwright-core';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { complaints, focused, launchBrowser, PATIENCE, SOON, type Visit, visit } from './browsing.ts';
import { DEMO, type RunningServer, runServer } from './demo-server.ts';

const MANNER = { look: 'light', width: 1280 } as const;
let demo: RunningServer;
let empty: RunningServer;
let browser: Browser;
let open: Visit | undefined;

beforeAll(async () => {
  browser = await launchBrowser();
  demo = await runServer(DEMO);
  empty = await runServer({ FEEDS: 'none' });
});
afterEach(async () => {
  await open?.close();
  open = undefined;
});
afterAll(async () => {
  await browser?.close();
  await demo?.stop();
  await empty?.stop();
});

describe('the live page', () => {
  it('tells what to do where there is no event', async () => {
    open = await visit(browser, empty.url, MANNER);
    await open.page.waitForSelector('text=No events yet', SOON);
    expect(await open.page.textContent('.ways-in')).toContain('FEEDS=demo npm start');
    expect(await complaints(open.page)).toEqual([]);
  });

  it('says that what it shows is simulated, once for all and on each event', async () => {
    open = await visit(browser, demo.url, MANNER);
    await open.page.waitForSelector('.event', SOON);
    expect(await open.page.textContent('.simulated-banner')).toContain('Simulated');
    expect(await open.page.locator('.event .simulated-mark').count()).toBe(await open.page.locator('.event').count());
  });

  it('says when it is offline, comes back by itself, and goes on showing what changes', async () => {
    open = await visit(browser, demo.url, MANNER);
    const { page } = open;
    await page.waitForSelector('.connection-live', SOON);
    await page.context().setOffline(true);
    await page.waitForSelector('.connection-offline', SOON);
    await page.context().setOffline(false);
    await page.waitForSelector('.connection-live', PATIENCE);
    const before = await page.textContent('main');
    await page.waitForFunction((text) => document.querySelector('main')!.textContent !== text, before, PATIENCE);
  });

  it('says when the board cannot be loaded, and loads it when asked again', async () => {
    open = await visit(browser, empty.url, MANNER);
    const { page } = open;
    await page.route('**/live/board*', (route) =>
      route.fulfill({ status: 503, body: '{"error":{"message":"Later."}}' }),
    );
    await page.goto(`${demo.url}/`);
    await page.waitForSelector('text=The board cannot be loaded', SOON);
    expect(await page.textContent('.notice')).toContain('Later.');
    await page.unroute('**/live/board*');
    await page.click('text=Try again');
    await page.waitForSelector('.event', SOON);
  });

  it('reads scores out, now and then', async () => {
    open = await visit(browser, demo.url, MANNER);
    const said = open.page.locator('[aria-live=polite]');
    await open.page.waitForFunction(
      () => /\d/.test(document.querySelector('[aria-live=polite]')?.textContent ?? ''),
      undefined,
      PATIENCE,
    );
    expect((await said.textContent())!.length).toBeLessThan(500);
  });

  it('goes from event to event with j and k, and to the day and the event that an address names', async () => {
    open = await visit(browser, demo.url, MANNER);
    const { page } = open;
    await page.waitForSelector('.event', SOON);
    const first = await page.getAttribute('.event-link >> nth=0', 'id');
    await page.keyboard.press('j');
    expect(await page.evaluate(() => document.activeElement!.id)).toBe(first);
    await page.keyboard.press('j');
    await page.keyboard.press('k');
    expect(await page.evaluate(() => document.activeElement!.id)).toBe(first);
    await page.keyboard.press('Enter');
    await page.waitForSelector('.story-chart svg', SOON);
    const name = await page.textContent('h1');
    await page.reload();
    await page.waitForSelector('.story-chart svg', SOON);
    expect(await page.textContent('h1')).toBe(name);
    expect(await focused(page)).toContain(name!);
    await page.goBack();
    await page.waitForSelector('.event', SOON);
  });
});
