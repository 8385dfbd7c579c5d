import type { Browser } from 'playwright-core';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { complaints, fitsItsWidth, focused, launchBrowser, MANNERS, tabTo, type Visit, visit } from './browsing.ts';
import { type RunningServer, runServer } from './demo-server.ts';

let server: RunningServer;
let browser: Browser;
let open: Visit | undefined;

beforeAll(async () => {
  browser = await launchBrowser();
  server = await runServer({ FEEDS: 'none' });
});
afterEach(async () => {
  await open?.close();
  open = undefined;
});
afterAll(async () => {
  await browser?.close();
  await server?.stop();
});

describe('the documentation', () => {
  // axe takes its time with a long page: each look and each width once.
  const manners = MANNERS.filter(({ look, width }) => (look === 'light') === width < 600);
  it.each(manners)('has nothing that axe finds, in the $look look, $width pixels wide', async (manner) => {
    open = await visit(browser, server.url, manner);
    for (const path of ['/docs', '/docs/errors', '/docs/errors/sport_scope_denied']) {
      await open.page.goto(server.url + path);
      expect([path, await complaints(open.page)]).toEqual([path, []]);
      expect([path, await fitsItsWidth(open.page)]).toEqual([path, true]);
    }
    expect(open.faults).toEqual([]);
  });

  it('is searched with the keyboard alone', async () => {
    open = await visit(browser, server.url, { look: 'light', width: 1280 });
    const { page } = open;
    await page.goto(`${server.url}/docs`);
    const shown = () => page.locator('main .operation:visible').count();
    const all = await shown();
    await page.keyboard.press('/');
    await page.keyboard.type('odds hist');
    expect([await shown(), await page.textContent('.search output')]).toEqual([2, '2 operations']);
    await tabTo(page, '.contents a[href="#get_odds_history"]');
    await page.keyboard.press('Enter');
    await page.waitForFunction(() => location.hash === '#get_odds_history');
    await tabTo(page, '#get_odds_history pre');
    expect(await focused(page)).toContain('/v1/events/1/odds/history');
    await page.keyboard.press('/');
    await page.keyboard.press('Escape');
    expect(await shown()).toBe(all);
  });

  it('is all there without scripts', async () => {
    open = await visit(browser, server.url, { look: 'dark', width: 360 }, { javaScriptEnabled: false });
    await open.page.goto(`${server.url}/docs`);
    expect(await open.page.locator('.search').isVisible()).toBe(false);
    expect(await open.page.locator('main .operation').count()).toBeGreaterThan(15);
    expect(await open.page.locator('.contents a').first().isVisible()).toBe(true);
  });
});
