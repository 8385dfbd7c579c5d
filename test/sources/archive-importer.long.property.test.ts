import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { SECOND } from '../../src/domain/primitives/time.ts';
import { actionNetworkProvider } from '../../src/sources/action-network/provider.ts';
import { espnProvider } from '../../src/sources/espn/provider.ts';
import { requestAddress } from '../../src/sources/espn/requests.ts';
import { guardScores } from '../../src/sources/provider-base/guarded-provider.ts';
import type { Provider, ProviderRequest } from '../../src/sources/provider-base/provider.ts';
import { createScoreGuard } from '../../src/sources/provider-base/score-guard.ts';
import { theOddsApiProvider } from '../../src/sources/the-odds-api/provider.ts';
import { cases } from '../support/cases.ts';
import { archived, importArchives, linesOf } from './archived-answers.ts';
import { event, scoreboard, status } from './espn/espn-answers.ts';
import { textOf } from './import-file.ts';
import type { Message } from './importing.ts';
import { NOW, readLive as readWhole } from './read-live-answers.ts';

/** An answer that may come, and what it answers. */
interface Possible {
  readonly address: Pick<ProviderRequest, 'path' | 'query'>;
  readonly body: unknown;
}

interface Source {
  readonly provider: () => Provider;
  readonly possible: readonly Possible[];
}

const STATES = [status('SCHEDULED', 'pre'), status('IN_PROGRESS', 'in', { period: 2 }), status('FINAL', 'post')];
const timeOf = (milliseconds: number) => new Date(milliseconds).toISOString();

const espnBoards: Possible[] = STATES.flatMap((state) =>
  ['20261122', '20261123', '20261124'].map((day) => {
    const games = ['1', '2', '2'].map((id) => ({ ...event(state, { id, date: '2026-11-24T01:00Z' }), id }));
    return { address: requestAddress('scoreboard', 'nfl', day)!, body: scoreboard('nfl', ...games) };
  }),
);
const injured = { status: 'Out', athlete: { id: '9', displayName: 'Ann' } };
const ESPN: Possible[] = [
  ...espnBoards,
  {
    address: requestAddress('injuries', 'nfl')!,
    body: { injuries: [{ id: '1', displayName: 'Hawks', injuries: [injured] }] },
  },
  { address: requestAddress('teams', 'nfl')!, body: { code: 404 } },
];

const ODDS: Possible[] = [-150, -160].flatMap((price) =>
  [0, 60].map((updated) => {
    const outcomes = [
      { name: 'Hawks', price },
      { name: 'Owls', price: 130 },
    ];
    const markets = price === -160 && updated === 60 ? [] : [{ key: 'h2h', outcomes }];
    const bookmakers = [{ key: 'fanduel', last_update: timeOf(NOW + updated * SECOND), markets }];
    const sides = { home_team: 'Hawks', away_team: 'Owls', bookmakers };
    const body = [{ id: 'e1', sport_key: 'basketball_nba', commence_time: timeOf(NOW + 3_600_000), ...sides }];
    return { address: { path: '/v4/sports/basketball_nba/odds', query: { markets: 'h2h' } }, body };
  }),
);

const ACTION: Possible[] = ['scheduled', 'inprogress', 'complete'].map((state) => ({
  address: { path: '/web/v2/scoreboard/nfl', query: { date: '20261123' } },
  body: {
    games: [
      {
        id: 3,
        league_name: 'nfl',
        start_time: timeOf(NOW + 90_000),
        status: state,
        home_team_id: 1,
        away_team_id: 2,
        type: 'reg',
        season: 2026,
        teams: [
          { id: 1, full_name: 'Hawks' },
          { id: 2, full_name: 'Owls' },
        ],
        boxscore: { total_home_points: 7, total_away_points: 3, period: 2 },
        markets: { 68: { event: { moneyline: [{ side: 'home', odds: -120 }] } } },
      },
    ],
  },
}));

const SOURCES: Readonly<Record<string, Source>> = {
  espn: { provider: espnProvider, possible: ESPN },
  'the-odds-api': {
    provider: () => theOddsApiProvider({ regions: [], markets: [], eventMarkets: [], scores: false }),
    possible: ODDS,
  },
  'action-network': { provider: actionNetworkProvider, possible: ACTION },
};

/** Answers that were recorded, which stand outside the project. */
const folder = process.env['LEDGERLINE_DATA'];
const recorded = (name: string, pattern: RegExp, addressOf: (file: string, body: any) => Possible['address']) => {
  const path = folder && join(folder, name);
  const files = path && existsSync(path) ? readdirSync(path).filter((file) => pattern.test(file)) : [];
  return files.sort().map((file): Possible => {
    const given = JSON.parse(textOf(join(path!, file)));
    const body = given.response ?? given;
    return { address: addressOf(file, body), body };
  });
};
const espnLeague = (file: string): string => (file.includes('eng1') ? 'epl' : /(nfl|nba|mlb|nhl|atp)/.exec(file)![1]!);
const RECORDED: Readonly<Record<string, () => readonly Possible[]>> = {
  espn: () => [
    ...recorded('espn', /scoreboard/, (file) => requestAddress('scoreboard', espnLeague(file), '20241215')!),
    ...recorded('espn', /summary/, (file) => requestAddress('summary', espnLeague(file), '1')!),
    ...recorded('espn', /_teams/, (file) => requestAddress('teams', espnLeague(file))!),
    ...recorded('espn', /roster/, (file) => requestAddress('roster', espnLeague(file), '10')!),
  ],
  'the-odds-api': () =>
    recorded('odds_api', /v4/, (_, [first]) => ({
      path: `/v4/sports/${first.sport_key}/odds`,
      query: { markets: 'h2h,spreads', oddsFormat: 'american' },
    })),
  'action-network': () =>
    recorded('ncaaf', /^action/, () => ({ path: '/web/v2/scoreboard/ncaaf', query: { date: '20250906' } })),
};

interface Given {
  /** Which of the answers that are possible. */
  readonly index: number;
  /** Seconds since the one before. */
  readonly after: number;
  readonly age: number | undefined;
  readonly status: number | null;
}

const givens = (count: number) =>
  fc.array(
    fc.record({
      index: fc.nat(count - 1),
      after: fc.integer({ min: 0, max: 120 }),
      age: fc.option(fc.integer({ min: 0, max: 90 }), { nil: undefined }),
      status: fc.constantFrom(200, 200, 200, 500, 304, null),
    }),
    { maxLength: 12 },
  );

async function readLive(provider: Provider, { address, body }: Possible, arrivedAt: number, age: number) {
  const messages: Message[] = [];
  const request = { ...address };
  try {
    for await (const item of provider.read({
      request,
      body,
      arrivedAt,
      observedAt: arrivedAt - age * SECOND,
    })) {
      if ('message' in item) messages.push(JSON.parse(JSON.stringify(item.message)));
    }
  } catch {
    return [];
  }
  return messages;
}

const urlOf = ({ path, query }: Possible['address']) =>
  `https://provider.test/prefix${path}?${new URLSearchParams({ apiKey: '***', ...query })}`;

/** What is read live, and what its archive gives, cut into two files anywhere, the last line torn or not. */
async function bothWays(
  name: string,
  possible: readonly Possible[],
  given: readonly Given[],
  cut: number,
  isTorn: boolean,
) {
  // A connector holds back what runs backwards in a game, and its archive gives no more than it told.
  const provider = guardScores(SOURCES[name]!.provider(), createScoreGuard(1));
  const live: Message[] = [];
  const lines: object[] = [];
  let arrivedAt = NOW;
  for (const { index, after, age, status: stated } of given) {
    arrivedAt += after * SECOND;
    const answer = possible[index]!;
    const headers: Record<string, string> = age === undefined ? {} : { age: String(age) };
    lines.push(archived(arrivedAt, urlOf(answer.address), answer.body, { status: stated, headers }));
    if (stated === 200) live.push(...(await readLive(provider, answer, arrivedAt, age ?? 0)));
  }
  const parts = [lines.slice(0, cut), lines.slice(cut)].map(linesOf);
  const torn = JSON.stringify(archived(arrivedAt, urlOf(possible[0]!.address), possible[0]!.body)).slice(0, -2);
  const files = [
    { name: '18.ndjson', content: parts[0]! },
    { name: '19.ndjson', content: parts[1]! + (isTorn ? torn : '') },
  ];
  return { live, imported: (await importArchives(name, files)).messages };
}

describe('an archive of live answers gives what was read live', () => {
  it.each(Object.keys(SOURCES))('of %s', async (name) => {
    const { possible } = SOURCES[name]!;
    await fc.assert(
      fc.asyncProperty(givens(possible.length), fc.nat(12), fc.boolean(), async (given, cut, isTorn) => {
        const { live, imported } = await bothWays(name, possible, given, cut, isTorn);
        expect(imported).toEqual(live);
      }),
      { numRuns: cases(200) },
    );
  });
});

describe('an archive of recorded answers gives what was read live', () => {
  const given = (index: number): Given => ({ index, after: 0, age: undefined, status: 200 });
  for (const name of Object.keys(RECORDED)) {
    const possible = folder ? RECORDED[name]!() : [];
    if (possible.length === 0) {
      it.skip(`of ${name} (skipped: LEDGERLINE_DATA names no folder of real data)`, () => {});
      continue;
    }
    it(`of ${name}`, async () => {
      let told = 0;
      await fc.assert(
        fc.asyncProperty(givens(possible.length), fc.nat(12), fc.boolean(), async (some, cut, isTorn) => {
          const { live, imported } = await bothWays(name, possible, some, cut, isTorn);
          expect(imported).toEqual(live);
          told += live.length;
        }),
        // Chance may take nothing but failures: each answer is given once by itself.
        { numRuns: cases(10) + possible.length, examples: possible.map((_, index) => [[given(index)], 0, false]) },
      );
      expect(told).toBeGreaterThan(0);
    });
    it.each(possible.map((one) => [one.address.path, one] as const))(`of ${name}, %s, whole`, async (_, one) => {
      const { messages, rejected, drift } = await readWhole(SOURCES[name]!.provider(), one.address, one.body);
      expect(messages.length).toBeGreaterThan(0);
      expect([rejected, drift]).toEqual([[], []]);
    });
  }
});
