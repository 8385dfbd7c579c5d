import { existsSync } from 'node:fs';
import AxeBuilder from '@axe-core/playwright';
import { type Browser, type BrowserContextOptions, chromium, type Page } from 'playwright-core';
import { expect } from 'vitest';

const CHROMIUM = process.env.CHROMIUM_PATH ?? '/usr/bin/chromium';

/** How long is waited for something that the demo brings sooner or later, and for what the page does by itself. */
export const PATIENCE = { timeout: 90_000 } as const;
export const SOON = { timeout: 15_000 } as const;

export function launchBrowser(): Promise<Browser> {
  if (!existsSync(CHROMIUM)) {
    throw new Error(`There is no ${CHROMIUM}: install it (apt-get install chromium), or set CHROMIUM_PATH.`);
  }
  return chromium.launch({
    executablePath: CHROMIUM,
    args: [
      ...['--no-sandbox', '--disable-gpu', '--disable-quic', '--no-first-run', '--disable-sync'],
      ...['--disable-background-networking', '--disable-component-update'],
    ],
  });
}

export type Look = 'light' | 'dark';
export interface Manner {
  readonly look: Look;
  readonly width: number;
}

export const MANNERS: readonly Manner[] = (['light', 'dark'] as const).flatMap((look) =>
  [360, 1280].map((width) => ({ look, width })),
);

/** With it each width has one look, and the other one on the next day. */
const HAS_ONE_LOOK = process.env['PAGE_LOOKS'] === 'one';
const TODAY = Math.floor(Date.now() / 86_400_000);

/** Each look at the widths of a phone, a tablet, a laptop and a wide screen. */
export const PAGE_SIZES: readonly Manner[] = (['light', 'dark'] as const).flatMap((look, row) =>
  [380, 800, 1280, 2560]
    .filter((_, column) => !HAS_ONE_LOOK || (row + column + TODAY) % 2 === 0)
    .map((width) => ({ look, width })),
);

export interface Visit {
  readonly page: Page;
  /** What went wrong in the page, and what it asked others for. */
  readonly faults: readonly string[];
  close(): Promise<void>;
}

/** A browser of its own: nothing is remembered from other visits. Without motion, so that no test waits for it. */
export async function visit(
  browser: Browser,
  url: string,
  { look, width }: Manner,
  more: BrowserContextOptions = {},
): Promise<Visit> {
  const context = await browser.newContext({
    viewport: { width, height: 800 },
    colorScheme: look,
    reducedMotion: 'reduce',
    locale: 'en-GB',
    ...more,
  });
  // As somebody who has left the setup of a new server for later.
  await context.addCookies([{ name: 'setup', value: 'later', url }]);
  const page = await context.newPage();
  const faults: string[] = [];
  page.on('pageerror', (error) => faults.push(error.message));
  page.on('console', (message) => {
    if (message.type() === 'error') faults.push(message.text());
  });
  page.on('request', (request) => {
    if (!request.url().startsWith(`${url}/`) && !request.url().startsWith('data:')) faults.push(request.url());
  });
  await page.goto(`${url}/`);
  const close = async () => {
    // A route may be asking the server for what the page no longer waits for.
    await page.unrouteAll({ behavior: 'ignoreErrors' });
    await context.close();
  };
  return { page, faults, close };
}

/**
 * What axe finds, in words. No page holds another one, so axe need not be brought together from several ("legacy"), and
 * only what is wrong is told whole: each is about twice as fast.
 * @param least how many rules have something to look at: fewer beside an open dialog
 */
export async function complaints(page: Page, least = 20): Promise<string[]> {
  expect(page.frames()).toHaveLength(1);
  const axe = new AxeBuilder({ page }).setLegacyMode(true).options({ resultTypes: ['violations'] });
  const { violations, passes } = await axe.analyze();
  expect(passes.length).toBeGreaterThan(least);
  return violations.flatMap(({ id, help, nodes }) => nodes.map(({ html }) => `${id}: ${help}: ${html}`));
}

/** The page does not have to be scrolled sideways. */
export const fitsItsWidth = (page: Page): Promise<boolean> =>
  page.evaluate(() => document.documentElement.scrollWidth <= document.documentElement.clientWidth);

/** Where texts that the selector finds overlap, or are cut where nothing scrolls. In the odds screen, which scrolls, they may lie beyond its edge. */
export const layoutFaults = (page: Page, selector: string): Promise<string[]> =>
  page.evaluate((wanted) => {
    const scrolls = (one: Element): boolean =>
      one.closest('.table, .scrolls, .tabs, .story-chart, .hidden-text') !== null;
    const shown = [...document.querySelectorAll<HTMLElement>(wanted)]
      .filter((one) => one.checkVisibility() && !scrolls(one))
      .map((one) => ({ one, box: one.getBoundingClientRect(), name: one.textContent?.trim() || one.className }));
    const cut = shown.filter(
      ({ one, box }) =>
        getComputedStyle(one).display !== 'inline' &&
        (one.scrollWidth > one.clientWidth + 1 || (box.right > innerWidth && !one.closest('.screen-scroll'))),
    );
    const overlapping = shown.flatMap((a, at) =>
      shown.slice(at + 1).flatMap(({ box: b, one, name }) => {
        if (a.one.contains(one)) return [];
        const wide = Math.min(a.box.right, b.right) - Math.max(a.box.left, b.left);
        const high = Math.min(a.box.bottom, b.bottom) - Math.max(a.box.top, b.top);
        // Buttons beside each other share a border of one pixel.
        return wide > 1 && high > 1 ? [`${a.name} and ${name} overlap`] : [];
      }),
    );
    return [...cut.map(({ name }) => `${name} is cut`), ...overlapping];
  }, selector);

/** What the keyboard is at. */
export const focused = (page: Page): Promise<string> =>
  page.evaluate(() => {
    const element = document.activeElement;
    return `${element?.tagName.toLowerCase()}.${element?.className} ${element?.textContent?.trim() ?? ''}`;
  });

/** Presses Tab (or Shift+Tab) until the focus is on what is looked for. */
export async function tabTo(page: Page, selector: string, key: 'Tab' | 'Shift+Tab' = 'Tab'): Promise<void> {
  for (let presses = 0; presses < 400; presses++) {
    await page.keyboard.press(key);
    if (await page.evaluate((wanted) => document.activeElement?.matches(wanted) ?? false, selector)) return;
  }
  throw new Error(`${key} does not lead to ${selector}`);
}
