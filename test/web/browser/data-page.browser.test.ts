import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { PASSWORD, type WholeSite, wholeSite } from '../account/whole-application.ts';
import { complaints, fitsItsWidth, launchBrowser, visit } from './browsing.ts';

const STAFF = 'staff@sports.example';
const LONG = 'WithoutAPlaceToBreak'.repeat(12);

const mlb = { sport: 'mlb', league: 'mlb' };
const schedule = (source: string, ref: string, starts_at: string, away = 'Cincinnati Reds') => ({
  ...{ kind: 'schedule', source, at: '2026-02-27T00:00:00Z', ref, ...mlb, starts_at },
  participants: [
    { role: 'home', name: 'Chicago Cubs' },
    { role: 'away', name: away },
  ],
});
const odds = (ref: string, starts_at: string, more: object = {}) => ({
  ...{ kind: 'odds', source: 'book', at: '2026-02-28T00:00:00Z', ref, bookmaker: 'pinnacle' },
  match: { ...mlb, starts_at, home: 'Chicago Cubs', away: 'Cincinnati Reds' },
  markets: [{ key: 'h2h', outcomes: [{ outcome: 'home', price: -120 }] }],
  ...more,
});

let browser: Browser;
let site: WholeSite;
beforeAll(async () => {
  browser = await launchBrowser();
  site = await wholeSite({ baseUrl: (port) => `http://127.0.0.1:${port}` });
  await site.user(STAFF, { staff: true });
  const messages = [
    schedule('league', 'g1', '2026-03-04T17:20:00Z'),
    schedule('league', 'g2', '2026-03-04T18:20:00Z'),
    odds('77', '2026-03-04T17:50:00Z', { note: `Game 2: ${LONG}` }),
    odds(LONG, '2026-03-04T17:50:00Z', {
      match: { ...mlb, starts_at: '2026-03-04T17:50:00Z', home: LONG, away: 'Cincinnati Reds' },
    }),
    { kind: 'odds', source: 'book', at: '2026-02-28T00:00:00Z', ref: '78', bookmaker: 'pinnacle', markets: [] },
    // Probably the game of the day before.
    schedule('radio', 'r1', '2026-03-05T10:00:00Z'),
    {
      kind: 'identity',
      source: 'operator',
      at: '2026-02-28T01:00:00Z',
      action: 'bind',
      what: 'event',
      source_ref: { source: 'other', ref: LONG },
      into: 1,
      note: LONG,
    },
  ];
  const statuses: string[] = [];
  for (const value of messages) {
    const { outcomes } = await site.core.intake.accept([{ line: 1, value }]);
    statuses.push(outcomes[0]!.status);
  }
  const waits = ['quarantined', 'quarantined', 'quarantined'];
  expect(statuses).toEqual(['accepted', 'accepted', ...waits, 'accepted', 'accepted']);
  await site.core.projected();
});
afterAll(async () => {
  await browser?.close();
  await site?.close();
  expect(site?.failures).toEqual([]);
});

describe('the page of what waits, of pairs and of acts', () => {
  it.each([380, 800, 1280])('has all of its buttons in sight at %d px', async (width) => {
    const { page, close } = await visit(browser, site.url, { look: 'light', width });
    try {
      await page.goto(`${site.url}/login?next=/admin/data`);
      await page.getByLabel('E-mail').fill(STAFF);
      await page.getByLabel('Password', { exact: true }).fill(PASSWORD);
      await Promise.all([
        page.waitForURL('**/admin/data'),
        page.getByRole('button', { name: 'Sign in', exact: true }).click(),
      ]);
      const bind = 'try=bind&what=event&source=book&ref=77&into=2';
      for (const tab of [
        'waiting',
        `waiting&by_source=book&all_of=book&${bind}`,
        'duplicates',
        'duplicates&try=merge&what=event&from=3&into=99',
        'acts',
        'acts&form=split&what=event&source=other&ref=x',
      ]) {
        await page.goto(`${site.url}/admin/data?tab=${tab}`);
        expect(await fitsItsWidth(page), tab).toBe(true);
        // As many as the data above must have: an empty tab would fit too.
        if (tab === 'waiting') expect(await page.locator('main').textContent()).toContain('note: Game 2: ');
        expect(await page.locator('summary').count(), tab).toBeGreaterThan(tab.startsWith('acts') ? 0 : 3);
        for (const summary of await page.locator('summary').all()) await summary.click();
        const outside = await page.evaluate(() =>
          Array.from(
            // The staff's tabs scroll on a phone: the one that is shown has come into sight.
            document.querySelectorAll(
              'main :is(summary, button, input, select, p, a, li):not(.tabs *), .tabs [aria-current]',
            ),
            (element) => {
              const { left, right } = element.getBoundingClientRect();
              return { text: element.textContent?.slice(0, 60) ?? '', left, right };
            },
          ).filter(({ left, right }) => left < 0 || right > document.documentElement.clientWidth),
        );
        expect(outside, tab).toEqual([]);
        expect(await fitsItsWidth(page), `${tab}, opened`).toBe(true);
        if (width === 800) expect(await complaints(page), tab).toEqual([]);
      }
    } finally {
      await close();
    }
  });
});
