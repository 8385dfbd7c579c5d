import { setImmediate } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { HOUR, MINUTE, SECOND } from '../../../src/domain/primitives/time.ts';
import type { Connectors } from '../../../src/sources/connectors/connectors.ts';
import { BOOTSTRAP_KEY } from '../../api/agent/serving.ts';
import { composed } from '../../support/composed.ts';
import { type BallGame, isLetInByEspn, strictHosts } from '../simulated-provider/strict-hosts.ts';

/** 18:30 in New York. */
const START = Date.parse('2026-06-04T22:30:00Z');
const SEVEN = START + 30 * MINUTE;
const SETTINGS = {
  FEEDS: 'espn',
  FEED_LEAGUES: 'mlb,nhl',
  FEED_CONTACT: 'https://sport.club/contact',
  ESPN_URL: 'http://espn.test',
  MLB_URL: 'http://mlb.test',
  NHL_URL: 'http://nhl.test',
};
const every = (from: number, to: number, step: number): number[] =>
  Array.from({ length: Math.floor((to - from) / step) }, (_, index) => from + index * step);
const game = (league: 'mlb' | 'nhl', id: number, lengthMs: number): BallGame => ({
  league,
  id,
  startsAt: START + 5 * MINUTE,
  endsAt: START + 5 * MINUTE + lengthMs,
  home: every(START + 10 * MINUTE, START + 5 * MINUTE + lengthMs, 11 * MINUTE),
  away: every(START + 12 * MINUTE, START + 5 * MINUTE + lengthMs, 17 * MINUTE),
});
const GAMES = [game('mlb', 1, 75 * MINUTE), game('nhl', 2, 80 * MINUTE)];

type Ask = (path: string, init?: RequestInit) => Promise<Response>;

interface Evening {
  readonly settings?: Readonly<Record<string, string>>;
  readonly games?: readonly BallGame[];
  readonly refuses?: readonly [from: number, to: number];
  readonly standsSince?: number;
  readonly lengthMs: number;
  /** Called every second. */
  readonly look?: (ask: Ask, now: number, connectors: Connectors) => Promise<void>;
}

async function play({ settings = {}, games = GAMES, refuses, standsSince, lengthMs, look }: Evening) {
  let hosts: ReturnType<typeof strictHosts> | undefined;
  const server = await composed({
    time: START,
    settings: { bootstrapKey: BOOTSTRAP_KEY },
    feeds: { ...SETTINGS, ...settings },
    transport(now) {
      hosts = strictHosts({
        games,
        now,
        ...(refuses && { espnRefuses: refuses }),
        ...(standsSince !== undefined && { espnStandsSince: standsSince }),
      });
      return hosts.transport;
    },
  });
  await server.core.runner.start();
  const now = () => server.clock.time;
  const connectors = server.connectors!;
  await connectors.start();
  const ask: Ask = (path, init = {}) =>
    fetch(server.url + path, { ...init, headers: { ...init.headers, authorization: `Bearer ${BOOTSTRAP_KEY}` } });
  for (let passed = 0; passed < lengthMs; passed += SECOND) {
    server.clock.time += SECOND;
    server.timers.advance(SECOND);
    for (let turn = 0; turn < 4; turn++) await setImmediate();
    if (look && (passed + SECOND) % (5 * SECOND) === 0) await look(ask, now(), connectors);
  }
  const health = connectors.health();
  await connectors.close();
  await server.core.projected();
  const { events } = (await (await ask('/v1/events?include_scores=true')).json()) as { events: any[] };
  const { failures } = server;
  await server.close();
  return { asked: hosts!.asked, health, events, failures };
}

const pointsOf = ({ participants }: any): number =>
  participants.reduce((sum: number, { score }: any) => sum + Number(score ?? 0), 0);

describe('an evening on which ESPN refuses from 19:00', () => {
  it('brings the finals of MLB and NHL within 90 s, and no score goes back and forth', async () => {
    const finalAt = new Map<string, number>();
    const most = new Map<string, number>();
    const evening = await play({
      refuses: [SEVEN, Number.POSITIVE_INFINITY],
      lengthMs: 95 * MINUTE,
      async look(ask, now) {
        const { events } = (await (await ask('/v1/events?include_scores=true')).json()) as { events: any[] };
        for (const event of events) {
          expect(pointsOf(event)).toBeGreaterThanOrEqual(most.get(event.league) ?? 0);
          most.set(event.league, pointsOf(event));
          if (finalAt.has(event.league)) expect(event.status).toBe('final');
          if (event.status === 'final' && !finalAt.has(event.league)) finalAt.set(event.league, now);
        }
      },
    });
    expect(evening.events.map(({ league, status }) => [league, status]).sort()).toEqual([
      ['mlb', 'final'],
      ['nhl', 'final'],
    ]);
    for (const { league, endsAt } of GAMES) {
      const late = finalAt.get(league)! - endsAt;
      expect([league, late >= 0 && late <= 90 * SECOND, late]).toEqual([league, true, late]);
    }
    expect(evening.events.map(({ league }) => most.get(league))).toEqual(evening.events.map(pointsOf));
    // Nobody but ESPN was asked before it refused, and then it is tried every ten minutes.
    const others = evening.asked.filter(({ host }) => host !== 'espn.test');
    expect(others.every(({ at }) => at >= SEVEN + 40 * SECOND && at > SEVEN)).toBe(true);
    const refused = evening.asked.filter(({ status }) => status === 403);
    expect(refused.length).toBeLessThan(14);
    const espn = evening.health.find(({ name }) => name === 'espn')!;
    expect([espn.state, espn.last_error?.message]).toEqual(['refused', expect.stringContaining('FEED_CONTACT')]);
    expect(evening.failures).toEqual([]);
  });

  it('given ESPN that lets in again, the second sources are asked no more', async () => {
    const again = SEVEN + 12 * MINUTE;
    const evening = await play({ refuses: [SEVEN, again], lengthMs: 65 * MINUTE });
    const others = evening.asked.filter(({ host }) => host !== 'espn.test').map(({ at }) => at);
    expect(others.length).toBeGreaterThan(10);
    expect(Math.max(...others)).toBeLessThan(again + 12 * MINUTE);
    expect(evening.health.map(({ name, state }) => [name, state])).toEqual([
      ['espn', 'ok'],
      ['mlb', 'standby'],
      ['nhl', 'standby'],
    ]);
  });

  it("given ESPN's other host, scores go on from there, under the ids of ESPN", async () => {
    const evening = await play({
      settings: { ESPN_FALLBACK_URL: 'http://espn2.test' },
      games: [GAMES[1]!],
      refuses: [SEVEN, Number.POSITIVE_INFINITY],
      lengthMs: 90 * MINUTE,
    });
    const other = evening.asked.filter(({ host }) => host === 'espn2.test');
    expect([other.length > 100, Math.min(...other.map(({ at }) => at)) > SEVEN]).toEqual([true, true]);
    expect(evening.events.map(({ status }) => status)).toEqual(['final']);
    const { requests, failures } = evening.health.find(({ name }) => name === 'espn-fallback')!;
    expect([requests, failures]).toEqual([other.length, 0]);
  });

  it('given FEED_FALLBACK=off, nobody else is asked', async () => {
    const evening = await play({
      settings: { FEED_FALLBACK: 'off' },
      refuses: [SEVEN, Number.POSITIVE_INFINITY],
      lengthMs: 45 * MINUTE,
    });
    expect(evening.asked.filter(({ host }) => host !== 'espn.test')).toEqual([]);
  });
});

describe('a game that stands still at ESPN', () => {
  it('is asked of the second source once; since that shows another score, it is asked on', async () => {
    const evening = await play({ standsSince: SEVEN, games: [GAMES[1]!], lengthMs: 90 * MINUTE });
    const others = evening.asked.filter(({ host }) => host === 'nhl.test').map(({ at }) => at);
    expect(Math.min(...others) - SEVEN).toBeGreaterThanOrEqual(10 * MINUTE - 20 * SECOND);
    expect(others.length).toBeGreaterThan(20);
    expect(evening.events.map(({ status }) => status)).toEqual(['final']);
    const { home, away } = GAMES[1]!;
    expect(pointsOf(evening.events[0])).toBe(home.length + away.length);
  });

  it('is asked once and no more if the second source shows the same', async () => {
    const pause: BallGame = { ...GAMES[1]!, home: [], away: [], endsAt: START + 48 * HOUR };
    const evening = await play({ games: [pause], standsSince: START + 6 * MINUTE, lengthMs: 50 * MINUTE });
    const scores = evening.asked.filter(({ host }) => host === 'nhl.test');
    expect(scores.length).toBe(1);
  });
});

it('the default settings are let in by ESPN', async () => {
  const evening = await play({ lengthMs: 2 * MINUTE, settings: { BASE_URL: 'https://api.sport.club' } });
  expect(evening.asked.some(({ status }) => status === 403)).toBe(false);
  expect(isLetInByEspn('Ledgerline/0.1.0')).toBe(false);
});

it('every answer tells how old its feed is, and a model is told that the feed is down', async () => {
  const ages: number[] = [];
  const texts: string[][] = [];
  await play({
    refuses: [SEVEN, Number.POSITIVE_INFINITY],
    settings: { FEED_FALLBACK: 'off' },
    lengthMs: 40 * MINUTE,
    async look(ask, now) {
      if (now % (5 * MINUTE) !== 0) return;
      const age = async (path: string) => (await ask(path)).headers.get('x-feed-stale-seconds');
      ages.push(Number(await age('/v1/events?league=mlb')));
      expect(await age('/v1/events?sport=nba')).toBe('null');
      expect(Number(await age('/v1/events/1/score'))).toBeGreaterThanOrEqual(0);
      expect(Number(await age('/v1/events'))).toBeGreaterThanOrEqual(ages.at(-1)!);
      expect(await age('/v1/sports')).toBeNull();
      const compat = (path: string) => age(`/compat/the-odds-api/v4${path}`);
      for (const list of ['events', 'scores', 'odds?regions=us']) {
        expect(Number(await compat(`/sports/baseball_mlb/${list}`))).toBe(ages.at(-1));
      }
      expect(await compat('/sports/basketball_nba/scores')).toBe('null');
      expect(Number(await compat('/sports/upcoming/events'))).toBe(Number(await age('/v1/events')));
      expect(await compat('/sports')).toBeNull();
      texts.push(await toolTexts(ask, { league: 'mlb' }));
    },
  });
  const refusedFor = ages.map((_, index) => Math.max(0, index + 1 - 6) * 5 * 60);
  for (const [index, age] of ages.entries()) expect(Math.abs(age - refusedFor[index]!)).toBeLessThan(62);
  expect(texts[2]!.length).toBe(1);
  expect(texts.at(-1)!.at(-1)).toMatch(/^The feed is down for mlb: the data may be \d+ seconds old/);
});

/** The texts of the result of `list_events` as a tool. */
async function toolTexts(ask: Ask, input: object): Promise<string[]> {
  const response = await ask('/mcp', {
    method: 'POST',
    headers: { 'content-type': 'application/json', accept: 'application/json, text/event-stream' },
    body: JSON.stringify({
      jsonrpc: '2.0',
      id: 1,
      method: 'tools/call',
      params: { name: 'list_events', arguments: input },
    }),
  });
  const { result } = (await response.json()) as any;
  expect(result._meta.feed_stale_seconds).toEqual(expect.any(Number));
  return result.content.map(({ text }: any) => text);
}
