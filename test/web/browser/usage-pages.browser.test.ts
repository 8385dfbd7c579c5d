import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createUsageReader } from '../../../src/accounts/usage/create-usage-reader.ts';
import { createMemoryStore } from '../../../src/read-models/store/memory-store.ts';
import { ACCOUNT_ASSETS, layOutAccountPage } from '../../../src/web/account/account-layout.ts';
import { pageHeaders } from '../../../src/web/account/page-headers.ts';
import type { SignedInRequest } from '../../../src/web/account/page-route.ts';
import { usageRoutes } from '../../../src/web/account/usage/usage-routes.ts';
import { BASE_ASSETS, SITE_ASSETS } from '../../../src/web/layout/page-assets.ts';
import { givenCall, givenRecord, NOW, usageWorld } from '../../accounts/usage/usage-world.ts';
import { complaints, fitsItsWidth, launchBrowser, PAGE_SIZES, visit } from './browsing.ts';

const DAY = 86_400_000;
const LONG = 'a_key_whose_name_has_no_place_to_break_and_is_as_long_as_names_of_keys_may_become_in_this_application';
const OPERATIONS = ['get_event', 'get_odds', 'list_teams', 'get_player_events', null];

let browser: Browser;
let server: Server;
let url: string;

beforeAll(async () => {
  browser = await launchBrowser();
  const store = createMemoryStore();
  const records = Array.from({ length: 130 }, (_, n) =>
    givenRecord([
      givenCall(NOW - Math.round((n * n * DAY) / 600), {
        keyId: n % 3,
        operation: OPERATIONS[n % 5]!,
        status: n % 7 === 0 ? 404 : 200,
        credits: (n % 4) * 400,
      }),
    ]),
  );
  await (await usageWorld(store, records)).runner.stop();
  const keys = [
    { id: 1, name: LONG },
    { id: 2, name: 'Second' },
  ];
  const reader = createUsageReader({ store, now: () => NOW });
  const routes = usageRoutes({ usage: reader, keysOf: async () => keys, now: () => NOW });
  const assets = new Map(
    [...Object.values(SITE_ASSETS), BASE_ASSETS.style, ACCOUNT_ASSETS.style].map(({ path, page }) => [path, page]),
  );
  server = createServer(async (request, response) => {
    const { pathname: path, searchParams: query } = new URL(request.url!, 'http://localhost');
    const asset = assets.get(path);
    if (asset) return void response.setHeader('Content-Type', asset.type).end(asset.body);
    const route = routes.find((one) => one.path === path);
    if (route?.method !== 'GET') return void response.end('<!doctype html>');
    const session = { user: { accountId: 1, timezone: 'America/Argentina/Buenos_Aires', isStaff: true } };
    const seen = { method: 'GET', path, query, session, csrf: '', params: {} } as unknown as SignedInRequest;
    const answer = await route.run(seen);
    if (answer.kind !== 'page') return void response.end();
    const headers = [...pageHeaders(false), 'Content-Type', 'text/html; charset=utf-8'];
    response.writeHead(answer.status ?? 200, headers).end(layOutAccountPage(seen, { ...answer, isSimulated: false }));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
afterAll(async () => {
  await browser?.close();
  server?.close();
});

describe.each(PAGE_SIZES)('usage and analytics, $look, $width pixels wide', (manner) => {
  it.each([
    '/usage',
    '/usage?page=2&key_id=99&status=2xx',
    '/usage?days=0&key_id=x&status=9&page=0',
    '/analytics',
    '/analytics?days=90',
  ])('%s has nothing that axe finds, and fits', async (path) => {
    const { page, faults, close } = await visit(browser, url, manner);
    try {
      const answer = await page.goto(url + path);
      expect(await complaints(page)).toEqual([]);
      expect(await fitsItsWidth(page)).toBe(true);
      expect(faults.filter((fault) => !fault.includes(`status of ${answer!.status()}`))).toEqual([]);
    } finally {
      await close();
    }
  });
});
