import type { Browser, BrowserContextOptions, Page } from 'playwright-core';
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
let empty: RunningServer;
let browser: Browser;
let open: Visit | undefined;

beforeAll(async () => {
  browser = await launchBrowser();
  server = await runServer(DEMO);
  empty = await runServer({ FEEDS: 'none' });
});
afterEach(async () => {
  await open?.close();
  open = undefined;
});
afterAll(async () => {
  await browser?.close();
  await server?.stop();
  await empty?.stop();
});

const LAPTOP = { look: 'light', width: 1280 } as const;
const PHONE = { look: 'dark', width: 380 } as const;

async function openScreen(manner: Manner, query = '', more: BrowserContextOptions = {}): Promise<Page> {
  open = await visit(browser, server.url, manner, more);
  await open.page.goto(`${server.url}/odds${query}`);
  await open.page.locator('.screen-row').first().waitFor(SOON);
  if (more.javaScriptEnabled !== false) await open.page.waitForSelector('.connection-live', SOON);
  return open.page;
}

const PARTS = ['.screen-score', '.screen-best .price', '.screen-hold .offer', '.screen-fair .price', '.screen-when'];
const SEEN = '.screen-row:nth-child(-n+6)';

describe.each(PAGE_SIZES)('the odds screen in its $look look, $width pixels wide', (manner) => {
  it('has no fault of layout, nor anything that axe complains of', async () => {
    for (const market of ['moneyline', 'total']) {
      const page = await openScreen(manner, `?market=${market}`);
      expect([market, await fitsItsWidth(page)]).toEqual([market, true]);
      expect(await layoutFaults(page, PARTS.map((part) => `${SEEN} ${part}`).join(', '))).toEqual([]);
      if (manner.width > 760) expect(await layoutFaults(page, `${SEEN} .screen-book .offer`)).toEqual([]);
      expect(open!.faults).toEqual([]);
      await open!.close();
      open = undefined;
    }
    if (manner.width !== 380 && manner.width !== 1280) return;
    // Two bookmakers, since axe looks at each cell.
    const page = await openScreen(manner, '?market=total&books=pinnacle,fanduel');
    await page.waitForSelector('.screen-flash', PATIENCE);
    expect(await complaints(page)).toEqual([]);
  });
});

describe('the odds screen', () => {
  it('lights up a price that changes, without being loaded again', async () => {
    const page = await openScreen(LAPTOP, '?market=total');
    await page.evaluate(() => document.body.setAttribute('data-loaded', 'once'));
    await page.waitForSelector('.screen-book .screen-flash', PATIENCE);
    await page.waitForFunction(() => document.querySelectorAll('.screen-flash').length < 200);
    expect(await page.getAttribute('body', 'data-loaded')).toBe('once');
    expect(open!.faults).toEqual([]);
  });

  it('shows decimal odds when asked, and those that come later too', async () => {
    const page = await openScreen(LAPTOP);
    await page.click('text=+150');
    await page.waitForFunction(
      () => /^\d+\.\d\d$/.test(document.querySelector('.screen-best .price')!.textContent!),
      null,
      SOON,
    );
    await page.waitForSelector('.screen-book .screen-flash', PATIENCE);
    const prices = await page.locator('.screen-book .price').allTextContents();
    expect(prices.filter((price) => !/^\d+\.\d\d$/.test(price))).toEqual([]);
  });

  it('leads through prices with the arrow keys, and opens a history that gives the focus back', async () => {
    const page = await openScreen(LAPTOP, '?market=spread&books=pinnacle,fanduel');
    await tabTo(page, '.screen-book a');
    const first = await page.evaluate(() => (document.activeElement as HTMLAnchorElement).href);
    await page.keyboard.press('ArrowRight');
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('ArrowUp');
    await page.keyboard.press('ArrowLeft');
    expect(await page.evaluate(() => (document.activeElement as HTMLAnchorElement).href)).toBe(first);
    await page.keyboard.press('Enter');
    await page.waitForSelector('dialog[open] h2', SOON);
    expect(await page.textContent('dialog h2')).toContain('spread');
    expect(await complaints(page)).toEqual([]);
    await page.keyboard.press('Escape');
    await page.waitForSelector('dialog', { state: 'detached', ...SOON });
    expect(await page.evaluate(() => (document.activeElement as HTMLAnchorElement).href)).toBe(first);
    // All prices are one stop.
    await page.keyboard.press('Tab');
    expect(await focused(page)).not.toContain('screen-label');
  });

  it('is filtered by its address, which the browser remembers', async () => {
    const page = await openScreen(LAPTOP);
    await page.click('.screen-books summary');
    for (const name of ['FanDuel', 'Caesars']) await page.getByLabel(name, { exact: true }).check();
    await Promise.all([page.waitForURL(/books=fanduel,caesars/, SOON), page.click('.screen-show')]);
    expect(await page.locator('thead .screen-book').allTextContents()).toEqual(['FanDuel', 'Caesars']);
    await Promise.all([page.waitForURL(/market=total/, SOON), page.click('.tab >> text="Total"')]);
    await page.goto(`${server.url}/odds`);
    expect(new URL(page.url()).search).toBe('?books=fanduel,caesars&market=total');
    await Promise.all([page.waitForURL(/league=nba/, SOON), page.selectOption('[name=league]', 'nba')]);
    await page.waitForSelector('.screen-row', SOON);
    const leagues = await page.locator('.screen-league').allTextContents();
    expect(new Set(leagues)).toEqual(new Set(['NBA']));
  });

  it('shows the best price and its bookmaker on a phone, and all of them when asked', async () => {
    const page = await openScreen(PHONE, '?market=moneyline&books=pinnacle,fanduel');
    expect(await page.locator('td.screen-book').first().isVisible()).toBe(false);
    expect(await page.evaluate(cutOrApart)).toEqual([]);
    await tabTo(page, '.screen-switch');
    const id = await page.evaluate(() => document.activeElement!.closest('tr')!.id);
    const row = page.locator(`#${id}`);
    await page.keyboard.press('Space');
    await row.locator('.screen-book a').first().waitFor(SOON);
    expect(await row.locator('.screen-label').first().isVisible()).toBe(true);
    expect(await layoutFaults(page, `#${id} .screen-book :is(.screen-label, .offer, .age)`)).toEqual([]);
    expect(await fitsItsWidth(page)).toBe(true);
    expect(await complaints(page)).toEqual([]);
    await row.locator('.screen-book a').first().click();
    await page.waitForSelector('dialog[open]', SOON);
    expect(await fitsItsWidth(page)).toBe(true);
    expect(await complaints(page)).toEqual([]);
  });

  it('leaves open rows open, and the focus where it is, when an event gets its first price', async () => {
    open = await visit(browser, server.url, PHONE);
    const { page } = open;
    // The page lacks an event, of which the stream then tells.
    let isFirst = true;
    await page.route('**/odds?market=moneyline', async (route) => {
      const answer = await route.fetch();
      const body = await answer.text();
      const short = body.replace(/<tr role="row" id="event-\d+" class="screen-row screen-live">.*?<\/tr>/s, '');
      await route.fulfill({ response: answer, body: isFirst ? short : body });
      isFirst = false;
    });
    await page.goto(`${server.url}/odds?market=moneyline`);
    await page.waitForSelector('.connection-live', SOON);
    const before = await page.locator('.screen-row').count();
    await tabTo(page, '.screen-switch');
    const id = await page.evaluate(() => document.activeElement!.closest('tr')!.id);
    await page.keyboard.press('Space');
    await page.waitForFunction((known) => document.querySelectorAll('.screen-row').length > known, before, PATIENCE);
    expect(await page.locator(`#${id} .screen-switch`).isChecked()).toBe(true);
    expect(await page.evaluate(() => document.activeElement!.closest('tr')?.id)).toBe(id);
  });

  it.each([LAPTOP, PHONE])('works without scripts, $width pixels wide', async (manner) => {
    const page = await openScreen(manner, '?market=spread', { javaScriptEnabled: false });
    expect(await fitsItsWidth(page)).toBe(true);
    await page.selectOption('[name=league]', 'nba');
    await page.click('.screen-filters > button');
    expect(new URL(page.url()).searchParams.get('league')).toBe('nba');
    if (manner === PHONE) await page.locator('.screen-more label').first().click();
    await page.locator('.screen-book a').first().click();
    expect(new URL(page.url()).pathname).toBe('/odds/history');
    expect(await page.textContent('h1')).toContain('spread');
    expect(await fitsItsWidth(page)).toBe(true);
  });

  it('says what is missing on a server without events', async () => {
    open = await visit(browser, empty.url, PHONE);
    await open.page.goto(`${empty.url}/odds`);
    expect(await open.page.textContent('.notice')).toContain('No events yet');
    expect(await complaints(open.page)).toEqual([]);
  });
});

/** Names that do not stand whole on a phone, and prices that stand beside another side than their own. */
function cutOrApart(): string[] {
  return [...document.querySelectorAll('.screen-row')].flatMap((row) => {
    const topOf = (one: Element) => Math.round(one.getBoundingClientRect().top);
    const prices = [...row.querySelectorAll('.screen-best .offer')].map(topOf);
    const sides = [...row.querySelectorAll<HTMLElement>('.screen-side')];
    return sides.flatMap((side, index) => {
      const name = side.querySelector<HTMLElement>('.screen-name');
      const isCut = name !== null && name.scrollWidth > name.clientWidth;
      const isApart = Math.abs(topOf(side) - (prices[index] ?? Number.NaN)) > 1;
      return isCut || isApart
        ? [`${side.textContent}: ${isCut ? 'cut' : `${topOf(side)} beside ${prices[index]}`}`]
        : [];
    });
  });
}
