import type { Browser, BrowserContextOptions, Download, Locator, Page } from 'playwright-core';
import { expect } from 'vitest';
import { complaints, fitsItsWidth, type Manner, PATIENCE, visit } from './browsing.ts';

/** How somebody works a page: by pointing at things, or with the keyboard alone. */
interface Hands {
  follow(link: Locator): Promise<void>;
  press(button: Locator): Promise<void>;
  type(field: Locator, text: string): Promise<void>;
  choose(field: Locator, value: string): Promise<void>;
  tick(field: Locator): Promise<void>;
  /** Opens what is folded. */
  turn(summary: Locator): Promise<void>;
  /** What is looked for at each page that comes. */
  arrive(): Promise<void>;
}

export interface Walk extends Omit<Hands, 'arrive' | 'follow' | 'press'> {
  readonly page: Page;
  /** Goes to another page, which is then looked at. @param status of its answer, 200 unless told */
  follow(link: Locator, path: string | RegExp): Promise<void>;
  press(button: Locator, path: string | RegExp, status?: number): Promise<void>;
  /** Goes to a page of the account's menu, in the header. */
  menu(name: string, path: string | RegExp): Promise<void>;
  /** Goes to a page that is none of the application's. */
  leave(button: Locator, path: string): Promise<void>;
  open(path: string, status?: number): Promise<void>;
  download(link: Locator): Promise<Download>;
  /** Of the page, as far as it is in this section. */
  section(heading: string): Locator;
  button(name: string | RegExp, within?: Locator): Locator;
  link(name: string | RegExp, within?: Locator): Locator;
  field(name: string | RegExp, within?: Locator): Locator;
  /** The message that stands once. */
  told(): Promise<string | null>;
  close(): Promise<void>;
}

const WITH_POINTER = (): Hands => ({
  follow: (link) => link.click(),
  press: (button) => button.click(),
  type: (field, text) => field.fill(text),
  choose: async (field, value) => void (await field.selectOption(value)),
  tick: (field) => field.check(),
  turn: (summary) => summary.click(),
  arrive: async () => undefined,
});

/** More stops than any page has. */
const MOST_STOPS = 250;

const WITH_KEYBOARD = (page: Page): Hands => {
  async function reach(element: Locator): Promise<void> {
    await element.waitFor();
    const isThere = () => element.evaluate((one) => one === document.activeElement);
    for (let stops = 0; !(await isThere()); stops++) {
      if (stops === MOST_STOPS) throw new Error(`Tab does not lead to ${element}`);
      await page.keyboard.press('Tab');
    }
    expect(await element.evaluate(showsFocus), `${element} shows that the keyboard is at it`).toBe(true);
  }
  return {
    async follow(link) {
      await reach(link);
      await page.keyboard.press('Enter');
    },
    async press(button) {
      await reach(button);
      await page.keyboard.press('Space');
    },
    async type(field, text) {
      await reach(field);
      await page.keyboard.press('Control+A');
      if (text === '') await page.keyboard.press('Delete');
      else await page.keyboard.type(text);
    },
    async choose(field, value) {
      await reach(field);
      const texts = (await field.locator('option').all()).length;
      await page.keyboard.press('Home');
      for (let at = 0; (await field.inputValue()) !== value; at++) {
        if (at > texts) throw new Error(`the arrows do not lead to ${value}`);
        await page.keyboard.press('ArrowDown');
      }
    },
    async tick(field) {
      await reach(field);
      await page.keyboard.press('Space');
      expect(await field.isChecked()).toBe(true);
    },
    async turn(summary) {
      await reach(summary);
      await page.keyboard.press('Enter');
    },
    async arrive() {
      await page.keyboard.press('Tab');
      expect(await page.evaluate(() => document.activeElement?.className)).toBe('skip-link');
      await page.keyboard.press('Enter');
      expect(await page.evaluate(() => document.activeElement?.id)).toMatch(/./);
      // Back to the beginning, for whoever wants the links of the header.
      await page.evaluate(() => (document.activeElement as HTMLElement).blur());
    },
  };
};

const showsFocus = (element: Element): boolean => {
  const { outlineStyle, outlineWidth, boxShadow } = getComputedStyle(element);
  return (outlineStyle !== 'none' && Number.parseFloat(outlineWidth) >= 1) || boxShadow !== 'none';
};

/** Elements by what axe sees in them: text and values aside. */
const kindsOfElements = (): readonly string[] =>
  Array.from(document.querySelectorAll('*'), ({ tagName, className, attributes, parentElement }) =>
    [parentElement?.tagName, tagName, className, ...Array.from(attributes, ({ name }) => name)].join(' '),
  );

export interface WalkOptions {
  readonly hands?: 'pointer' | 'keyboard';
  /** Off: as a browser without scripts, which axe cannot look at either. */
  readonly scripts?: boolean;
  readonly axe?: boolean;
  readonly context?: BrowserContextOptions;
  /** Statuses of pages that are to be seen on the way: a browser's console calls them errors. */
  readonly statuses?: readonly number[];
  /** A folder for pictures of all pages, for people to look at. */
  readonly pictures?: string | undefined;
}

/** Somebody who walks through the application, and looks at every page that he comes to. */
export async function walk(browser: Browser, url: string, manner: Manner, options: WalkOptions = {}): Promise<Walk> {
  const { hands: by = 'pointer', scripts = true, axe = scripts, statuses = [] } = options;
  const visited = await visit(browser, url, manner, { javaScriptEnabled: scripts, ...options.context });
  const { page, faults } = visited;
  page.setDefaultTimeout(PATIENCE.timeout);
  const hands = by === 'pointer' ? WITH_POINTER() : WITH_KEYBOARD(page);
  const titles = new Map<string, string>();
  const examined = new Map<string, Set<string>>();
  let pictures = 0;

  /** Something on the page that was not there when axe looked at the same one: axe takes longer than all else. */
  async function hasNews(at: string): Promise<boolean> {
    const seen = examined.get(at) ?? new Set<string>();
    examined.set(at, seen);
    const before = seen.size;
    for (const kind of await page.evaluate(kindsOfElements)) seen.add(kind);
    return seen.size > before;
  }

  /** @param status other than 200: the page tells of an error, and is called as others that tell of it */
  async function look(status = 200): Promise<void> {
    const title = await page.title();
    const path = new URL(page.url()).pathname;
    const heading = await page.locator('h1').allTextContents();
    expect(heading, `the h1 of ${path}`).toHaveLength(1);
    expect(title, `the title of ${path}`).toMatch(/Ledgerline/);
    if (status === 200) {
      const kind = path.replace(/\d+/g, '{id}');
      expect(titles.get(title) ?? kind, `${path} has a title of its own`).toBe(kind);
      titles.set(title, kind);
    }
    expect(await page.locator('a.skip-link').count(), `skip link of ${path}`).toBe(1);
    expect(await fitsItsWidth(page), `${path} fits its width`).toBe(true);
    await picture(path);
    if (axe && (await hasNews(`${status} ${path}`))) expect(await complaints(page), `axe at ${path}`).toEqual([]);
    await hands.arrive();
    expect(
      faults.filter((fault) => !statuses.some((status) => fault.includes(`status of ${status}`))),
      `faults at ${path}`,
    ).toEqual([]);
  }

  async function picture(path: string): Promise<void> {
    if (options.pictures === undefined) return;
    const name = `${String(++pictures).padStart(2, '0')}${path.replaceAll('/', '_')}`;
    const folder = `${options.pictures}/${manner.look}-${manner.width}-${by}${scripts ? '' : '-no-scripts'}`;
    await page.screenshot({ path: `${folder}/${name}.png`, fullPage: true });
  }

  async function leave(act: () => Promise<unknown>, to: string | RegExp): Promise<void> {
    await Promise.all([page.waitForEvent('load'), act()]);
    const { pathname, search } = new URL(page.url());
    if (typeof to === 'string') expect(pathname + search).toBe(to);
    else expect(pathname + search).toMatch(to);
  }
  async function go(act: () => Promise<unknown>, to: string | RegExp, status?: number): Promise<void> {
    await leave(act, to);
    await look(status);
  }

  const body = page.locator('body');
  const link: Walk['link'] = (name, within = body) => within.getByRole('link', { name, exact: true });
  return {
    page,
    follow: (link, path) => go(() => hands.follow(link), path),
    press: (button, path, status) => go(() => hands.press(button), path, status),
    leave: (button, path) => leave(() => hands.press(button), path),
    async open(path, status = 200) {
      const answer = await page.goto(url + path);
      expect(answer?.status(), path).toBe(status);
      await look(status);
    },
    async download(link) {
      const [download] = await Promise.all([page.waitForEvent('download'), hands.follow(link)]);
      return download;
    },
    type: hands.type,
    choose: hands.choose,
    tick: hands.tick,
    turn: hands.turn,
    section: (name) => page.locator('section').filter({ has: page.getByRole('heading', { name, exact: true }) }),
    button: (name, within = body) => within.getByRole('button', { name, exact: true }),
    link,
    async menu(name, path) {
      const account = page.locator('.account-menu');
      await hands.turn(account.locator('summary'));
      await go(() => hands.follow(link(name, account)), path);
    },
    field: (name, within = body) => within.getByLabel(name, { exact: true }),
    told: () => page.locator('[role="status"]').textContent(),
    close: visited.close,
  };
}
