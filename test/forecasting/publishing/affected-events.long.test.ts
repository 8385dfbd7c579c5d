import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { type AgentServer, serveAgent } from '../../api/agent/serving.ts';
import { NBA, schedule, score } from '../../api/spec/messages.ts';
import { game, moneyline } from '../../intelligence/price-messages.ts';
import { gamesOf, numbersOf } from '../../intelligence/seasons.ts';
import { endOf, iso, messagesOf, pricesOf, refOf, scheduleOf } from '../track-record/game-messages.ts';
import { publishedIn, typesOf } from './publications.ts';

const GAMES = 125;
const DAY = 86_400_000;

async function served(options: Parameters<typeof serveAgent>[0]): Promise<AgentServer> {
  const server = await serveAgent({ publishes: true, ...options });
  onTestFinished(() => server.close());
  return server;
}

const published = async (server: AgentServer) => {
  await server.published();
  return publishedIn(server.log);
};

it('a result affects the upcoming events of the same sides, and no others', async () => {
  const games = gamesOf('nba', 'nba', GAMES, numbersOf(7));
  const next = games.at(-1)!;
  const server = await served({ time: next.startsAt - 1 });
  const between = { ...next, startsAt: next.startsAt - 2 * DAY };
  await server.feed(
    ...messagesOf('nba', games.slice(0, -1)),
    scheduleOf('nba', next, GAMES - 1),
    pricesOf('nba', next, GAMES - 1),
    scheduleOf('nba', between, GAMES),
    schedule(NBA, 'others', ['Somebody', 'Else'], iso(between.startsAt), { at: iso(between.startsAt - DAY) }),
  );
  const event = await server.eventId('feed', refOf(GAMES - 1));
  const before = (await published(server)).filter((one) => one.event === event);
  expect(before.length).toBeGreaterThan(0);
  expect(before.some(({ bets }) => bets.some(({ probability }) => probability !== null))).toBe(true);

  const others = { at: iso(next.startsAt - DAY), result_type: 'regulation' };
  await server.feed(score('others', 'final', ['150', '60'], others));
  expect((await published(server)).filter((one) => one.event === event)).toEqual(before);

  const knownAt = next.startsAt - DAY / 48;
  const ended = { ...between, score: { home: 60, away: 150 }, knownAt };
  await server.feed(...endOf('nba', ended, GAMES));
  const [fact, ...more] = (await published(server)).filter((one) => one.event === event).slice(before.length);
  expect([fact!.at, more]).toEqual([iso(knownAt), []]);
  expect(typesOf(fact!)).toEqual(expect.arrayContaining(['ML_P1', 'ML_P2']));
  const { bets } = await server.get(`/v1/events/${event}/intelligence`, (await server.newKey({ scopes: ['all'] })).key);
  expect(fact!.bets[0]!.probability).toBe(bets[0].probability);
});

it('the hundredth result of a league affects all its upcoming events', async () => {
  const games = gamesOf('nba', 'nba', 101, numbersOf(3));
  const next = games.at(-1)!;
  const server = await served({ time: next.startsAt - 1 });
  const othersStart = next.startsAt - 2 * DAY;
  await server.feed(
    ...messagesOf('nba', games.slice(0, 99)),
    scheduleOf('nba', next, 100),
    pricesOf('nba', next, 100),
    schedule(NBA, 'others', ['Somebody', 'Else'], iso(othersStart), { at: iso(othersStart - DAY) }),
  );
  const event = await server.eventId('feed', refOf(100));
  const of = async () => (await published(server)).filter((one) => one.event === event);
  const probabilities = (facts: Awaited<ReturnType<typeof of>>) => facts.map(({ bets }) => bets[0]!.probability);
  expect(probabilities(await of())).toEqual([null]);

  const end = { at: iso(next.startsAt - DAY / 48), result_type: 'regulation' };
  await server.feed(score('others', 'final', ['150', '60'], end));
  expect(probabilities(await of())).toEqual([null, expect.any(Number)]);
});

it('changes missed while the server was down are published in order of time, and nothing twice', async () => {
  const file = mkdtempSync(join(tmpdir(), 'ledgerline-published-'));
  onTestFinished(() => rmSync(file, { recursive: true, force: true }));
  const time = Date.parse('2026-03-01T12:00:00Z');
  const first = await serveAgent({ file, time, publishes: true });
  await first.feed(game('g1'), game('g2'), moneyline('pinnacle', -150, 130, '11:00'));
  const before = await published(first);
  await first.close();
  expect(before).toHaveLength(1);

  const silent = await serveAgent({ file, time });
  await silent.feed(
    moneyline('pinnacle', -200, 170, '11:20'),
    moneyline('pinnacle', -170, 145, '11:10'),
    moneyline('pinnacle', -120, 100, '11:30', 'g2'),
  );
  expect(await published(silent)).toEqual(before);
  await silent.close();

  const second = await served({ file, time });
  const [, ...missed] = await published(second);
  const of = (ref: number) => missed.filter(({ event }) => event === ref).map(({ at }) => at);
  expect([of(1), of(2)]).toEqual([['2026-03-01T11:10:00Z', '2026-03-01T11:20:00Z'], ['2026-03-01T11:30:00Z']]);
  expect(await published(second)).toEqual([...before, ...missed]);
});
