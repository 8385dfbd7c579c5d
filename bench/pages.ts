import { join } from 'node:path';
import type { Benchmark, Figure } from './benchmark.ts';
import { type BrowserSession, openBrowserSession } from './browser-session.ts';
import { makePagesFolder, type PagesSizes, STAFF } from './pages-folder.ts';
import { percentile } from './percentile.ts';
import { startServer } from './server.ts';

const FULL: PagesSizes = { accounts: 100_000, calls: 10_000_000, securityEvents: 200_000 };
const QUICK: PagesSizes = { accounts: 1000, calls: 100_000, securityEvents: 2000 };
/** Of each page, one after the other; the first ones, in which the program is compiled, do not count. */
const VIEWS = { full: 300, quick: 30, warmUp: 30 };

interface MeasuredPage {
  readonly name: string;
  /** Addresses that are asked for in turn. */
  readonly paths: readonly string[];
}

const numbers = (count: number): readonly number[] => Array.from({ length: count }, (_, n) => n + 1);

/** A page more is a line more. One that the server does not have is left out, and said so. */
const PAGES: readonly MeasuredPage[] = [
  { name: '/usage', paths: ['/usage', '/usage?page=2', '/usage?days=90'] },
  {
    name: '/usage, filtered',
    paths: ['/usage?status=4xx', '/usage?q=get_odds', '/usage?key_id=3', '/usage?status=429&key_id=5&q=event'],
  },
  { name: '/analytics', paths: ['/analytics', '/analytics?days=90', '/analytics?days=7'] },
  { name: '/dashboard', paths: ['/dashboard'] },
  { name: '/api-keys', paths: ['/api-keys'] },
  { name: '/billing', paths: ['/billing'] },
  { name: '/account', paths: ['/account'] },
  { name: '/admin/users', paths: numbers(20).map((page) => `/admin/users?page=${page}`) },
  { name: '/admin/users, searched', paths: numbers(20).map((n) => `/admin/users?q=person${n * 37}`) },
  { name: '/admin/customers', paths: numbers(20).map((page) => `/admin/customers?page=${page}`) },
  { name: '/admin/customers, searched', paths: numbers(20).map((n) => `/admin/customers?q=person${n * 37}`) },
  {
    name: '/admin/security',
    paths: [
      '/admin/security',
      '/admin/security?page=5',
      '/admin/security?severity=info',
      '/admin/security?ip=192.0.2.7',
    ],
  },
];

export const pages: Benchmark = {
  name: 'pages',
  summary:
    'pages of the browser application at 100,000 accounts and 10,000,000 calls, against a file of the same server',
  runs: 1,
  async run({ folder, quick, say }) {
    const data = join(folder, 'pages');
    await makePagesFolder(data, quick ? QUICK : FULL, say);
    const server = await startServer({ folder: data });
    try {
      const browser = openBrowserSession(server.port);
      const { status } = await browser.post('/login', STAFF);
      if (status !== 303) throw new Error(`the sign-in was answered ${status}`);
      return await measure(browser, quick ? VIEWS.quick : VIEWS.full, say);
    } finally {
      await server.stop();
    }
  },
};

async function measure(
  browser: BrowserSession,
  views: number,
  say: (text: string) => void,
): Promise<readonly Figure[]> {
  const floorPath = /href="(\/site\/assets\/[^"]+\.css)"/.exec((await browser.get('/usage')).body)?.[1];
  if (floorPath === undefined) throw new Error('the pages have no style');
  const figures: Figure[] = [];
  for (const [index, { name, paths }] of PAGES.entries()) {
    browser.moveTo(index + 2);
    const { status } = await browser.get(paths[0]!);
    if (status === 404) {
      say(`there is no ${name}`);
      continue;
    }
    const times: number[] = [];
    const floor: number[] = [];
    for (let n = -VIEWS.warmUp; n < views; n++) {
      const path = paths[Math.abs(n) % paths.length]!;
      // In turn: what else the machine does at times falls on both alike.
      const page = await browser.get(path);
      const file = await browser.get(floorPath);
      for (const { status, body } of [page, file]) {
        if (status !== 200) throw new Error(`${path}: ${status}, ${body.slice(0, 1000)}`);
      }
      if (n < 0) continue;
      times.push(page.ms);
      floor.push(file.ms);
    }
    const figure = (what: string, share: number): Figure => ({
      what: `${name}, ${what}`,
      value: percentile(times, share),
      unit: 'ms',
      floor: { what: 'a file of 5 kB', value: percentile(floor, share) },
    });
    figures.push(figure('p50', 0.5), {
      ...figure('p95', 0.95),
      goal: { of: 'value', bound: 'at most', number: 50 },
    });
  }
  return figures;
}
