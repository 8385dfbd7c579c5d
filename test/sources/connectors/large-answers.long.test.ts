import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Intake } from '../../../src/ingest/intake/intake.ts';
import { actionNetworkProvider } from '../../../src/sources/action-network/provider.ts';
import { createConnectorFigures } from '../../../src/sources/connectors/connector-figures.ts';
import { createAnswerCache } from '../../../src/sources/connectors/provider-answer-cache.ts';
import { createProviderClient } from '../../../src/sources/connectors/provider-client.ts';
import { openTransport } from '../../../src/sources/connectors/provider-transport.ts';
import { createRecentMessages } from '../../../src/sources/connectors/recent-messages.ts';
import { createRequestRunner } from '../../../src/sources/connectors/request-runner.ts';
import { espnProvider } from '../../../src/sources/espn/provider.ts';
import type { Provider, ProviderRequest } from '../../../src/sources/provider-base/provider.ts';
import { createScoreGuard } from '../../../src/sources/provider-base/score-guard.ts';
import { theOddsApiProvider } from '../../../src/sources/the-odds-api/provider.ts';
import { createTimers } from '../../api/streams/timers.ts';
import { longestBlocking, MAX_BLOCKING_MS } from '../../support/longest-blocking.ts';
import { fakeHost } from './fake-provider.ts';

const NOW = Date.parse('2026-11-23T18:00:00Z');
const MIB = 1024 * 1024;

/** Text around as many copies as fit into so many bytes. */
const filled = (before: string, item: (index: number) => string, after: string, bytes = 8 * MIB - 1024): string => {
  const items: string[] = [];
  for (let length = before.length + after.length, index = 0; ; index++) {
    const text = item(index);
    length += text.length + 1;
    if (length > bytes) return `${before}${items.join(',')}${after}`;
    items.push(text);
  }
};

const side = (homeAway: string, id: number) => ({ id, homeAway, team: { id, displayName: `Team ${id}` } });
const PADDING = 'x'.repeat(400);
const game = (index: number) => ({
  padding: PADDING,
  id: `${index}`,
  date: '2026-11-24T18:00Z',
  status: { type: { name: 'STATUS_SCHEDULED', state: 'pre' } },
  competitions: [
    {
      id: `${index}`,
      date: '2026-11-24T18:00Z',
      competitors: [side('home', 2 * index + 1), side('away', 2 * index + 2)],
    },
  ],
});
const outcomes = [
  { name: 'Home', price: -110 },
  { name: 'Away', price: -110 },
];
const odds = (index: number, bookmakers: unknown[]) => ({
  padding: PADDING,
  id: `event-${index}`,
  sport_key: 'americanfootball_nfl',
  commence_time: '2026-11-24T18:00:00Z',
  home_team: 'Home',
  away_team: 'Away',
  bookmakers,
});
const book = (index: number) => ({ key: `book_${index}`, markets: [{ key: 'h2h', outcomes }] });
const played = (index: number) => ({
  padding: PADDING,
  id: index,
  league_name: 'nfl',
  start_time: '2026-11-24T18:00:00Z',
  status: 'scheduled',
  home_team_id: 1,
  away_team_id: 2,
  teams: [
    { id: 1, full_name: 'Kansas City Chiefs', abbr: 'KC' },
    { id: 2, full_name: 'Buffalo Bills', abbr: 'BUF' },
  ],
});
const oddsApi = () =>
  theOddsApiProvider({ regions: ['us'], markets: ['h2h'], eventMarkets: [], scores: false } as never);

interface Wide {
  readonly provider: () => Provider;
  readonly path: string;
  readonly list: readonly [before: string, after: string];
  readonly item: (index: number) => unknown;
  /** One item with as much in it as an answer can have. */
  readonly huge: () => string;
}
const espnOdds = {
  provider: { id: '58', name: 'ESPN BET' },
  overUnder: 41,
  spread: -3,
  homeTeamOdds: {},
  awayTeamOdds: {},
};
const PROVIDERS: readonly (readonly [string, Wide])[] = [
  [
    'espn',
    {
      provider: () => espnProvider(),
      path: '/apis/site/v2/sports/football/nfl/scoreboard',
      list: ['{"events":[', ']}'],
      item: game,
      huge: () => {
        const { competitions, ...one } = game(1);
        const inner = JSON.stringify({ ...competitions[0], odds: 'HERE' }).split('"HERE"');
        const text = filled(`${inner[0]}[`, () => JSON.stringify(espnOdds), `]${inner[1]}`, 8 * MIB - 5000);
        return `{"events":[${JSON.stringify(one).slice(0, -1)},"competitions":[${text}]}]}`;
      },
    },
  ],
  [
    'the-odds-api',
    {
      provider: oddsApi,
      path: '/v4/sports/americanfootball_nfl/odds',
      list: ['[', ']'],
      item: (index) => odds(index, [book(1), book(2)]),
      huge: () => {
        const [before, after] = JSON.stringify(odds(1, ['HERE'])).split('"HERE"');
        return `[${filled(before!, (index) => JSON.stringify(book(index)), after!, 8 * MIB - 5000)}]`;
      },
    },
  ],
  [
    'action-network',
    {
      provider: () => actionNetworkProvider(),
      path: '/web/v2/scoreboard/nfl',
      list: ['{"games":[', ']}'],
      item: played,
      huge: () => {
        const price = { odds: -110, type: 'moneyline', side: 'home', period: 'event', is_live: false };
        const market = filled(`{"15":{"event":{"moneyline":[`, () => JSON.stringify(price), ']}}}', 8 * MIB - 5000);
        return `{"games":[${JSON.stringify(played(1)).slice(0, -1)},"markets":${market}}]}`;
      },
    },
  ],
];

let host: Awaited<ReturnType<typeof fakeHost>>;
beforeEach(async () => {
  host = await fakeHost((_, response) => response.end());
});
afterEach(() => host.close());

async function ask(provider: Provider, path: string, body: string) {
  host.answerWith((_, response) => response.end(body));
  const timers = createTimers();
  const figures = createConnectorFigures();
  const intake: Intake = {
    accept: async (items) => ({
      outcomes: items.map(({ line }) => ({ line, status: 'accepted' as const })),
      positions: new Map(),
    }),
  };
  const errors: unknown[] = [];
  const run = createRequestRunner({
    provider,
    address: host.address,
    client: createProviderClient({
      transport: openTransport(),
      timeoutMs: 10_000,
      now: () => NOW,
      steadyNow: timers.now,
      setTimer: timers.setTimer,
      userAgent: 'Ledgerline/0',
    }),
    intake,
    name: 'espn',
    guard: createScoreGuard(1),
    answerCache: createAnswerCache(),
    recentMessages: createRecentMessages(),
    figures,
    now: () => NOW,
    onError: (error) => errors.push(error),
  });
  const request = {
    key: 'a',
    kind: 'scoreboard',
    league: 'nfl',
    path,
    query: { dates: '20261124' },
    intervalSeconds: 30,
  };
  const signal = new AbortController().signal;
  const { result: report, longest } = await longestBlocking(() => run(request as unknown as ProviderRequest, signal));
  expect(errors).toEqual([]);
  return { report, longest, error: figures.health('ok', NOW).last_error };
}

describe.each(PROVIDERS)('an answer of %s', (_name, { provider, path, list: [before, after], item, huge }) => {
  const wide = (one: (index: number) => string) => filled(before, one, after);

  it.each([
    ['arrays', '[', ']'],
    ['objects', '{"a":', '}'],
  ])('nested a million levels deep in %s is refused, and holds nobody up', async (_, open, close) => {
    const levels = MIB;
    const { report, longest, error } = await ask(
      provider(),
      path,
      `${before}${open.repeat(levels)}${open === '[' ? '' : 1}${close.repeat(levels)}${after}`,
    );
    expect(report).toMatchObject({ result: 'failed' });
    expect(error).toEqual({ code: 'too_deep', message: 'the answer is nested deeper than 40 levels' });
    expect(longest).toBeLessThan(MAX_BLOCKING_MS);
  });

  it.each([
    ['of empty objects', () => wide(() => '{}')],
    ['of nulls', () => filled(before, () => 'null', after, 4 * MIB)],
    ['of a great many small things', () => filled(before, () => '{}', after, 2 * MIB)],
    ['of games', () => wide((index) => JSON.stringify(item(index)))],
    ['with all in one game', huge],
  ])('as large as allowed, %s, holds nobody up', async (_, body) => {
    const { report, longest } = await ask(provider(), path, body());
    expect(report).toBeDefined();
    expect(longest).toBeLessThan(MAX_BLOCKING_MS);
  });
});
