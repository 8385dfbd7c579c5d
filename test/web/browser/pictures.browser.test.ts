import { fileURLToPath } from 'node:url';
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { launchBrowser, PATIENCE, SOON, visit } from './browsing.ts';
import { DEMO, type RunningServer, runServer } from './demo-server.ts';

/** `PICTURES=1 npm run test:browser -- pictures` makes the pictures of the documentation again. */
const isWanted = process.env.PICTURES === '1';
const DOCS = fileURLToPath(new URL('../../../docs/', import.meta.url));

describe.runIf(isWanted)('the pictures in the documentation', () => {
  let server: RunningServer;
  let browser: Browser;
  beforeAll(async () => {
    [server, browser] = await Promise.all([runServer(DEMO), launchBrowser()]);
  });
  afterAll(async () => {
    await browser?.close();
    await server?.stop();
  });

  it('show the board, and the story of an event that is being played', async () => {
    const { page, close } = await visit(browser, server.url, { look: 'light', width: 1280 });
    await page.waitForSelector('.connection-live', SOON);
    await page.waitForFunction(isLively, undefined, PATIENCE);
    const board = await page.screenshot({ path: `${DOCS}live-page.png` });

    await page.emulateMedia({ colorScheme: 'dark' });
    await page.click('.event-live:has-text("NBA ·") .event-link');
    await page.waitForSelector('.odds', SOON);
    await page.waitForSelector('.story-chart svg', SOON);
    await page.click('.choice-button:has-text("Spread")');
    await page.focus('.slider');
    for (const _ of [1, 2]) await page.keyboard.press('PageDown');
    await page.waitForSelector('.event-view[aria-busy=false] .result-then', SOON);
    await page.evaluate(() => (document.activeElement as HTMLElement).blur());
    await page.setViewportSize({ width: 1280, height: 1180 });
    const story = await page.screenshot({ path: `${DOCS}live-page-event.png` });
    await close();
    for (const picture of [board, story]) expect(picture.byteLength).toBeLessThan(300_000);
  });
});

/** Several of the events in sight have just moved, and few are between two periods. */
function isLively(): boolean {
  const rows = [...document.querySelectorAll('.event')].slice(0, 7);
  const moved = rows.filter((row) => row.querySelector('.move-up, .move-down'));
  const paused = rows.filter((row) =>
    /^(0:00|15:00|12:00|20:00)$/.test(row.querySelector('.stage-more')?.textContent ?? ''),
  );
  return moved.length >= 4 && paused.length <= 1;
}
