import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Browser, chromium, type Page } from 'playwright-core';
import { askOver } from './ask.ts';
import type { Benchmark, Figure } from './benchmark.ts';
import { percentile } from './percentile.ts';
import { type Server, startServer } from './server.ts';
import { TICK_BOOKS } from './ticks.ts';

const EVENTS = 60;
const BOOKS = [...TICK_BOOKS, 'circa', 'betonline', 'espnbet', 'fanatics', 'hardrock', 'bet99', 'mybookie'];
const HOUR = 3_600_000;
const DAY = 24 * HOUR;
/** Ways there and back, down and aside, by a wheel that moves so many pixels a second. */
const ROUNDS = { full: 4, quick: 1 };
const WAYS = { down: 1800, aside: 600, speed: 1200 };

export const oddsScreen: Benchmark = {
  name: 'odds-screen',
  summary: 'frames while the odds screen of 60 events and 17 bookmakers scrolls and its prices change, in Chromium',
  async run({ folder, quick, say }) {
    const server = await startServer({ folder: join(folder, 'odds-screen'), settings: { LIVE_PAGE: 'on' } });
    let browser: Browser | undefined;
    try {
      const date = await feedDay(server);
      browser = await chromium.launch({
        executablePath: process.env['CHROMIUM_PATH'] ?? '/usr/bin/chromium',
        args: ['--no-sandbox', '--disable-gpu'],
      });
      const page = await browser.newPage({ viewport: { width: 1280, height: 800 } });
      await page.goto(`http://127.0.0.1:${server.port}/odds?date=${date}&market=spread`);
      await page.waitForSelector('.connection-live');
      const cells = await page.locator('.screen-book a').count();
      if (cells !== EVENTS * BOOKS.length) throw new Error(`the page shows ${cells} prices`);
      return await scroll(browser, page, server, quick ? ROUNDS.quick : ROUNDS.full, join(folder, 'trace.json'), say);
    } finally {
      await browser?.close();
      await server.stop();
    }
  },
};

/** Events of one day, with prices of all bookmakers. */
async function feedDay(server: Server): Promise<string> {
  const day = Math.floor(Date.now() / DAY) * DAY + DAY;
  const ask = askOver(server.port, server.ingestKey);
  const schedules = Array.from({ length: EVENTS }, (_, event) => ({
    kind: 'schedule',
    source: 'bench',
    at: new Date().toISOString(),
    sport: 'nba',
    league: 'nba',
    ref: `screen${event}`,
    starts_at: new Date(day + (event % 24) * HOUR).toISOString(),
    participants: [
      { role: 'home', name: `Home Town Hosts ${event}` },
      { role: 'away', name: `Away Town Guests ${event}` },
    ],
  }));
  const prices = schedules.flatMap((_, event) => BOOKS.map((book, at) => pricesOf(event, book, at)));
  const { json } = await ask('/ingest/v1/messages?wait=projected', [...schedules, ...prices]);
  if (json.projected !== true) throw new Error(`not projected: ${JSON.stringify(json).slice(0, 500)}`);
  return new Date(day).toISOString().slice(0, 10);
}

const pricesOf = (event: number, bookmaker: string, variant: number) => ({
  kind: 'odds',
  source: 'bench',
  at: new Date().toISOString(),
  ref: `screen${event}`,
  bookmaker,
  markets: [
    {
      key: 'spreads',
      outcomes: [
        { outcome: 'home', price: -105 - (variant % 20), point: -3.5 },
        { outcome: 'away', price: -104 - ((variant * 7) % 20), point: 3.5 },
      ],
    },
  ],
});

async function scroll(
  browser: Browser,
  page: Page,
  server: Server,
  rounds: number,
  file: string,
  say: (text: string) => void,
): Promise<readonly Figure[]> {
  const floor = await scrollEmptyPage(browser, page, rounds, file);
  const ask = askOver(server.port, server.ingestKey);
  let round = 0;
  let pending = Promise.resolve();
  // Twenty changes a second.
  const feed = setInterval(() => {
    const event = (round * 7) % EVENTS;
    const message = pricesOf(event, BOOKS[round % BOOKS.length]!, ++round);
    pending = pending.then(async () => void (await ask('/ingest/v1/messages', [message])));
  }, 50);
  await page.bringToFront();
  const seen = await turnWheel(browser, page, rounds, file).finally(() => clearInterval(feed));
  await pending;
  say(`${seen.shown} frames shown in ${seen.seconds.toFixed(1)} s, ${seen.dropped} dropped`);
  say(`of an empty page: ${floor.shown} in ${floor.seconds.toFixed(1)} s, ${floor.dropped} dropped`);
  const what = 'an empty page of the same size';
  return [
    {
      what: 'frames shown while scrolling',
      value: seen.shown / seen.seconds,
      unit: '/s',
      floor: { what, value: floor.shown / floor.seconds },
      goal: { of: 'ratio', bound: 'at least', number: 0.95 },
    },
    {
      what: 'frames dropped while scrolling',
      value: shareDropped(seen),
      unit: '%',
      goal: { of: 'value', bound: 'at most', number: 1 },
    },
    {
      what: 'work of the main thread for a frame, p95',
      value: percentile(seen.work, 0.95),
      unit: 'ms',
      floor: { what, value: percentile(floor.work, 0.95) },
    },
  ];
}

const shareDropped = ({ shown, dropped }: Frames): number => (100 * dropped) / Math.max(1, shown + dropped);

/**
 * The same ways on a page as large as the odds screen, with nothing in it but a line for each event, without which
 * there would be nothing to draw: what the browser itself can do here.
 */
async function scrollEmptyPage(browser: Browser, page: Page, rounds: number, file: string): Promise<Frames> {
  const size = await page
    .locator('.screen-scroll')
    .evaluate(({ scrollWidth, scrollHeight, clientWidth, clientHeight }) => ({
      ...{ scrollWidth, scrollHeight, clientWidth, clientHeight },
    }));
  const empty = await browser.newPage({ viewport: { width: 1280, height: 800 } });
  const line = `<div style="width: ${size.scrollWidth}px; height: ${size.scrollHeight / EVENTS}px; box-shadow: inset 9px 1px #888"></div>`;
  await empty.setContent(
    `<div style="overflow: auto; width: ${size.clientWidth}px; height: ${size.clientHeight}px">${line.repeat(EVENTS)}</div>`,
  );
  const frames = await turnWheel(browser, empty, rounds, file);
  await empty.close();
  return frames;
}

/**
 * Scrolls in both directions, and tells what the browser drew meanwhile. The browser itself turns the wheel, once a
 * frame: turns that are sent one by one come as often as the protocol lets them, and a page that does not change has
 * no frame between two of them.
 */
async function turnWheel(browser: Browser, page: Page, rounds: number, file: string): Promise<Frames> {
  const session = await page.context().newCDPSession(page);
  const turn = (x: number, y: number) =>
    session.send('Input.synthesizeScrollGesture', {
      ...{ x: 900, y: 400, xDistance: x, yDistance: y, speed: WAYS.speed },
      ...{ gestureSourceType: 'mouse', preventFling: true },
    });
  await turn(0, -300);
  await page.waitForTimeout(1000);
  await browser.startTracing(page, {
    path: file,
    categories: ['benchmark', 'cc', 'viz', 'toplevel', 'devtools.timeline'],
  });
  const began = performance.now();
  for (let round = 0; round < rounds; round++) {
    for (const forth of [-1, 1]) {
      await turn(0, forth * WAYS.down);
      await turn(forth * WAYS.aside, 0);
    }
  }
  const seconds = (performance.now() - began) / 1000;
  await browser.stopTracing();
  await session.detach();
  return { ...readTrace(file), seconds };
}

interface Frames {
  readonly shown: number;
  readonly dropped: number;
  /** Milliseconds of the main thread for each of its frames. */
  readonly work: number[];
  readonly seconds: number;
}

interface TraceEvent {
  readonly name: string;
  readonly ph: string;
  /** Microseconds of processor time of the thread. */
  readonly tdur?: number;
  readonly dur?: number;
  readonly args?: { readonly frame_reporter?: { readonly state?: string; readonly affects_smoothness?: boolean } };
}

/** Frames that were drawn to the display, those that came too late, and the milliseconds of processor time that the main thread took for each of its frames. */
function readTrace(file: string) {
  const { traceEvents } = JSON.parse(readFileSync(file, 'utf8')) as { readonly traceEvents: readonly TraceEvent[] };
  let shown = 0;
  let dropped = 0;
  const work: number[] = [];
  for (const { name, ph, tdur, dur, args } of traceEvents) {
    const { state, affects_smoothness } = args?.frame_reporter ?? {};
    // A frame whose main thread is late has two reporters, but is drawn once.
    if (name === 'Display::DrawAndSwap' && ph !== 'E') shown++;
    if (name === 'PipelineReporter' && state === 'STATE_DROPPED' && affects_smoothness) dropped++;
    if (name === 'ProxyMain::BeginMainFrame' && ph === 'X') work.push((tdur ?? dur ?? 0) / 1000);
  }
  if (shown === 0) throw new Error('the trace has no frames');
  return { shown, dropped, work };
}
