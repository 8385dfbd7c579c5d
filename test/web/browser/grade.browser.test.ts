import type { Browser, BrowserContextOptions, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { type Message, NFL, schedule, score } from '../../api/spec/messages.ts';
import {
  complaints,
  fitsItsWidth,
  focused,
  launchBrowser,
  MANNERS,
  type Manner,
  SOON,
  tabTo,
  type Visit,
  visit,
} from './browsing.ts';
import { type RunningServer, runServer } from './demo-server.ts';

const INGEST_KEY = 'browser-feed';
const API_KEY = `llk_${'a'.repeat(12)}.${'b'.repeat(43)}`;
const HOUR = 3_600_000;
const LIGHT: Manner = { look: 'light', width: 1280 };
const PHONE: Manner = { look: 'dark', width: 360 };

let server: RunningServer;
let browser: Browser;
let open: Visit | undefined;
/** Each visitor has an address of his own, and so grades of his own. */
let visitors = 0;

const at = (milliseconds: number): string => new Date(Date.now() + milliseconds).toISOString().replace(/\.\d+Z/, 'Z');

async function feed(...messages: readonly Message[]): Promise<void> {
  const answer = await fetch(`${server.url}/ingest/v1/messages?wait=projected`, {
    method: 'POST',
    headers: { authorization: `Bearer ${INGEST_KEY}`, 'content-type': 'application/x-ndjson' },
    body: messages.map((message) => `${JSON.stringify(message)}\n`).join(''),
  });
  const told = await answer.text();
  const { rejected } = JSON.parse(told);
  expect([answer.status, told, rejected]).toEqual([200, told, 0]);
}

/** The grading page, for a visitor behind a proxy. */
async function openGradingPage(manner: Manner, path = '/grade', more: BrowserContextOptions = {}): Promise<Page> {
  const from = `203.0.113.${++visitors}`;
  open = await visit(browser, server.url, manner, { ...more, extraHTTPHeaders: { 'x-forwarded-for': from } });
  await open.page.goto(server.url + path);
  return open.page;
}

/** The path of the receipt of a slip that a key has graded. */
async function receiptPath(text: string): Promise<string> {
  const answer = await fetch(`${server.url}/v1/grade/slip`, {
    method: 'POST',
    headers: { authorization: `Bearer ${API_KEY}`, 'content-type': 'application/json' },
    body: JSON.stringify({ text }),
  });
  const { receipt } = (await answer.json()) as { receipt: { id: string } };
  return `/grade/${receipt.id}`;
}

const SLIP = 'Eagles -3.5\nChiefs ML\nCowboys -1.5\nnobody at all -3';
const link = (text: string) => `/grade?${new URLSearchParams({ text })}`;
const standings = (page: Page) => page.locator('.standing').allTextContents();

beforeAll(async () => {
  browser = await launchBrowser();
  server = await runServer({ FEEDS: 'none', INGEST_KEY, BOOTSTRAP_KEY: API_KEY, TRUST_PROXY: '127.0.0.1' });
  await feed(
    schedule(NFL, 'over', ['Philadelphia Eagles', 'New York Giants'], at(-5 * HOUR), { at: at(-9 * HOUR) }),
    schedule(NFL, 'now', ['Kansas City Chiefs', 'Buffalo Bills'], at(-HOUR), { at: at(-9 * HOUR) }),
    schedule(NFL, 'ahead', ['Dallas Cowboys', 'Chicago Bears'], at(5 * HOUR), { at: at(-9 * HOUR) }),
    score('over', 'final', ['27', '20'], { at: at(-HOUR) }),
    score('now', 'inprogress', ['10', '7'], { at: at(-60_000) }),
  );
});
afterEach(async () => {
  await open?.close();
  open = undefined;
});
afterAll(async () => {
  await browser?.close();
  await server?.stop();
});

describe('the grading page', () => {
  it.each(MANNERS)('has nothing that axe finds, in the $look look, $width pixels wide', async (manner) => {
    const page = await openGradingPage(manner);
    const paths = ['/grade', link(SLIP), link('a'.repeat(2001)), link('W'.repeat(300)), await receiptPath(SLIP)];
    for (const path of paths) {
      await page.goto(server.url + path);
      const name = path.slice(0, 30);
      expect([name, await complaints(page)]).toEqual([name, []]);
      expect([name, await fitsItsWidth(page)]).toEqual([name, true]);
    }
    await page.goto(server.url + link(SLIP));
    await page.click('.rules summary');
    expect(await complaints(page)).toEqual([]);
    expect(await fitsItsWidth(page)).toBe(true);
    // The page that says 422 is one that the browser tells of.
    expect(open!.faults.filter((fault) => !fault.includes('422'))).toEqual([]);
  });

  it('grades what is pasted, leg by leg', async () => {
    const page = await openGradingPage(LIGHT);
    await page.fill('#text', SLIP);
    await page.click('form button');
    await page.waitForSelector('#result');
    expect(await standings(page)).toEqual(['Won', 'In progress', 'Not started', 'Not graded']);
    expect(await page.textContent('#result')).toBe('1 won, 2 open, 1 not graded');
    expect(await page.inputValue('#text')).toBe(SLIP);
    expect(await page.title()).toContain('1 won');
    expect(open!.faults).toEqual([]);
  });

  it('does so with scripts off, on a phone', async () => {
    const page = await openGradingPage(PHONE, '/grade', { javaScriptEnabled: false });
    await page.fill('#text', SLIP);
    await page.click('form button');
    await page.waitForURL(/text=/);
    expect(await standings(page)).toEqual(['Won', 'In progress', 'Not started', 'Not graded']);
    expect(await page.inputValue('#text')).toBe(SLIP);
    expect(await page.locator('#following').isVisible()).toBe(false);
    expect(await page.locator('#link').isVisible()).toBe(true);
  });

  it('is used by the keyboard alone', async () => {
    const page = await openGradingPage(LIGHT);
    await page.keyboard.press('Tab');
    expect(await focused(page)).toContain('Skip to the slip');
    await page.keyboard.press('Enter');
    await tabTo(page, '#text');
    await page.keyboard.type('Eagles -3.5');
    await tabTo(page, 'form button');
    await page.keyboard.press('Enter');
    await page.waitForSelector('#result');
    expect(await standings(page)).toEqual(['Won']);
    await tabTo(page, '#link');
    await tabTo(page, '.copied button');
    await tabTo(page, '.rules summary');
    await page.keyboard.press('Enter');
    expect(await page.locator('.rules h3').first().isVisible()).toBe(true);
  });

  it('is shared as a link that holds the text, which others see graded', async () => {
    const page = await openGradingPage(LIGHT, link(SLIP));
    const shared = await page.evaluate(() => (document.getElementById('link') as HTMLAnchorElement).href);
    expect(await page.textContent('#link')).toBe(shared);
    await open!.close();
    const other = await openGradingPage(PHONE, shared.slice(server.url.length));
    expect(await other.inputValue('#text')).toBe(SLIP);
    expect((await standings(other)).length).toBe(4);
  });

  it('copies the link', async () => {
    const page = await openGradingPage(LIGHT, link(SLIP), { permissions: ['clipboard-read', 'clipboard-write'] });
    await page.click('.copied button');
    await page.waitForSelector('.copied button:text("Copied")', SOON);
    expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(server.url + link(SLIP));
  });

  it('says what is wrong with a slip, and keeps it', async () => {
    const page = await openGradingPage(PHONE, link('x'.repeat(2001)));
    expect(await page.getAttribute('#text', 'aria-invalid')).toBe('true');
    expect(await page.textContent('#text-error')).toBe('The slip must have at most 2000 characters.');
    expect((await page.inputValue('#text')).length).toBe(2001);
  });

  it('follows the games by itself, says what changed, and uses no further grade', async () => {
    const page = await openGradingPage(LIGHT);
    await page.clock.install();
    const answer = await page.goto(server.url + link('Chiefs ML'));
    expect(answer!.headers()['x-ratelimit-remaining']).toBe('19');
    expect(await standings(page)).toEqual(['In progress']);
    expect(await page.textContent('#following')).toBe('This page follows the games by itself.');

    await feed(score('now', 'final', ['24', '7'], { at: at(0) }));
    const seen = page.waitForResponse(/\/grade\/live/);
    await page.clock.runFor(20_000);
    await seen;
    await page.waitForSelector('.leg.won', SOON);
    expect(await page.textContent('#news')).toBe('Leg 1: Won.');
    expect(await page.textContent('#result')).toBe('1 won');
    expect(await page.locator('#following').isVisible()).toBe(false);

    let asked = 0;
    page.on('request', () => asked++);
    await page.clock.runFor(10 * 60_000);
    expect(asked).toBe(0);
    const again = await page.goto(server.url + link('Chiefs ML'));
    expect(again!.headers()['x-ratelimit-remaining']).toBe('18');
    expect(open!.faults).toEqual([]);
  });
});
