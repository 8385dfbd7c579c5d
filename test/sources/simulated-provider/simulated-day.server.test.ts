import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import { afterAll, describe, expect, it } from 'vitest';
import { MINUTE, SECOND } from '../../../src/domain/primitives/time.ts';
import { readConfig } from '../../../src/platform/settings/config.ts';
import { openLiveFeeds } from '../../../src/server/composition/live-feeds.ts';
import type { ProviderTransport } from '../../../src/sources/connectors/provider-transport.ts';
import { type Composed, composed } from '../../support/composed.ts';
import { importArchives } from '../archived-answers.ts';
import { textOf } from '../import-file.ts';
import { NOW } from '../read-live-answers.ts';
import type { Trouble } from './faults.ts';
import { actionNetworkTimelines, espnTimelines, type GameStory, oddsApiTimelines, plainGame } from './game-story.ts';
import { createSimulatedProvider, type LoggedRequest, simulatedTransport } from './simulated-provider.ts';

const STEP = 5 * SECOND;
const START = NOW + 30 * MINUTE;
const PLAYED = 50 * MINUTE;
const GAME = {
  league: 'nfl',
  id: '401',
  startsAt: START,
  home: { id: '5', name: 'Cleveland Browns', abbreviation: 'CLE' },
  away: { id: '12', name: 'Kansas City Chiefs', abbreviation: 'KC' },
} as const;
const STORY: GameStory = plainGame(GAME, PLAYED);
const CREDITS = 16;

/** What answers hold beside what is taken of them. */
const EXPECTED_NOTES = ['closed_prices'];

const opened: Composed[] = [];
const archives: string[] = [];
afterAll(async () => {
  for (const server of opened.splice(0)) await server.close();
  for (const folder of archives.splice(0)) rmSync(folder, { recursive: true });
});

/** The connectors and the server behind them, from half an hour before the game until a quarter after it. */
async function playDay(troubles: readonly Trouble[] = []) {
  const archive = mkdtempSync(join(tmpdir(), 'll-day-'));
  archives.push(archive);
  const server = await composed({ time: NOW });
  opened.push(server);
  const now = () => server.clock.time;
  const parts = { troubles, now };
  const simulated = {
    'espn.test': createSimulatedProvider({ ...parts, timelines: espnTimelines([STORY]) }),
    'odds.test': createSimulatedProvider({
      ...parts,
      timelines: oddsApiTimelines([STORY]),
      credits: { key: 'secret', credits: 500 },
    }),
    'action.test': createSimulatedProvider({ ...parts, timelines: actionNetworkTimelines([STORY]) }),
  };
  const config = readConfig({
    FEEDS: 'espn,the-odds-api,action-network',
    FEED_LEAGUES: 'nfl',
    THE_ODDS_API_KEY: 'secret',
    ESPN_URL: 'http://espn.test',
    THE_ODDS_API_URL: 'http://odds.test',
    ACTION_NETWORK_URL: 'http://action.test',
    THE_ODDS_API_BUDGET: String(CREDITS),
    THE_ODDS_API_MARKETS: 'h2h',
    FEED_ARCHIVE: archive,
  });
  const transport: ProviderTransport = (input, init) =>
    simulatedTransport(simulated[new URL(input).host as keyof typeof simulated])(input, init);
  const connectors = (await openLiveFeeds({ config, transport, owner: 'one', ...server }))!;
  await server.core.runner.start();
  await connectors.start();
  for (const end = START + PLAYED + 15 * MINUTE; server.clock.time < end; ) {
    server.clock.time += STEP;
    server.timers.advance(STEP);
    // On a busy machine what was answered is read in more turns.
    for (let turn = 0; turn < 40; turn++) await setImmediate();
    await server.core.projected();
  }
  const health = connectors.health();
  await connectors.close();
  return { health, simulated, archive, ...(await shownBy(server)), failures: server.failures };
}

async function shownBy(server: Composed) {
  const { key } = await server.newKey();
  const ask = async (path: string) => {
    const answer = await globalThis.fetch(server.url + path, { headers: { authorization: `Bearer ${key}` } });
    return (await answer.json()) as any;
  };
  const { events } = await ask('/v1/events?league=nfl');
  return { ask, events };
}

/** A server that knows the archives of a day, and nothing else. */
async function importDay(archive: string) {
  const server = await composed({ time: START + PLAYED + 15 * MINUTE });
  opened.push(server);
  await server.core.runner.start();
  for (const source of ['espn', 'the-odds-api', 'action-network']) {
    const paths = readdirSync(join(archive, source), { recursive: true, encoding: 'utf8' })
      .filter((name) => name.includes('.ndjson'))
      .sort();
    const files = paths.map((name) => ({ name, content: textOf(join(archive, source, name)) }));
    const { messages, codes } = await importArchives(source, files);
    expect(codes.filter((code) => !EXPECTED_NOTES.includes(code))).toEqual([]);
    await server.core.intake.accept(messages.map((value, index) => ({ line: index + 1, value })));
  }
  await server.core.projected();
  return shownBy(server);
}

let plainDay: ReturnType<typeof playDay> | undefined;
/** One without troubles, for all tests. */
const playPlainDay = () => {
  plainDay ??= playDay();
  return plainDay;
};

const of = (log: readonly LoggedRequest[], path: RegExp, from: number, to: number): LoggedRequest[] =>
  log.filter((one) => path.test(one.path) && one.at >= from && one.at < to);
const gaps = (log: readonly LoggedRequest[]): number[] =>
  log.slice(1).map(({ at }, index) => (at - log[index]!.at) / SECOND);

describe('a day of three providers', () => {
  it('ends in the documents as it was played, at the pace and within the budget that are set', async () => {
    const { health, simulated, events, ask, failures } = await playPlainDay();

    expect(failures).toEqual([]);
    expect(health.map(({ name, state, rejected }) => [name, state, rejected])).toEqual([
      ['action-network', 'ok', 0],
      ['espn', 'ok', 0],
      ['the-odds-api', expect.stringMatching(/ok|exhausted/), 0],
    ]);
    // One event, whoever told of it.
    expect(events).toMatchObject([{ status: 'final', starts_at: '2026-11-23T18:30:00Z' }]);
    const event = await ask(`/v1/events/${events[0].id}`);
    expect(event.participants.map(({ team, score }: any) => [team.name, score])).toEqual([
      ['Cleveland Browns', '18'],
      ['Kansas City Chiefs', '15'],
    ]);
    const { movements } = await ask(`/v1/events/${events[0].id}/odds/history?bookmaker=all`);
    const moved = (bookmaker: string): unknown[] =>
      movements
        .filter((one: any) => one.bookmaker === bookmaker && one.outcome === 'Cleveland Browns')
        .map(({ price_from: from, price_to: to }: any) => [from, to]);
    expect(moved('espn_bet')).toEqual([
      [-140, -145],
      [-135, -140],
      [-130, -135],
    ]);
    // It is asked as often as its credits last, and what is asked every ten minutes sees the closing price at least.
    expect(moved('fanduel')[0]).toEqual([expect.any(Number), -145]);
    expect(moved('consensus')[0]).toEqual([expect.any(Number), -145]);
    const injuries = await ask(`/v1/events/${events[0].id}/injuries`);
    expect(injuries.injuries).toMatchObject([{ player: 'Ann of Cleveland Browns', status: 'questionable' }]);
    // A look at the injuries is told while the game is to come.
    expect(Date.parse(injuries.last_checked_at)).toBeGreaterThan(START - 15 * MINUTE);
    const splits = await ask(`/v1/events/${events[0].id}/splits`);
    expect(splits).toMatchObject({ consensus: { moneyline: { home: { bets_pct: 57 } } } });

    const espn = simulated['espn.test'].log;
    const today = (log: readonly LoggedRequest[]) => log.filter(({ query }) => query['dates'] === '20261123');
    const before = gaps(today(of(espn, /scoreboard$/, NOW + MINUTE, START - 11 * MINUTE)));
    const during = gaps(today(of(espn, /scoreboard$/, START, START + PLAYED)));
    expect([Math.min(...before), Math.max(...before)]).toEqual([60, 60]);
    expect([Math.min(...during), Math.max(...during)]).toEqual([15, 15]);
    expect(gaps(of(espn, /summary$/, START + MINUTE, START + PLAYED)).every((gap) => gap >= 30 && gap <= 40)).toBe(
      true,
    );
    // Once after the end, and again ten minutes later.
    expect(of(espn, /summary$/, START + PLAYED + MINUTE, Number.POSITIVE_INFINITY)).toHaveLength(1);
    expect(espn.filter(({ status }) => status === 304).length).toBeGreaterThan(30);

    const action = simulated['action.test'].log;
    expect(Math.min(...gaps(action.slice(1)))).toBeGreaterThanOrEqual(600);

    expect(simulated['odds.test'].creditsUsed).toBeGreaterThan(1);
    expect(simulated['odds.test'].creditsUsed).toBeLessThanOrEqual(CREDITS);
  });

  it('ends the same with troubles on the way', async () => {
    const inPlay = (minutes: number, fault: Trouble['fault']): Trouble => ({
      fault,
      from: START + minutes * MINUTE,
      to: START + (minutes + 3) * MINUTE,
    });
    const troubles = [
      inPlay(2, { kind: 'silence' }),
      inPlay(7, { kind: 'status', status: 429, retryAfter: 60 }),
      inPlay(12, { kind: 'status', status: 503 }),
      inPlay(17, { kind: 'truncated' }),
      inPlay(22, { kind: 'cache', seconds: 600, told: true }),
      inPlay(27, { kind: 'doubled', seconds: 600 }),
      inPlay(32, { kind: 'drift', change: () => ({ other: [] }) }),
      inPlay(37, { kind: 'text', text: '<html>' }),
      inPlay(42, { kind: 'skew', seconds: 3600 }),
      inPlay(46, { kind: 'reset' }),
    ];

    const plain = await playPlainDay();
    const troubled = await playDay(troubles);

    const shown = async ({ ask, events }: typeof plain) => {
      const { updated_at: _, ...event } = await ask(`/v1/events/${events[0].id}`);
      return event;
    };
    expect(troubled.failures).toEqual([]);
    expect(await shown(troubled)).toEqual(await shown(plain));
    const during = troubled.simulated['espn.test'].log.filter(({ fault }) => fault === 'status');
    expect(during.filter(({ status }) => status === 429).length).toBeLessThanOrEqual(5);
    expect(troubled.health.find(({ name }) => name === 'espn')?.failures).toBeGreaterThan(10);
  });

  it('is the same from its archives', async () => {
    const live = await playPlainDay();

    const imported = await importDay(live.archive);

    const shown = async ({ ask, events }: Pick<typeof live, 'ask' | 'events'>) => {
      const path = `/v1/events/${events[0].id}`;
      const { updated_at: _, ...event } = await ask(path);
      const { movements } = await ask(`${path}/odds/history?bookmaker=all`);
      const { injuries } = await ask(`${path}/injuries`);
      return { event, movements, splits: await ask(`${path}/splits`), injuries };
    };
    expect(await shown(imported)).toEqual(await shown(live));
  });
});
