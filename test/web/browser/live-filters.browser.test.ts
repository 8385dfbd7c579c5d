import type { Browser, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import {
  complaints,
  fitsItsWidth,
  focused,
  launchBrowser,
  layoutFaults,
  type Manner,
  PAGE_SIZES,
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

const LAPTOP = { look: 'light', width: 1280 } as const;

async function openBoard(manner: Manner, path = '/'): Promise<Page> {
  open = await visit(browser, server.url, manner);
  await open.page.goto(server.url + path);
  await open.page.waitForSelector('.event', SOON);
  return open.page;
}

const ROWS = '.event:nth-child(-n+4)';
const PARTS = ['.stage-label', '.stage-short', '.score', '.line', '.market-name'];

describe.each(PAGE_SIZES)('the board in its $look look, $width pixels wide', (manner) => {
  it('has no fault of layout, also where lines have moved', async () => {
    const page = await openBoard(manner);
    await page.waitForSelector('.market-totals .move-up, .market-totals .move-down', {
      state: 'attached',
      ...PATIENCE,
    });
    expect(await fitsItsWidth(page)).toBe(true);
    expect(await layoutFaults(page, PARTS.map((part) => `${ROWS} ${part}`).join(', '))).toEqual([]);
    const heights = await page.locator(`${ROWS} .stage-name`).evaluateAll((all) => all.map((one) => one.clientHeight));
    expect(Math.max(...heights)).toBeLessThan(30);
    expect(open!.faults).toEqual([]);
  });
});

it('fault: shows moved totals beside each other on a phone, not over one another', async () => {
  const page = await openBoard({ look: 'light', width: 380 }, '/?state=live');
  await page.waitForSelector('.market-totals .move-up, .market-totals .move-down', { state: 'attached', ...PATIENCE });
  const gaps = await page.locator('.market-totals .outcomes').evaluateAll((all) =>
    all.map((one) => {
      const [first, second] = [...one.querySelectorAll('.line')].map((line) =>
        [...line.querySelectorAll('.point, .price, .move svg, .move-from')]
          .filter((part) => part.checkVisibility())
          .map((part) => part.getBoundingClientRect()),
      );
      return Math.min(...second!.map(({ left }) => left)) - Math.max(...first!.map(({ right }) => right));
    }),
  );
  expect(gaps.length).toBeGreaterThan(0);
  expect(Math.min(...gaps)).toBeGreaterThan(2);
});

describe('the filters of the board', () => {
  it('are in the address: chosen there, and written there', async () => {
    const page = await openBoard(LAPTOP, '/?sport=soccer&state=live');
    expect(await page.locator('.tab[aria-pressed=true]').count()).toBe(2);
    const rows = await page.locator('.event').count();
    expect(await page.locator('.event-live').count()).toBe(rows);
    await page.getByRole('button', { name: /^Live/ }).click();
    expect(new URL(page.url()).search).toBe('?sport=soccer');
    await page.getByRole('button', { name: /^Soccer/ }).click();
    expect(new URL(page.url()).search).toBe('');
    expect(await page.getAttribute('.tab >> nth=0', 'aria-pressed')).toBe('true');
  });

  it('show the chosen one on a phone, though it is at the end of all', async () => {
    const page = await openBoard({ look: 'dark', width: 380 }, '/?sport=soccer');
    const chip = await page.locator('.tab[aria-pressed=true]').first().boundingBox();
    expect(chip!.x).toBeGreaterThanOrEqual(0);
    expect(chip!.x + chip!.width).toBeLessThanOrEqual(380);
  });

  it('find events as one types, and say where there are none', async () => {
    const page = await openBoard(LAPTOP);
    await page.keyboard.press('/');
    expect(await page.evaluate(() => document.activeElement?.id)).toBe('board-search');
    const name = (await page.textContent('.event .side >> nth=0'))!;
    await page.keyboard.type(name.toUpperCase());
    await page.waitForFunction(
      (wanted) =>
        [...document.querySelectorAll('.event')].every((row) =>
          row.querySelector('.sides')!.textContent!.includes(wanted),
        ),
      name,
      SOON,
    );
    expect(await page.locator('.event').count()).toBeGreaterThan(0);
    await page.fill('#board-search', 'nobody is called so');
    await page.waitForSelector('.nothing-live', SOON);
    expect(await complaints(page)).toEqual([]);
    await page.click('text=Show all events');
    await page.waitForSelector('.event', SOON);
  });
});

describe('favourites', () => {
  it('come first, by event, team or league, and are kept in the browser', async () => {
    const page = await openBoard(LAPTOP);
    const last = page.locator('.section').last().locator('.event').last();
    const side = (await last.locator('.side').first().textContent())!;
    await last.locator('.star summary').click();
    expect(await complaints(page)).toEqual([]);
    await last.locator('.star-menu button').nth(1).click();
    const first = page.locator('.section').first();
    await page.waitForSelector('#section-favourites', SOON);
    expect(await first.textContent()).toContain(side);
    await page.reload();
    await page.waitForSelector('#section-favourites', SOON);
    expect(await first.locator('.star-on').count()).toBeGreaterThan(0);
    await first.locator('.star summary').first().click();
    await first.locator('.star-menu [aria-pressed=true]').first().click();
    await page.waitForSelector('#section-favourites', { state: 'detached', ...SOON });
    expect(open!.faults).toEqual([]);
  });

  it('are chosen with the keyboard; Escape closes the choice', async () => {
    const page = await openBoard({ look: 'dark', width: 380 });
    await tabTo(page, '.star summary');
    await page.keyboard.press('Enter');
    await page.keyboard.press('Tab');
    expect(await focused(page)).toContain('This event');
    await page.keyboard.press('Escape');
    expect(await page.locator('.star[open]').count()).toBe(0);
    expect(await page.evaluate(() => document.activeElement?.tagName)).toBe('SUMMARY');
    expect(await fitsItsWidth(page)).toBe(true);
  });
});

it('the keys are listed with a question mark, but not while one types', async () => {
  const page = await openBoard(LAPTOP);
  await page.keyboard.press('?');
  await page.waitForSelector('.keys[open]', SOON);
  expect(await page.locator('.keys kbd').allTextContents()).toContain('j');
  expect(await complaints(page, 10)).toEqual([]);
  await page.keyboard.press('Escape');
  await page.waitForSelector('.keys[open]', { state: 'detached', ...SOON });
  await page.fill('#board-search', '');
  await page.keyboard.type('?');
  expect(await page.locator('.keys[open]').count()).toBe(0);
  expect(await page.inputValue('#board-search')).toBe('?');
});
