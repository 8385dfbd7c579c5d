import type { Browser, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import {
  complaints,
  fitsItsWidth,
  focused,
  launchBrowser,
  MANNERS,
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

interface BoardAnswer {
  readonly events: readonly { readonly id: number; readonly sport: string; readonly status: string }[];
}

/** The page of an event of the day that stands like this. */
async function openEvent(page: Page, sport: string, status: string): Promise<void> {
  const board = (await (await fetch(`${server.url}/live/board`)).json()) as BoardAnswer;
  const found = board.events.find((event) => event.sport === sport && event.status === status);
  if (!found) throw new Error(`there is no ${sport} event that is ${status}`);
  await page.goto(`${server.url}/#/events/${found.id}`);
  await page.waitForSelector('.story-chart svg', SOON);
}
const panels = (page: Page) => page.locator('.panel h2').allTextContents();

describe.each(MANNERS)('the panels of an event in the $look look, $width pixels wide', (manner) => {
  it.each([
    ['soccer', ['Player props', 'First half lines', 'Team totals']],
    ['mlb', ['Player props', 'First five innings lines', 'Team totals']],
  ])('show the lines of a %s game that is played, and fit', async (sport, names) => {
    open = await visit(browser, server.url, manner);
    const { page } = open;
    await openEvent(page, sport, 'inprogress');
    await page.waitForSelector('text=Player props', SOON);

    expect(await panels(page)).toEqual(expect.arrayContaining(names));
    expect(await page.locator('.lines .way').count()).toBeGreaterThan(5);
    expect(await fitsItsWidth(page)).toBe(true);
    expect(await complaints(page)).toEqual([]);
    await tabTo(page, '.scrolls[aria-label^="Player props"]');
    expect(await focused(page)).toContain('Over');
    expect(open.faults).toEqual([]);
  });
});

describe('the panels of an event', () => {
  const manner = { look: 'light', width: 1280 } as const;

  it('tell what has become of the lines of a game that is over', async () => {
    open = await visit(browser, server.url, manner);
    await openEvent(open.page, 'nba', 'final');
    await open.page.waitForSelector('text=Player props', SOON);

    const results = await open.page.locator('.lines .line-result').allTextContents();
    expect(results.length).toBeGreaterThan(10);
    for (const result of results) expect(result.trim()).toMatch(/^(?:Over|Under|Push|Won|Lost)$/);
    expect(await panels(open.page)).not.toContain('Team totals');
  });

  it('are those that the sport has: a tennis match has a first set and no players of its own', async () => {
    open = await visit(browser, server.url, manner);
    await openEvent(open.page, 'tennis', 'inprogress');
    await open.page.waitForSelector('text=First set lines', SOON);

    expect(await panels(open.page)).not.toContain('Player props');
  });

  it('show what stood at the moment that is looked at', async () => {
    open = await visit(browser, server.url, manner);
    const { page } = open;
    await openEvent(page, 'nba', 'inprogress');
    await page.waitForSelector('text=Player props', SOON);
    await tabTo(page, '.slider');
    await page.keyboard.press('Home');
    await page.waitForSelector('text=Player props', { state: 'detached', ...SOON });
    await page.keyboard.press('End');
    await page.waitForSelector('text=Player props', SOON);
    expect(open.faults).toEqual([]);
  });

  it('show the form and the means of both sides', async () => {
    open = await visit(browser, server.url, manner);
    const { page } = open;
    const side = (name: string, result: string) => ({
      name,
      rest_days: 3,
      recent_form: { window: 5, results: [result, 'W', 'L'] },
      team_strength: { source: 'win_pct', win_pct: 0.5, games: 4, w: 2, l: 2, t: 0, rank: 5 },
      rates_l5: { games: 3, field_games: {}, rebounds_for: 41.25 },
      rates_season: { games: 4, field_games: {}, rebounds_for: 40 },
      head_to_head: { window: 10, meetings: [{ home_score: 101, away_score: 99 }], total: 1 },
    });
    const teams = { home: side('Home', 'W'), away: side('Away', 'L') };
    await page.route('**/live/events/*/stats', (route) =>
      route.fulfill({ json: { event_id: 1, available: true, teams } }),
    );
    await openEvent(page, 'nba', 'inprogress');
    await page.waitForSelector('text=Before this event', SOON);

    expect(await page.locator('.form').first().getAttribute('aria-label')).toBe('lost, won, lost');
    expect(await page.textContent('.statistics-summary')).toContain('2–2');
    expect(await page.textContent('.rates')).toContain('41.25');
    expect(await page.textContent('.head-to-head')).toContain('99–101');
    expect(await complaints(page)).toEqual([]);
  });
});
