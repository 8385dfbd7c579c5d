import { mkdirSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { serveSmtpDouble } from '../../platform/mail/smtp-double.ts';
import { espnTimelines, plainGame } from '../../sources/simulated-provider/game-story.ts';
import { createSimulatedProvider, serveSimulated } from '../../sources/simulated-provider/simulated-provider.ts';
import { complaints, fitsItsWidth, launchBrowser, type Manner, PATIENCE } from './browsing.ts';
import { type RunningServer, runServer } from './demo-server.ts';

/** Pictures of all pages, for people to look at: a folder, or none. */
const PICTURES = process.env.PICTURES;
const PASSWORD = 'a fine password of Ann';
const MANNERS: readonly Manner[] = (['light', 'dark'] as const).flatMap((look) =>
  [380, 1280].map((width) => ({ look, width })),
);
const team = (id: string, name: string) => ({ id, name, abbreviation: name.slice(0, 3).toUpperCase() });

let browser: Browser;
let espn: Awaited<ReturnType<typeof serveSimulated>>;
let smtp: Awaited<ReturnType<typeof serveSmtpDouble>>;
let folder: string;
beforeAll(async () => {
  browser = await launchBrowser();
  const startsAt = Date.now() - 60_000;
  const game = { league: 'nba', id: '401', startsAt, home: team('1', 'Celtics'), away: team('2', 'Knicks') } as const;
  espn = await serveSimulated(createSimulatedProvider({ timelines: espnTimelines([plainGame(game)]), now: Date.now }));
  smtp = await serveSmtpDouble();
  folder = mkdtempSync(join(tmpdir(), 'll-first-hour-'));
});
afterAll(async () => {
  await browser.close();
  await Promise.all([espn.close(), smtp.close()]);
  rmSync(folder, { recursive: true, force: true });
});

/** Looks at the page that is open, in both looks and at both widths. */
async function look(page: Page, name: string): Promise<void> {
  for (const { look, width } of MANNERS) {
    await page.setViewportSize({ width, height: 800 });
    await page.emulateMedia({ colorScheme: look });
    expect([name, look, width, await complaints(page), await fitsItsWidth(page)]).toEqual([
      name,
      look,
      width,
      [],
      true,
    ]);
    if (PICTURES === undefined) continue;
    mkdirSync(PICTURES, { recursive: true });
    await page.screenshot({ path: join(PICTURES, `${name}-${look}-${width}.png`), fullPage: true });
  }
}

describe('the first hour', () => {
  it('leads from an empty folder to real scores, a backup and a mail, in the browser alone', async () => {
    const server: RunningServer = await runServer({ ESPN_URL: espn.address, FEED_PACE: '10' });
    const context = await browser.newContext({ locale: 'en-GB', reducedMotion: 'reduce' });
    context.setDefaultTimeout(PATIENCE.timeout);
    try {
      const page = await context.newPage();
      const faults: string[] = [];
      page.on('pageerror', ({ message }) => faults.push(message));

      await page.goto(`${server.url}/`);
      await page.waitForURL(`${server.url}/setup`);
      await look(page, '1-owner');
      await page.getByLabel('E-mail').fill('ann@a.example');
      await page.getByLabel('Password').fill('short');
      await page.getByRole('button', { name: 'Become the owner' }).click();
      await page.getByRole('alert').waitFor();
      await look(page, '1-owner-refused');
      await page.getByLabel('Password').fill(PASSWORD);
      await page.getByRole('button', { name: 'Become the owner' }).click();

      await page.waitForURL(`${server.url}/setup/sport`);
      await look(page, '2-sport');
      await page.getByLabel('Real sport').check();
      for (const one of await page.locator('input[name="league"]').all()) await one.uncheck();
      await page.locator('input[name="league"][value="nba"]').check();
      await page.getByRole('button', { name: 'Save and go on' }).click();

      await page.waitForURL(`${server.url}/setup/storage`);
      await look(page, '3-storage');
      await page.getByLabel('A folder').check();
      await page.getByLabel('Path').fill('backups');
      await page.getByRole('button', { name: 'Try it, save and go on' }).click();
      await page.getByRole('alert').waitFor();
      await look(page, '3-storage-refused');
      await page.getByLabel('Path').fill(join(folder, 'backups'));
      await page.getByRole('button', { name: 'Try it, save and go on' }).click();

      await page.waitForURL(`${server.url}/setup/people`);
      await look(page, '4-people');
      await page.getByLabel('By a mail server').check();
      await page.getByLabel('Host').fill('127.0.0.1');
      await page.getByLabel('Port (optional)').fill(String(smtp.port));
      await page.getByLabel('Nobody by themselves').check();
      await page.getByRole('button', { name: 'Try it, save and go on' }).click();

      await page.waitForURL(`${server.url}/setup/summary`);
      await page.getByText('The mail server has taken the mail to ann@a.example.').waitFor();
      expect(smtp.taken.map(({ to }) => to)).toEqual([['ann@a.example']]);
      await look(page, '5-summary');
      await page.getByRole('button', { name: 'Start again now' }).click();

      await page.getByText('Everything that you chose is in force.').waitFor();
      await look(page, '6-done');
      await page.getByRole('button', { name: 'Finish, and open the live page' }).click();
      await page.getByText('Celtics').first().waitFor();
      if (PICTURES !== undefined) await page.screenshot({ path: join(PICTURES, '7-live.png') });
      expect(await page.getByText(/simulated/i).count()).toBe(0);
      await expect.poll(() => readdirSync(join(folder, 'backups')).length).toBeGreaterThan(0);
      expect(faults).toEqual([]);
    } finally {
      await context.close();
      await server.stop();
    }
  });
});
