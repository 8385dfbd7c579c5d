import { gzipSync } from 'node:zlib';
import type { Browser, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { NFL, odds, schedule, score, team } from '../../api/spec/messages.ts';
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

const INGEST_KEY = 'browser-feed';
const WIDE: Manner = { look: 'light', width: 1280 };

let server: RunningServer;
let browser: Browser;
let open: Visit | undefined;
/** An event in play that has props, one of its teams and one of its players. */
let event: string;
let paths: readonly string[];

/** Each visit comes from an address of its own: what one address may read in a minute is limited. */
let visits = 0;
async function go(manner: Manner, path: string, more = {}): Promise<Page> {
  const extraHTTPHeaders = { 'X-Forwarded-For': `203.0.113.${++visits}` };
  open = await visit(browser, server.url, manner, { extraHTTPHeaders, ...more });
  await open.page.goto(server.url + path);
  return open.page;
}
const read = async (path: string): Promise<string> => (await fetch(server.url + path)).text();

beforeAll(async () => {
  browser = await launchBrowser();
  server = await runServer({ ...DEMO, INGEST_KEY, TRUST_PROXY: '127.0.0.1' });
  const found = await vi.waitUntil(
    async () => {
      const { events } = JSON.parse(await read('/live/board')) as {
        events: { id: number; sport: string; status: string }[];
      };
      const live = events.find(({ sport, status }) => sport === 'nfl' && status === 'inprogress');
      const page = live && (await read(`/events/${live.id}?tab=props`));
      const [team, player] = [/\/teams\/\d+/.exec(page ?? '')?.[0], /\/players\/\d+/.exec(page ?? '')?.[0]];
      return live && team && player ? { id: live.id, team, player } : undefined;
    },
    { timeout: 90_000, interval: 1000 },
  );
  event = `/events/${found.id}`;
  const tabs = ['lines', 'props', 'statistics', 'availability', 'intelligence', 'sources'];
  const searches = ['/search', '/search?q=kestrel', '/search?q=nobody'];
  paths = [
    ...[event, ...tabs.map((tab) => `${event}?tab=${tab}`)],
    ...[found.team, found.player, '/leagues/nfl', '/leagues/epl', ...searches, '/events/999999'],
  ];
});
afterEach(async () => {
  await open?.close();
  open = undefined;
});
afterAll(async () => {
  await browser?.close();
  await server?.stop();
});

/** Until the chart of an event's story stands in the place of its tables. */
const isDrawn = async (page: Page, path: string): Promise<void> => {
  if (path === event) await page.waitForSelector('#story .story-chart svg', PATIENCE);
};

/** Texts of the page. */
const TEXTS = 'main :is(h1, h2, p, li, summary, button, a, label)';

describe('the pages of events, teams, players, leagues and the search', () => {
  it.each(PAGE_SIZES)(
    'have no fault of layout and nothing that axe finds, $look, $width pixels wide',
    async (manner) => {
      const page = await go(manner, '/search');
      for (const path of paths) {
        await page.goto(server.url + path);
        await isDrawn(page, path);
        expect([path, await page.locator('h1').count(), await fitsItsWidth(page)]).toEqual([path, 1, true]);
        expect([path, await layoutFaults(page, TEXTS)]).toEqual([path, []]);
        // What axe looks at depends on the width only where the header changes.
        if (manner.width === 380 || manner.width === 1280) expect([path, await complaints(page)]).toEqual([path, []]);
      }
      expect(open!.faults.filter((fault) => !fault.includes('status of 404'))).toEqual([]);
    },
  );

  it('show a phone how a game ended, and both prices of a prop before a game, without scrolling sideways', async () => {
    const day = (shift: number) => new Date(Date.now() + shift * 86_400_000).toISOString();
    const sides = ['Tampa Bay Buccaneers', 'New England Patriots'] as const;
    const prop = (outcome: string, price: number) => ({ outcome, price, point: 287.5, player: 'Baker Mayfield' });
    const key = 'passing_yards';
    const messages = [
      ...[team(NFL, 'TB', sides[0], 'TB'), team(NFL, 'NE', sides[1], 'NE')],
      schedule(NFL, 'played', [...sides], day(-4)),
      score('played', 'final', ['27', '24'], { at: day(-3.8) }),
      schedule(NFL, 'coming', [...sides], day(3)),
      odds('coming', 'pinnacle', [{ key, outcomes: [prop('over', -115), prop('under', -105)] }], { at: day(0) }),
    ];
    const answer = await fetch(`${server.url}/ingest/v1/messages?wait=projected`, {
      method: 'POST',
      headers: { authorization: `Bearer ${INGEST_KEY}`, 'content-type': 'application/x-ndjson' },
      body: messages.map((message) => `${JSON.stringify(message)}\n`).join(''),
    });
    expect(await answer.json()).toMatchObject({ accepted: messages.length });
    const path = /\/teams\/\d+/.exec(await read('/search?q=buccaneers'))![0];
    const page = await go({ look: 'dark', width: 380 }, path);
    const edge = (selector: string) =>
      page
        .locator(selector)
        .first()
        .evaluate((one) => one.getBoundingClientRect().right);
    expect(await edge('.table a[href^="/events/"]')).toBeLessThan(368);
    await page.locator('.matches a[href^="/events/"]').first().click();
    await page.click('.tabs >> text=Props');
    expect(await page.locator('.offered th[scope=col]').allTextContents()).toEqual(['Bet', 'Line', 'Over', 'Under']);
    expect(await edge('.offered tbody td:nth-child(4)')).toBeLessThanOrEqual(368);
  });

  it('load at most 170 kB, compressed', async () => {
    const page = await go(WIDE, '/search');
    for (const path of paths) {
      await page.goto(server.url + path);
      await isDrawn(page, path);
      const loaded = await page.evaluate(() => performance.getEntriesByType('resource').map(({ name }) => name));
      const files = [server.url + path, ...loaded.filter((url) => url.startsWith('http') && !url.includes('/stream'))];
      let sum = 0;
      for (const url of new Set(files)) sum += gzipSync(await (await fetch(url)).arrayBuffer()).length;
      expect([path, sum > 3000 && sum < 170_000]).toEqual([path, true]);
    }
  });

  it('work without scripts: the form searches, and each tab is a page', async () => {
    const page = await go(WIDE, '/record', { javaScriptEnabled: false });
    await page.fill('#site-search', 'kestrel');
    await page.keyboard.press('Enter');
    await page.waitForURL(/\/search\?q=kestrel/);
    await page.locator('.matches a[href^="/teams/"]').first().click();
    expect(await page.locator('h2').allTextContents()).toContain('Results');
    await page.goto(server.url + event);
    expect(await page.locator('#story tbody tr').count()).toBeGreaterThan(1);
    await page.click('.tabs >> text=Sources');
    expect(await page.textContent('h2')).toBe('Newest facts');
  });
});

describe('the search in the header', () => {
  it('is at the key /, suggests, and opens what the arrows choose; Escape closes it', async () => {
    const page = await go(WIDE, '/record');
    await page.keyboard.press('/');
    expect(await page.evaluate(() => document.activeElement?.id)).toBe('site-search');
    await page.keyboard.type('kestrel/');
    await page.keyboard.press('Backspace');
    const list = page.locator('#site-search-suggestions');
    await list.locator('li').first().waitFor(SOON);
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('ArrowUp');
    expect(await list.locator('[aria-selected="true"]').textContent()).toMatch(/^Kestrel Bay .*Team/);
    expect(await page.getAttribute('#site-search', 'aria-activedescendant')).toBe('site-search-suggestions-0');
    expect(await complaints(page)).toEqual([]);
    await page.keyboard.press('Escape');
    expect(await list.isVisible()).toBe(false);
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('Enter');
    await page.waitForURL(/\/teams\/\d+$/);
    expect(await page.textContent('h1')).toMatch(/^Kestrel Bay/);
    expect(open!.faults).toEqual([]);
  });

  it('is a link on a phone, to a field in which typing begins at once', async () => {
    const page = await go({ look: 'dark', width: 380 }, '/record');
    await tabTo(page, '.search-link');
    await page.keyboard.press('Enter');
    await page.waitForURL(/\/search$/);
    expect(await page.evaluate(() => document.activeElement?.id)).toBe('search');
    await page.keyboard.type('kestrel');
    await page.locator('#search-suggestions li').first().waitFor(SOON);
    expect(await fitsItsWidth(page)).toBe(true);
    await page.keyboard.press('Enter');
    await page.waitForURL(/\/search\?q=kestrel/);
    expect(open!.faults).toEqual([]);
  });
});

describe('the story of an event', () => {
  it('holds the moment of the slider in the address and in the links to the other tabs', async () => {
    const page = await go(WIDE, event);
    await isDrawn(page, event);
    await tabTo(page, '.slider');
    for (let steps = 0; steps < 5; steps++) await page.keyboard.press('ArrowLeft');
    // The head names the moment that it shows, which is another one until the answer has come.
    const momentOfHead = async () => {
      const of = await page.waitForFunction(() => {
        const asked = new URLSearchParams(location.search).get('at');
        const shown = document.querySelector<HTMLTimeElement>('.result-then time')?.dateTime;
        return asked !== null && asked === shown && asked;
      }, PATIENCE);
      return String(await of.jsonValue());
    };
    const at = await momentOfHead();
    expect(await page.getAttribute('.tabs a:has-text("Lines")', 'href')).toContain(encodeURIComponent(at));
    const scores = (html: string) => [...html.matchAll(/"big-score">([^<]*)</g)].map(([, score]) => score);
    const then = scores(await read(`${event}?at=${at}`));
    expect(then).toHaveLength(2);
    const shown = () => page.locator('.result .big-score').allTextContents();
    expect(await shown()).toEqual(then);

    await page.goto(`${server.url}${event}?at=${at}`);
    expect(scores(await page.content())).toEqual(then);
    expect(await momentOfHead()).toBe(at);
    expect(await shown()).toEqual(then);
    await page.click('.tabs >> text=Lines');
    expect(await page.textContent('main > .notice')).toContain('As it stood on');
    await page.click('text=Show now');
    expect(new URL(page.url()).search).toBe('?tab=lines');
    expect(open!.faults).toEqual([]);
  });

  it('shows scores under the moment that they are of while another one loads, and says why one does not come', async () => {
    const page = await go(WIDE, event);
    await isDrawn(page, event);
    // Given that answers about the past do not come.
    let release = () => {};
    const released = new Promise<void>((resolve) => {
      release = resolve;
    });
    await page.route(/\/live\/events\/.*as_of=/, async (route) => {
      await released;
      await route.fulfill({ status: 503, body: '{"error":{"message":"Later."}}' });
    });
    // When somebody goes back.
    await tabTo(page, '.slider');
    const asked = page.waitForRequest(/as_of=/, SOON);
    await page.keyboard.press('ArrowLeft');
    await asked;
    // Then the scores of now are not called those of then.
    expect(await page.locator('.result-then').count()).toBe(0);
    release();
    await page.waitForSelector('[role=alert]:has-text("Later.")', SOON);
    expect(await page.locator('.result-then').count()).toBe(0);
    await page.click('.action-live');
    await page.waitForSelector('[role=alert]', { ...SOON, state: 'detached' });
  });

  it('is reached from the live page, and walked through with the keyboard', async () => {
    const page = await go(WIDE, `/#${event}`);
    await page.click('text=Page of this event');
    await page.waitForURL((url) => url.pathname === event);
    await page.keyboard.press('Tab');
    expect(await focused(page)).toContain('Skip to the content');
    await tabTo(page, '.tabs a[aria-current]');
    await page.keyboard.press('Tab');
    await page.keyboard.press('Enter');
    await page.waitForURL(/tab=lines/);
    await tabTo(page, '.table');
    expect(open!.faults).toEqual([]);
  });
});
