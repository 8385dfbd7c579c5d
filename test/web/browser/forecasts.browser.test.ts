import type { Browser, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { messagesOf } from '../../forecasting/track-record/game-messages.ts';
import { gamesOf, numbersOf } from '../../intelligence/seasons.ts';
import {
  complaints,
  fitsItsWidth,
  focused,
  launchBrowser,
  type Manner,
  PAGE_SIZES,
  tabTo,
  type Visit,
  visit,
} from './browsing.ts';
import { type RunningServer, runServer } from './demo-server.ts';

const GAMES = gamesOf('soccer', 'epl', 420, numbersOf(1));
const LAST_DAY = new Date(GAMES.at(-1)!.startsAt).toISOString().slice(0, 10);
const INGEST_KEY = 'browser-feed';
const LIGHT: Manner = { look: 'light', width: 1280 };
const PHONE: Manner = { look: 'dark', width: 360 };

let server: RunningServer;
let browser: Browser;
let open: Visit | undefined;

async function forecasts(manner: Manner, path: string, more = {}): Promise<Page> {
  open = await visit(browser, server.url, manner, more);
  await open.page.goto(server.url + path);
  return open.page;
}

beforeAll(async () => {
  browser = await launchBrowser();
  server = await runServer({ FEEDS: 'none', INGEST_KEY });
  const messages = messagesOf('soccer', GAMES);
  const answer = await fetch(`${server.url}/ingest/v1/messages?wait=projected`, {
    method: 'POST',
    headers: { authorization: `Bearer ${INGEST_KEY}`, 'content-type': 'application/x-ndjson' },
    body: messages.map((message) => `${JSON.stringify(message)}\n`).join(''),
  });
  expect(await answer.json()).toMatchObject({ rejected: 0 });
  // What had come when it counted first may be a part; half a minute later it counts the rest.
  const isCounted = async () =>
    (await (await fetch(`${server.url}/forecasts?sport=soccer`)).text()).includes('2016 EPL');
  await vi.waitUntil(isCounted, { timeout: 120_000, interval: 2000 });
});
afterEach(async () => {
  await open?.close();
  open = undefined;
});
afterAll(async () => {
  await browser?.close();
  await server?.stop();
});

describe('the forecasts', () => {
  it.each(PAGE_SIZES)('have nothing that axe finds, in the $look look, $width pixels wide', async (manner) => {
    const page = await forecasts(manner, '/forecasts');
    for (const path of ['/forecasts', '/forecasts?sport=nba', `/forecasts?sport=soccer&date=${LAST_DAY}`]) {
      await page.goto(server.url + path);
      expect([path, await complaints(page)]).toEqual([path, []]);
      expect([path, await fitsItsWidth(page)]).toEqual([path, true]);
    }
    await page.goto(`${server.url}/forecasts`);
    for (const summary of await page.locator('summary').all()) await summary.click();
    expect(await complaints(page)).toEqual([]);
    expect(await fitsItsWidth(page)).toBe(true);
    expect(open!.faults).toEqual([]);
  });

  it('have tables and plots of each market without scripts, on a phone', async () => {
    const page = await forecasts(PHONE, '/forecasts?sport=soccer', { javaScriptEnabled: false });
    expect(await page.locator('section h3').allTextContents()).toEqual([
      ...['Moneyline', 'Spread', 'Total', 'How it is counted'],
    ]);
    expect(await page.locator('svg.plot').count()).toBe(7);
    const width = await page
      .locator('svg.plot')
      .first()
      .evaluate((plot) => plot.getBoundingClientRect().width);
    expect(width).toBeGreaterThan(250);
    expect(await page.locator('#h2h ~ .table tbody tr').count()).toBeGreaterThan(1);
    await page.click('text=NBA');
    expect(await page.textContent('main')).toContain('No settled game of NBA');
  });

  it('lead to the day before, and back to one that is chosen, without scripts', async () => {
    const page = await forecasts(LIGHT, `/forecasts?sport=soccer&date=${LAST_DAY}`, { javaScriptEnabled: false });
    const rows = page.locator('.forecasts tbody tr');
    expect(await rows.count()).toBeGreaterThan(0);
    await page.click('text=Day before');
    await page.waitForURL(/date=/);
    await page.fill('#date', LAST_DAY);
    await page.click('text=Show');
    await page.waitForURL(new RegExp(LAST_DAY));
    expect(await rows.count()).toBeGreaterThan(0);
  });

  it('are reached from the live page, and their tables by the keyboard', async () => {
    const page = await forecasts(LIGHT, '/');
    await page.click('header a[href="/forecasts"]');
    await page.waitForURL(/forecasts/);
    expect(await page.textContent('h1')).toBe('Forecasts');
    await page.keyboard.press('Tab');
    expect(await focused(page)).toContain('Skip to the forecasts');
    await tabTo(page, '.table');
    expect(open!.faults).toEqual([]);
  });
});
