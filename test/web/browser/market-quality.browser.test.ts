import type { Browser } from 'playwright-core';
import { afterAll, afterEach, beforeAll, expect, it } from 'vitest';
import { HOUR, MINUTE, SECOND } from '../../../src/domain/primitives/time.ts';
import { market, NFL, odds, schedule, score } from '../../api/spec/messages.ts';
import { complaints, fitsItsWidth, launchBrowser, PAGE_SIZES, type Visit, visit } from './browsing.ts';
import { type RunningServer, runServer } from './demo-server.ts';

const INGEST_KEY = 'browser-feed';
const BOOKS = ['pinnacle', 'draftkings', 'fanduel', 'betmgm', 'a_book_with_quite_a_long_name'];

let server: RunningServer;
let browser: Browser;
let open: Visit | undefined;

/** Games that were played in the last days. In each the books follow each other, and one has two sources. */
function games(now: number) {
  return Array.from({ length: 12 }, (_, game) => {
    const ref = `g${game}`;
    const start = now - (game + 2) * 4 * HOUR;
    const time = (at: number) => ({ at: new Date(at).toISOString() });
    const sides = { home: `Home ${game}`, away: `Away ${game}` };
    const match = { ...NFL, starts_at: time(start).at, ...sides };
    const said = [schedule(NFL, ref, [`Home ${game}`, `Away ${game}`], time(start).at, time(start - 5 * HOUR))];
    for (let jump = 0; jump < 6; jump++) {
      for (const [place, book] of BOOKS.entries()) {
        const home = -120 - 8 * jump - place;
        const at = start - 4 * HOUR + jump * 30 * MINUTE + place * 20 * SECOND;
        const prices = (price: number) => [
          market('h2h', [
            ['home', price],
            ['away', -home - 20],
          ]),
        ];
        said.push(odds(ref, book, prices(home), time(at)));
        if (book === 'fanduel')
          said.push(odds(ref, book, prices(home - 5), { ...time(at + SECOND), source: 'other-feed', match }));
      }
    }
    said.push(score(ref, 'inprogress', undefined, time(start)));
    return said;
  }).flat();
}

beforeAll(async () => {
  browser = await launchBrowser();
  server = await runServer({ FEEDS: 'none', INGEST_KEY });
  const answer = await fetch(`${server.url}/ingest/v1/messages?wait=projected`, {
    method: 'POST',
    headers: { authorization: `Bearer ${INGEST_KEY}`, 'content-type': 'application/x-ndjson' },
    body: games(Date.now())
      .map((message) => `${JSON.stringify(message)}\n`)
      .join(''),
  });
  expect(await answer.json()).toMatchObject({ rejected: 0 });
});
afterEach(async () => {
  await open?.close();
  open = undefined;
});
afterAll(async () => {
  await browser?.close();
  await server?.stop();
});

it.each(PAGE_SIZES)('the quality of markets fits, in the $look look, $width pixels wide', async (manner) => {
  open = await visit(browser, server.url, manner);
  const { page } = open;
  for (const query of ['', '?league=nfl&market=totals']) {
    await page.goto(`${server.url}/forecasts/markets${query}`);
    expect([query, await fitsItsWidth(page), await complaints(page)]).toEqual([query, true, []]);
    expect(await page.locator('tbody tr').count()).toBe(query === '' ? BOOKS.length + 1 : 0);
  }
  expect(open.faults).toEqual([]);
});
