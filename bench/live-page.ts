import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { type Browser, chromium, type Page } from 'playwright-core';
import { type AskServer, askOver } from './ask.ts';
import type { Benchmark, Figure } from './benchmark.ts';
import { usageOf } from './process-usage.ts';
import { startServer } from './server.ts';

const EVENTS = 200;
const CHANGES_A_SECOND = 20;
const SECONDS = { full: 60, quick: 5 };
const HOUR = 3_600_000;
const MB = 1_000_000;

export const livePage: Benchmark = {
  name: 'live-page',
  summary: 'processor time and memory of the live page with 200 live events and 20 changes a second, in Chromium',
  async run({ folder, quick, say }) {
    const server = await startServer({ folder: join(folder, 'live-page'), settings: { LIVE_PAGE: 'on' } });
    let browser: Browser | undefined;
    try {
      const ask = askOver(server.port, server.ingestKey);
      await tell(
        ask,
        [...Array(EVENTS).keys()].flatMap((event) => [scheduleOf(event), scoreOf(event, 0), priceOf(event, 0)]),
      );
      browser = await chromium.launch({
        executablePath: process.env['CHROMIUM_PATH'] ?? '/usr/bin/chromium',
        args: ['--no-sandbox', '--disable-gpu'],
      });
      const page = await browser.newPage({ viewport: { width: 1280, height: 800 } });
      const url = `http://127.0.0.1:${server.port}/`;
      // As somebody who has left the setup of a new server for later.
      await page.context().addCookies([{ name: 'setup', value: 'later', url }]);
      await page.goto(url);
      await page.waitForSelector('.connection-live', { timeout: 120_000 });
      await page
        .locator('.event')
        .nth(EVENTS - 1)
        .waitFor({ state: 'attached', timeout: 120_000 });
      return await measure(browser, page, ask, quick ? SECONDS.quick : SECONDS.full, say);
    } finally {
      await browser?.close();
      await server.stop();
    }
  },
};

async function tell(ask: AskServer, messages: readonly unknown[]): Promise<void> {
  const { json } = await ask('/ingest/v1/messages?wait=projected', messages);
  if (json.projected !== true) throw new Error(`not projected: ${JSON.stringify(json).slice(0, 500)}`);
}

const startOf = new Date(Date.now() - HOUR).toISOString();
const about = (event: number) => ({ source: 'bench', at: new Date().toISOString(), ref: `live${event}` });

const scheduleOf = (event: number) => ({
  ...{ kind: 'schedule', ...about(event), sport: 'nba', league: 'nba', starts_at: startOf },
  participants: [
    { role: 'home', name: `Home Town Hosts ${event}` },
    { role: 'away', name: `Away Town Guests ${event}` },
  ],
});

const scoreOf = (event: number, points: number) => ({
  ...{ kind: 'score', ...about(event), status: 'inprogress', period: '1' },
  clock: `${String(11 - (points % 11)).padStart(2, '0')}:00`,
  scores: [
    { role: 'home', score: String(points), period_scores: [{ period: '1', score: points }] },
    { role: 'away', score: '7', period_scores: [{ period: '1', score: 7 }] },
  ],
});

const priceOf = (event: number, round: number) => ({
  ...{ kind: 'odds', ...about(event), bookmaker: 'pinnacle' },
  markets: [
    {
      key: 'h2h',
      outcomes: [
        { outcome: 'home', price: -105 - (round % 20) },
        { outcome: 'away', price: -104 - ((round * 7) % 20) },
      ],
    },
  ],
});

/** Half of the changes are scores, half are prices. Each event has one in ten seconds. */
function startChanges(ask: AskServer): () => Promise<number> {
  let changes = 0;
  let pending = Promise.resolve();
  const feed = setInterval(() => {
    const change = ++changes;
    const [event, round] = [change % EVENTS, 1 + Math.floor(change / EVENTS)];
    const message = (event + round) % 2 === 0 ? scoreOf(event, round) : priceOf(event, round);
    pending = pending.then(async () => void (await ask('/ingest/v1/messages', [message])));
  }, 1000 / CHANGES_A_SECOND);
  return async () => {
    clearInterval(feed);
    await pending;
    return changes;
  };
}

async function measure(
  browser: Browser,
  page: Page,
  ask: AskServer,
  seconds: number,
  say: (text: string) => void,
): Promise<readonly Figure[]> {
  const renderer = await rendererOf(browser, page);
  const shareOver = async (): Promise<number> => {
    const [began, before] = [performance.now(), usageOf(renderer).cpu];
    await delay(seconds * 1000);
    return (usageOf(renderer).cpu - before) / 10 / (performance.now() - began);
  };
  // What loading left to do is done.
  await delay(3000);
  const still = { share: await shareOver(), memory: ownMemoryOf(renderer) };
  const textBefore = await page.textContent('main');
  const stop = startChanges(ask);
  const share = await shareOver();
  const memory = ownMemoryOf(renderer);
  const sent = await stop();
  if (sent < seconds * CHANGES_A_SECOND * 0.8) throw new Error(`only ${sent} changes were sent`);
  if ((await page.textContent('main')) === textBefore) throw new Error('the page shows no change');
  const heap = await page.evaluate(
    () => (performance as { memory?: { usedJSHeapSize: number } }).memory?.usedJSHeapSize,
  );
  say(`${sent} changes in ${seconds} s; ${Math.round((heap ?? 0) / MB)} MB of objects`);
  return [
    {
      what: `processor time of the page, ${CHANGES_A_SECOND} changes a second: of one core`,
      value: share,
      unit: '%',
      floor: { what: 'without changes', value: still.share },
      goal: { of: 'value', bound: 'at most', number: 30 },
    },
    {
      what: 'memory of its process alone',
      value: memory / MB,
      unit: 'MB',
      floor: { what: 'without changes', value: still.memory / MB },
      goal: { of: 'value', bound: 'at most', number: 150 },
    },
  ];
}

/** The process id of the page's renderer: the one that works while the page does. A spare one may have worked more before. */
async function rendererOf(browser: Browser, page: Page): Promise<number> {
  const session = await browser.newBrowserCDPSession();
  const timesOf = async () => {
    const { processInfo } = await session.send('SystemInfo.getProcessInfo');
    return processInfo.filter(({ type }) => type === 'renderer');
  };
  const before = new Map((await timesOf()).map(({ id, cpuTime }) => [id, cpuTime]));
  await page.evaluate((milliseconds) => {
    for (const end = performance.now() + milliseconds; performance.now() < end; );
  }, 1000);
  const worked = (await timesOf()).map(({ id, cpuTime }) => ({ id, time: cpuTime - (before.get(id) ?? 0) }));
  const [most] = worked.sort((a, b) => b.time - a.time);
  if (!most) throw new Error('the browser has no page');
  return most.id;
}

/** Bytes of a process that no other shares, as the browser's own task manager counts them: what it has of no file. */
function ownMemoryOf(pid: number): number {
  const status = readFileSync(`/proc/${pid}/status`, 'utf8');
  const kilobytes = (name: string) => Number(new RegExp(`^${name}:\\s+(\\d+)`, 'm').exec(status)?.[1] ?? 0);
  return 1024 * (kilobytes('RssAnon') + kilobytes('VmSwap'));
}
