import type { Browser, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import {
  complaints,
  fitsItsWidth,
  focused,
  launchBrowser,
  MANNERS,
  type Manner,
  PATIENCE,
  SOON,
  tabTo,
  type Visit,
  visit,
} from './browsing.ts';
import { DEMO, type RunningServer, runServer } from './demo-server.ts';

let server: RunningServer;
let browser: Browser;
let open: Visit | undefined;

beforeAll(async () => {
  [server, browser] = await Promise.all([runServer(DEMO), launchBrowser()]);
});
afterEach(async () => {
  await open?.close();
  open = undefined;
});
afterAll(async () => {
  await browser?.close();
  await server?.stop();
});

async function openPage(manner: Manner): Promise<Page> {
  open = await visit(browser, server.url, manner);
  await open.page.waitForSelector('.event', SOON);
  return open.page;
}

/** Scores as the board shows them, by the address of their event. */
const readScores = (page: Page) =>
  page.evaluate(() => {
    const rows = [...document.querySelectorAll('.event')];
    return Object.fromEntries(
      rows.map((row) => [
        row.querySelector('a')!.getAttribute('href')!,
        [...row.querySelectorAll('.score')].map((score) => score.textContent).join(' '),
      ]),
    );
  });

/** The address of an event that is being played. */
async function liveEvent(page: Page): Promise<string> {
  const link = page.locator('.event-live .event-link').first();
  await link.waitFor({ state: 'attached', ...PATIENCE });
  return (await link.getAttribute('href'))!;
}

describe.each(MANNERS)('the live page in its $look look, $width pixels wide', (manner) => {
  it('shows a score that changes and a line that moves, without being loaded again', async () => {
    const page = await openPage(manner);
    await page.evaluate(() => document.body.setAttribute('data-loaded', 'once'));
    const before = await readScores(page);
    await Promise.all([
      page.waitForSelector('.move-up, .move-down', { state: 'attached', ...PATIENCE }),
      page.waitForFunction(
        (known) =>
          [...document.querySelectorAll('.event')].some((row) => {
            const was = known[row.querySelector('a')!.getAttribute('href')!];
            const is = [...row.querySelectorAll('.score')].map((score) => score.textContent).join(' ');
            return was !== undefined && was.trim() !== '' && was !== is;
          }),
        before,
        PATIENCE,
      ),
    ]);
    expect(await page.getAttribute('body', 'data-loaded')).toBe('once');
    expect(await page.getAttribute('html', 'data-look')).toBe(manner.look);
    expect(await fitsItsWidth(page)).toBe(true);
    expect(open!.faults).toEqual([]);
  });

  it('leads through an event and back with the keyboard alone', async () => {
    const page = await openPage(manner);
    await page.keyboard.press('Tab');
    expect(await focused(page)).toContain('Skip to the events');
    await page.keyboard.press('Enter');
    await tabTo(page, '.event-link');
    const link = await page.evaluate(() => document.activeElement!.id);

    await page.keyboard.press('Enter');
    await page.waitForSelector('.story-chart svg', SOON);
    expect(await focused(page)).toContain((await page.textContent('h1'))!);

    await tabTo(page, '.slider');
    await page.keyboard.press('Home');
    for (let steps = 0; steps < 3; steps++) await page.keyboard.press('PageUp');
    await page.waitForSelector('.result-then', SOON);
    const words = await page.getAttribute('.slider', 'aria-valuetext');
    expect(words).not.toContain('Now');
    await page.waitForSelector('.event-view[aria-busy=false]', SOON);
    expect(await fitsItsWidth(page)).toBe(true);
    await page.keyboard.press('End');
    await page.waitForSelector('.result-then', { state: 'detached', ...SOON });

    await page.keyboard.press('Escape');
    await page.waitForFunction((id) => document.activeElement?.id === id, link, SOON);

    await tabTo(page, '.tool[title$="look"]', 'Shift+Tab');
    await page.keyboard.press('Enter');
    const other = manner.look === 'dark' ? 'light' : 'dark';
    await page.waitForSelector(`html[data-look=${other}]`, SOON);
    await page.reload();
    await page.waitForSelector(`html[data-look=${other}]`, SOON);
    expect(open!.faults).toEqual([]);
  });

  it('gives axe nothing to complain about, on the board and in an event, now and as it stood', async () => {
    const page = await openPage(manner);
    await page.waitForSelector('.move-up, .move-down', { state: 'attached', ...PATIENCE });
    expect(await complaints(page)).toEqual([]);

    await page.evaluate((hash) => location.assign(hash), await liveEvent(page));
    await page.waitForSelector('.odds', SOON);
    await page.waitForSelector('.story-chart svg', SOON);
    await page.click('.story-table summary');
    expect(await complaints(page)).toEqual([]);

    await page.click('.slider-ways .action >> nth=0');
    await page.waitForSelector('.result-then', SOON);
    await page.waitForSelector('.event-view[aria-busy=false]', SOON);
    expect(await complaints(page)).toEqual([]);
  });
});
