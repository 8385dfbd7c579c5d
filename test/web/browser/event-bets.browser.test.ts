import type { Browser, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import {
  complaints,
  fitsItsWidth,
  focused,
  launchBrowser,
  MANNERS,
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

interface BoardAnswer {
  readonly events: readonly {
    readonly id: number;
    readonly sport: string;
    readonly status: string;
    readonly starts_at: string;
    readonly lines: readonly unknown[];
  }[];
}

/** The panel of an event of the day that stands like this, has prices, and starts as late as any of these. */
async function openPanel(page: Page, sport: string, status: string) {
  const board = (await (await fetch(`${server.url}/live/board`)).json()) as BoardAnswer;
  const found = board.events
    .filter((event) => event.sport === sport && event.status === status && event.lines.length > 0)
    .sort((a, b) => (a.starts_at < b.starts_at ? 1 : -1))[0];
  if (!found) throw new Error(`there is no ${sport} event that is ${status}`);
  await page.goto(`${server.url}/#/events/${found.id}`);
  const panel = page.locator('.panel', { has: page.locator('h2:text-is("Fair price and forecast")') });
  await panel.locator('table.lines').waitFor(SOON);
  return panel;
}

const EDGES = [
  { edge: 0.0816, tier: 'very_high' },
  { edge: -0.0204, tier: 'avoid' },
];

/** As if a model served that publishes its edges. */
async function withForecasts(page: Page): Promise<void> {
  await page.route('**/live/events/*/intelligence*', async (route) => {
    const answer = await (await route.fetch()).json();
    const bets = answer.bets.map((bet: { bet_type: string }, index: number) => ({
      ...bet,
      probability: index % 2 ? 0.4 : 0.6,
      interval: [0.3, 0.7],
      // Of one market the record supports edges.
      ...(bet.bet_type.startsWith('ML_') ? EDGES[index] : { edge: null, tier: null }),
      narrative: bet.bet_type === 'ML_P1' ? 'The hosts: forecast 60%, fair 55% from 2 books.' : null,
    }));
    const rationale = ['The hosts: 3-2 in the last 5', 'Forecast: The hosts 60%'];
    await route.fulfill({ json: { ...answer, bets, rationale } });
  });
  await page.route('**/live/events/*/probabilities', async (route) => {
    const answer = await (await route.fetch()).json();
    const forecast = [{ at: answer.fair[0].at, probability: 0.62 }];
    await route.fulfill({ json: { ...answer, forecast: [...forecast, { at: answer.until, probability: 0.6 }] } });
  });
}

/** As if the league had too few results for a model. */
async function withoutForecasts(page: Page): Promise<void> {
  await page.route('**/live/events/*/intelligence*', async (route) => {
    const answer = await (await route.fetch()).json();
    const bets = answer.bets.map((bet: object) => ({ ...bet, probability: null, interval: null }));
    await route.fulfill({ json: { ...answer, bets } });
  });
  await page.route('**/live/events/*/probabilities', async (route) => {
    const answer = await (await route.fetch()).json();
    await route.fulfill({ json: { ...answer, forecast: [] } });
  });
}

describe.each(MANNERS)('fair prices and forecasts in the $look look, $width pixels wide', (manner) => {
  it('stand beside the best prices, are reached by keyboard, and fit', async () => {
    open = await visit(browser, server.url, manner);
    const { page } = open;
    await withForecasts(page);
    const panel = await openPanel(page, 'nba', 'scheduled');

    const heads = await panel.locator('table.lines thead th').allTextContents();
    expect(heads.slice(0, 5)).toEqual(['Bet', 'Best price', 'Fair', 'Forecast', 'Edge']);
    const bets = panel.locator('table.lines tr:has(td)');
    expect(await bets.count()).toBe(6);
    for (const row of await bets.all()) {
      const [, fair, forecast] = await row.locator('td').allTextContents();
      expect(fair).toMatch(/^[+−]\d+\d\d\.\d%$/);
      expect(forecast).toMatch(/^(?:−15060\.0|\+15040\.0)%30–70%$/);
    }
    const edges = await panel.locator('table.lines td:nth-of-type(4)').allInnerTexts();
    expect(edges.map((text) => text.split(/\s+/).join(' ')).sort()).toEqual([
      '+8.2 pts very high',
      ...Array.from({ length: 4 }, () => 'not published yet'),
      '−2.0 pts avoid',
    ]);
    expect(await panel.textContent()).toContain('The hosts: forecast 60%, fair 55% from 2 books.');
    expect(await panel.locator('.rationale li').count()).toBe(2);
    expect(await panel.locator('.chances-legend').textContent()).toContain('Forecast 60.0%');
    expect(await fitsItsWidth(page)).toBe(true);
    expect(await complaints(page)).toEqual([]);
    await tabTo(page, '.scrolls[aria-label^="Fair prices"]');
    expect(await focused(page)).toContain('Moneyline');
    await tabTo(page, '.chances summary');
    await page.keyboard.press('Enter');
    await panel.locator('.chances td').first().waitFor(SOON);
    expect(await complaints(page)).toEqual([]);
    expect(await fitsItsWidth(page)).toBe(true);
    expect(open.faults).toEqual([]);
  });
});

describe('fair prices of the demo', () => {
  const manner = { look: 'light', width: 1280 } as const;

  it('stand alone, and it is said why there is no forecast', async () => {
    open = await visit(browser, server.url, manner);
    await withoutForecasts(open.page);
    const panel = await openPanel(open.page, 'soccer', 'scheduled');

    const why = 'No forecast: fewer than 100 earlier results of this league are known.';
    expect(await panel.locator('.worth-note').allTextContents()).toContain(why);
    expect(await panel.locator(`td [title="${why}"]`).count()).toBe(7);
    expect(await panel.locator('.chances-fair').last().getAttribute('d')).toMatch(/^M/);
    expect(await panel.locator('.chances-plot .chances-forecast').getAttribute('d')).toBe('');
  });

  it('have the server’s own forecast beside them', async () => {
    // The results of the days before the demo's first come after the start.
    const isForecast = async () =>
      /<td class="number forecast-cell">[^–]/.test(await (await fetch(`${server.url}/forecasts?sport=soccer`)).text());
    await vi.waitUntil(isForecast, { ...PATIENCE, interval: 2000 });
    open = await visit(browser, server.url, manner);
    const panel = await openPanel(open.page, 'soccer', 'scheduled');

    expect((await panel.locator('.worth-note').allTextContents()).join(' ')).toContain('this server’s own');
    expect(await panel.locator('.chances-plot .chances-forecast').getAttribute('d')).toMatch(/^M/);
  });

  it('name the best price in words, in both tables', async () => {
    open = await visit(browser, server.url, manner);
    const panel = await openPanel(open.page, 'nba', 'scheduled');

    const best = open.page.locator('.odds td', { has: open.page.locator('.best-mark') });
    // The bookmakers' table has an answer of its own, which may come after the panel's.
    await best.first().waitFor(SOON);
    for (const text of await best.allInnerTexts()) expect(text).toMatch(/best$/);
    const [offer] = await panel.locator('table.lines td').allInnerTexts();
    expect(offer).toMatch(/^[+−]\d+\s+\S/);
  });

  it('of a game that is played stand as they stood at its start, without prices of the game', async () => {
    open = await visit(browser, server.url, manner);
    const panel = await openPanel(open.page, 'nba', 'inprogress');

    expect(await panel.locator('.panel-note').textContent()).toBe('as they stood at the start');
    expect(await panel.locator('thead th').allTextContents()).not.toContain('Best price');
  });

  it('are those of the moment that is looked at', async () => {
    open = await visit(browser, server.url, manner);
    const { page } = open;
    const panel = await openPanel(page, 'nba', 'inprogress');
    await tabTo(page, '.slider');
    await page.keyboard.press('Home');
    await panel.locator('.chances-plot .chart-cursor').waitFor({ state: 'attached', ...SOON });
    await panel.locator('.panel-note').waitFor({ state: 'detached', ...SOON });
    await page.keyboard.press('End');
    await panel.locator('.panel-note').waitFor(SOON);
    expect(open.faults).toEqual([]);
  });
});
