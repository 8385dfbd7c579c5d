import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { readConfig } from '../../../src/platform/settings/config.ts';
import { market, NFL, odds, schedule, splits } from '../../api/spec/messages.ts';
import { type Composed, composed } from '../../support/composed.ts';

const INGEST_KEY = 'the-ingest-key';
const folder = mkdtempSync(join(tmpdir(), 'll-bookmakers-'));
const CONFIG = join(folder, 'config.json');

const SLUGS = ['aaa_unnamed', 'zeta_bets', 'alpha_bets', 'draftkings', 'pinnacle'];
const SHARES = { home: { bets_pct: 60, handle_pct: 70 }, away: { bets_pct: 40, handle_pct: 30 } };
const PRICES = market('h2h', [
  ['home', -150],
  ['away', 130],
]);

let server: Composed;
let key: string;

beforeAll(async () => {
  // Given: a known bookmaker under another name, and two new ones.
  const bookmakers = { draftkings: 'The Kings', zeta_bets: 'Zeta', alpha_bets: 'Alpha' };
  writeFileSync(CONFIG, JSON.stringify({ bookmakers }));
  server = await composed({ settings: readConfig({ CONFIG, INGEST_KEY, LIVE_PAGE: 'off' }) });
  await server.core.runner.start();
  ({ key } = await server.newKey());
  const messages = [
    schedule(NFL, 'g1', ['Los Angeles Rams', 'Jacksonville Jaguars'], '2026-03-01T18:00:00Z'),
    ...SLUGS.map((bookmaker) => odds('g1', bookmaker, [PRICES])),
    ...SLUGS.map((bookmaker) => splits('g1', { moneyline: SHARES }, { bookmaker })),
  ];
  const taken = await fetch(`${server.url}/ingest/v1/messages?wait=projected`, {
    method: 'POST',
    headers: { authorization: `Bearer ${INGEST_KEY}`, 'content-type': 'application/x-ndjson' },
    body: messages.map((message) => JSON.stringify(message)).join('\n'),
  });
  expect(await taken.json()).toMatchObject({ accepted: messages.length, errors: [] });
});
afterAll(async () => {
  await server.close();
  rmSync(folder, { recursive: true, force: true });
});

async function bookmakersOf(path: string): Promise<{ bookmaker: string; name: string }[]> {
  const answer = await fetch(`${server.url}/v1/events/1/${path}`, { headers: { authorization: `Bearer ${key}` } });
  const { bookmakers } = (await answer.json()) as { bookmakers: { bookmaker: string; name: string }[] };
  return bookmakers;
}

describe('bookmakers of the file that CONFIG names', () => {
  // Then: as the defaults stand, behind them the new ones as the file has them, and whoever has no name at the end.
  const IN_ORDER = ['pinnacle', 'draftkings', 'zeta_bets', 'alpha_bets', 'aaa_unnamed'];

  it('are called in the splits as the file calls them, and by their slug where nothing names them', async () => {
    const named = (await bookmakersOf('splits')).map(({ bookmaker, name }) => [bookmaker, name]);

    expect(named).toEqual([
      ['pinnacle', 'Pinnacle'],
      ['draftkings', 'The Kings'],
      ['zeta_bets', 'Zeta'],
      ['alpha_bets', 'Alpha'],
      ['aaa_unnamed', 'aaa_unnamed'],
    ]);
  });

  it('stand in the odds in the order of their names', async () => {
    expect((await bookmakersOf('odds?bookmaker=all')).map(({ bookmaker }) => bookmaker)).toEqual(IN_ORDER);
  });
});
