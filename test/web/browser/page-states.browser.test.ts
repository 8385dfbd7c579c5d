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
    expect(await open.page.textContent('.ways-in')).toContain('FEEDS=demo ledgerline start');
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
    // A stream that opens asks for the board too. Without one, nobody asks but the person.
    await page.route('**/live/stream*', (route) => route.abort());
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

  it.each([360, 900, 1280])('fault 21: shows the sets of a match side by side, %d pixels wide', async (width) => {
    open = await visit(browser, empty.url, { look: 'light', width });
    const { page } = open;
    await page.route('**/live/board*', async (route) => {
      const answer = await route.fetch();
      const board = (await answer.json()) as { events: { sides: object[] }[] };
      const scores = [
        { score: '6 3 6 4 2', game_score: '40' },
        { score: '2 6 4 6 1', game_score: 'Ad' },
      ];
      // Of every second event. No later change of it is newer.
      const events = board.events.map((event, i) =>
        i % 2
          ? event
          : { ...event, position: '9'.repeat(15), sides: event.sides.map((side, of) => ({ ...side, ...scores[of] })) },
      );
      await route.fulfill({ json: { ...board, events } });
    });
    await page.goto(`${demo.url}/`);
    await page.waitForSelector('.score:text-is("6 3 6 4 2")', SOON);

    const rows = await page.evaluate(() =>
      [...document.querySelectorAll('.event')].map((row) => {
        const boxes = (selector: string) =>
          [...row.querySelectorAll(selector)].map((one) => one.getBoundingClientRect());
        const texts = [...row.querySelectorAll('.score, .game-score')].map((one) => {
          const range = document.createRange();
          range.selectNodeContents(one);
          return {
            lines: new Set([...range.getClientRects()].map(({ top }) => top)).size,
            cut: one.scrollWidth > one.clientWidth,
          };
        });
        const [first, second] = boxes('.side-score');
        const [scores] = boxes('.scores');
        const [names] = boxes('.sides');
        const markets = boxes('.market').map(({ left }) => left);
        return { texts, first: first!, second: second!, scores: scores!, names: names!, markets };
      }),
    );

    for (const { texts, first, second, scores, names, markets } of rows) {
      for (const { lines, cut } of texts) expect({ lines: Math.min(lines, 1), cut }).toEqual({ lines, cut: false });
      expect(first.bottom).toBeLessThanOrEqual(second.top + 0.5);
      expect(names.right).toBeLessThanOrEqual(scores.left + 0.5);
      if (width > 700) expect(scores.right).toBeLessThanOrEqual(markets[0]!);
    }
    if (width > 700) expect(new Set(rows.map(({ markets }) => markets[0])).size).toBe(1);
  });
});
