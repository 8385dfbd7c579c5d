import { gzipSync } from 'node:zlib';
import type { Browser, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import {
  complaints,
  fitsItsWidth,
  focused,
  launchBrowser,
  layoutFaults,
  PAGE_SIZES,
  SOON,
  tabTo,
  type Visit,
  visit,
} from './browsing.ts';
import { DEMO, type RunningServer, runServer } from './demo-server.ts';

const PAGES = [
  ...['/', '/odds', '/forecasts', '/forecasts/markets', '/grade', '/docs/errors', '/client', '/login', '/register'],
  '/nothing/here',
];

let server: RunningServer;
let browser: Browser;
let open: Visit | undefined;

beforeAll(async () => {
  browser = await launchBrowser();
  server = await runServer(DEMO);
});
afterEach(async () => {
  await open?.close();
  open = undefined;
});
afterAll(async () => {
  await browser?.close();
  await server?.stop();
});

const isDrawn = (page: Page) => page.waitForSelector('main h1, main h2', SOON);

const FRAME = '.site-header :is(a, button, summary, p), .site-footer a';

describe('every page', () => {
  it.each(PAGE_SIZES)(
    'has one header and no fault of layout, in the $look look, $width pixels wide',
    async (manner) => {
      open = await visit(browser, server.url, manner);
      const { page } = open;
      for (const path of PAGES) {
        await page.goto(server.url + path);
        await isDrawn(page);
        await page.waitForSelector('.account:has([href="/login"])', SOON);
        expect([path, await page.locator('.site-header').count(), await page.locator('h1').count()]).toEqual([
          path,
          1,
          1,
        ]);
        // All of it fits beside each other.
        expect([path, (await page.locator('.site-header').boundingBox())!.height]).toEqual([path, 53]);
        expect([path, await page.getAttribute('html', 'data-look')]).toEqual([path, manner.look]);
        expect([path, await fitsItsWidth(page), await layoutFaults(page, FRAME)]).toEqual([path, true, []]);
        // What axe looks at depends on the width only where the header changes.
        if (manner.width === 380 || manner.width === 1280) expect([path, await complaints(page)]).toEqual([path, []]);
      }
      expect(open.faults.filter((fault) => !fault.includes('status of 404'))).toEqual([]);
    },
  );

  it('loads at most 170 kB, compressed', async () => {
    open = await visit(browser, server.url, { look: 'light', width: 1280 });
    const { page } = open;
    for (const path of [...PAGES, '/docs']) {
      await page.goto(server.url + path);
      await isDrawn(page);
      const loaded = await page.evaluate(() => performance.getEntriesByType('resource').map(({ name }) => name));
      const files = [server.url + path, ...loaded.filter((url) => url.startsWith('http') && !url.includes('/stream'))];
      let total = 0;
      for (const url of new Set(files)) {
        const answer = await fetch(url, { headers: { accept: 'text/html, */*' } });
        total += gzipSync(await answer.arrayBuffer()).length;
      }
      expect([path, total > 3000 && total < 170_000]).toEqual([path, true]);
    }
  });
});

describe('the header', () => {
  it.each([360, 380, 800])('keeps its height whatever the connection does, %d pixels wide', async (width) => {
    open = await visit(browser, server.url, { look: 'light', width });
    const { page } = open;
    const height = async () => (await page.locator('.site-header').boundingBox())!.height;
    let release = () => {};
    const released = new Promise<void>((resolve) => {
      release = resolve;
    });
    await page.route('**/live/stream*', async (route) => {
      await released;
      await route.abort();
    });
    for (const path of ['/', '/odds']) {
      await page.goto(server.url + path);
      await page.waitForSelector('.connection-connecting', { ...SOON, state: 'attached' });
      await page.waitForSelector('.account:has([href="/login"])', SOON);
      expect([path, 'connecting', await height()]).toEqual([path, 'connecting', 53]);
      expect(await fitsItsWidth(page)).toBe(true);
    }
    release();
    await page.waitForSelector('.connection-reconnecting', { ...SOON, state: 'attached' });
    expect(['reconnecting', await height()]).toEqual(['reconnecting', 53]);
    await page.context().setOffline(true);
    await page.waitForSelector('.connection-offline', { ...SOON, state: 'attached' });
    expect(['offline', await height(), await fitsItsWidth(page)]).toEqual(['offline', 53, true]);
  });

  it('is walked through with the keyboard', async () => {
    open = await visit(browser, server.url, { look: 'light', width: 1280 });
    const { page } = open;
    await page.goto(`${server.url}/forecasts`);
    await page.waitForSelector('.account:has([href="/login"])', SOON);
    const stops: string[] = [];
    for (let stop = 0; stop < 10; stop++) {
      await page.keyboard.press('Tab');
      stops.push((await focused(page)).replace(/^\S+ /, '').replace(/^.* (?=Skip|Ledgerline|Switch|Sign)/, ''));
    }
    expect(stops.map((stop) => stop.trim())).toEqual([
      ...['Skip to the forecasts', 'Ledgerline', 'Live', 'Odds', 'Forecasts', 'Grade', 'Docs'],
      // The field of the search has no text.
      ...['', 'Switch to the dark look', 'Sign in'],
    ]);
  });

  it('folds its links behind a button on a phone, which Escape closes', async () => {
    open = await visit(browser, server.url, { look: 'dark', width: 380 });
    const { page } = open;
    await page.goto(`${server.url}/forecasts`);
    const navigation = page.locator('.site-navigation');
    expect(await navigation.isVisible()).toBe(false);
    await tabTo(page, '.menu-button');
    await page.keyboard.press('Enter');
    expect(await navigation.isVisible()).toBe(true);
    expect(await layoutFaults(page, FRAME)).toEqual([]);
    expect(await complaints(page)).toEqual([]);
    await page.keyboard.press('Tab');
    expect(await focused(page)).toContain('Live');
    await page.keyboard.press('Escape');
    expect(await navigation.isVisible()).toBe(false);
    expect(await focused(page)).toContain('Menu');
  });

  it('shows its links on a phone without scripts, and the way to the account', async () => {
    open = await visit(browser, server.url, { look: 'light', width: 380 }, { javaScriptEnabled: false });
    const { page } = open;
    await page.goto(`${server.url}/forecasts`);
    expect(await page.locator('.site-navigation a').allTextContents()).toEqual([
      'Live',
      'Odds',
      'Forecasts',
      'Grade',
      'Docs',
    ]);
    expect(await page.locator('.site-navigation a').last().isVisible()).toBe(true);
    expect(await page.locator('.theme-switch').isVisible()).toBe(false);
    expect(await fitsItsWidth(page)).toBe(true);
    await page.click('text=Account');
    expect(new URL(page.url()).pathname).toBe('/login');
  });

  it('switches the theme, which every page remembers and shows from the beginning', async () => {
    open = await visit(browser, server.url, { look: 'light', width: 1280 });
    const { page } = open;
    await page.goto(`${server.url}/forecasts`);
    await page.click('.theme-switch');
    await page.waitForSelector('html[data-look=dark]', SOON);
    await page.addInitScript(() => {
      // The theme at the moment at which there is something to draw.
      new MutationObserver((_, observer) => {
        if (!document.body) return;
        document.documentElement.dataset['first'] = document.documentElement.dataset['look'] ?? 'none';
        observer.disconnect();
      }).observe(document, { childList: true, subtree: true });
    });
    for (const path of PAGES) {
      await page.goto(server.url + path);
      expect([path, await page.getAttribute('html', 'data-first')]).toEqual([path, 'dark']);
    }
  });
});
