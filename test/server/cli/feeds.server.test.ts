import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';

import { espnTimelines, oddsApiTimelines, plainGame } from '../../sources/simulated-provider/game-story.ts';
import { createSimulatedProvider, serveSimulated } from '../../sources/simulated-provider/simulated-provider.ts';
import { run, startServer, temporaryFolder } from './launching.ts';

const BOOTSTRAP_KEY = `llk_${'a'.repeat(12)}.${'b'.repeat(43)}`;
const KEY = 'the-operators-own-key';
const team = (id: string, name: string) => ({ id, name, abbreviation: name.slice(0, 3).toUpperCase() });
const games = [
  plainGame({
    league: 'nba',
    id: '401',
    startsAt: Date.now() - 60_000,
    home: team('1', 'Celtics'),
    away: team('2', 'Knicks'),
  }),
];

let espn: Awaited<ReturnType<typeof serveSimulated>>;
let oddsApi: Awaited<ReturnType<typeof serveSimulated>>;
beforeEach(async () => {
  const credits = { key: KEY, credits: 500 };
  espn = await serveSimulated(createSimulatedProvider({ timelines: espnTimelines(games), now: Date.now }));
  oddsApi = await serveSimulated(
    createSimulatedProvider({ timelines: oddsApiTimelines(games), credits, now: Date.now }),
  );
});
afterEach(() => Promise.all([espn.close(), oddsApi.close()]));
const env = () => ({ ESPN_URL: espn.address, THE_ODDS_API_URL: oddsApi.address, THE_ODDS_API_KEY: KEY });

describe('feeds', () => {
  it('list tells each connector in a line of JSON, without the key', async () => {
    const { code, stdout } = await run(['feeds', 'list'], { env: { ...env(), FEEDS: 'espn', FEED_LEAGUES: 'nba' } });
    const lines = stdout
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line));
    expect([code, lines.map(({ source, enabled }) => [source, enabled])]).toEqual([
      0,
      [
        ['action-network', false],
        ['espn', true],
        ['kalshi', false],
        ['mlb', false],
        ['nhl', false],
        ['polymarket', false],
        ['polymarket-clob', false],
        ['the-odds-api', false],
      ],
    ]);
    expect(lines[1]).toMatchObject({ url: espn.address, leagues: ['nba'], settings: { pace: 1 } });
    expect(stdout).not.toContain(KEY);
  });

  it('check asks once, reports, and records nothing; --messages prints the feed messages', async () => {
    const folder = temporaryFolder();
    const { code, stdout } = await run(
      ['feeds', 'check', 'espn', '--league', 'nba', '--data-dir', join(folder, 'data')],
      { env: env() },
    );
    const report = JSON.parse(stdout.trim().split('\n').at(-1)!);
    expect(Object.keys(report)).toEqual([
      'refused',
      'source',
      'headers',
      'requests',
      'leagues',
      'messages',
      'rejected',
      'drift',
      'credits',
    ]);
    expect(report).toMatchObject({ source: 'espn', leagues: { nba: 1 }, rejected: 0, drift: [], credits: 0 });
    expect(report.messages).toMatchObject({ schedule: expect.any(Number), score: expect.any(Number) });
    expect(report.requests.every(({ status, error }: any) => status === 200 && error === null)).toBe(true);
    expect([code, readdirSync(folder)]).toEqual([0, []]);

    const printed = await run(['feeds', 'check', 'espn', '--league', 'nba', '--messages'], { env: env() });
    const kinds = printed.stdout
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line).kind);
    expect([printed.code, kinds]).toEqual([0, expect.arrayContaining(['schedule', 'score', 'team', 'injury'])]);
  });

  it('check hides the key, and ends with 1 where a request failed', async () => {
    const good = await run(['feeds', 'check', 'the-odds-api', '--league', 'nba'], { env: env() });
    const report = JSON.parse(good.stdout);
    expect([good.code, report.leagues]).toEqual([0, { nba: 1 }]);
    expect(report.credits).toBeGreaterThan(0);
    expect(report.requests[0].url).toContain('apiKey=***');
    expect(good.stdout).not.toContain(KEY);

    const bad = await run(['feeds', 'check', 'espn', '--league', 'mlb'], { env: env() });
    expect([bad.code, JSON.parse(bad.stdout).requests[0].error]).toEqual([
      1,
      { code: 'http_404', message: 'the answer has status 404' },
    ]);
  });

  it.each([
    [[], 'list or check?'],
    [['check'], 'SOURCE must be one of'],
    [['check', 'nobody'], 'SOURCE must be one of'],
    [['check', 'espn', '--league', 'xfl'], '--league must be one of'],
    [['check', 'the-odds-api'], 'THE_ODDS_API_KEY: is needed'],
    [['list', 'espn'], 'feeds list takes no espn'],
  ])('%j is refused in one line, with 2', async (args, text) => {
    const { code, stdout, stderr } = await run(['feeds', ...args]);
    expect([code, stdout, stderr.trim().split('\n').length]).toEqual([2, '', 1]);
    expect(stderr).toContain(text);
  });
});

it('a server with FEEDS polls, archives, says so, keeps the key to itself, and ends in time', async () => {
  const folder = temporaryFolder();
  const archive = join(folder, 'archive');
  const more = {
    FEEDS: 'espn,the-odds-api',
    FEED_LEAGUES: 'nba',
    FEED_PACE: '10',
    FEED_ARCHIVE: archive,
    BOOTSTRAP_KEY,
    LOG_LEVEL: 'trace',
  };
  const server = await startServer(join(folder, 'data'), { ...env(), ...more });
  await server.has('live feeds: espn, the-odds-api');
  await server.has('FEED_CONTACT is not set');
  const headers = { authorization: `Bearer ${BOOTSTRAP_KEY}` };
  const health = async () =>
    ((await (await fetch(`${server.url}/v1/health`, { headers })).json()) as any).feeds as any[];
  // What happens in another process can only be asked for.
  while ((await health()).some(({ messages }) => messages === 0))
    await new Promise((resolve) => setTimeout(resolve, 50));
  const told = await health();
  expect(told.map(({ name, state }) => [name, state])).toEqual([
    ['espn', 'ok'],
    ['the-odds-api', 'ok'],
  ]);
  server.child.kill('SIGTERM');
  const { code, stdout, stderr } = await server.ended;
  expect(code).toBe(0);
  const files = readdirSync(archive, { recursive: true, encoding: 'utf8' }).filter((name) => name.endsWith('.ndjson'));
  const raw = files.map((name) => readFileSync(join(archive, name), 'utf8')).join('');
  expect(files.some((name) => name.startsWith('the-odds-api/'))).toBe(true);
  expect(raw).toContain('apiKey=***');
  for (const text of [stdout, stderr, raw, JSON.stringify(told)]) expect(text).not.toContain(KEY);
  // The same day again from the archive says nothing new.
  const ofEspn = files.filter((name) => name.startsWith('espn/')).map((name) => join(archive, name));
  const imported = await run(['import', 'espn', ...ofEspn, '--data-dir', join(folder, 'data')]);
  const report = JSON.parse(imported.stdout.trim().split('\n').at(-1)!);
  expect([report.rejected, report.quarantined]).toEqual([0, 0]);
  expect(report.received).toBeGreaterThan(0);
});
