import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type AgentServer, BOOTSTRAP_KEY, serveAgent } from '../api/agent/serving.ts';
import { game, moneyline } from './price-messages.ts';

let server: AgentServer;
beforeEach(async () => {
  server = await serveAgent({ time: Date.parse('2026-03-01T12:00:00Z') });
  await server.feed(game('g1'));
  for (const book of ['pinnacle', 'circa', 'betmgm']) await server.feed(moneyline(book, -110, -110, '11:50'));
  await server.feed(moneyline('fanduel', -110, -120, '11:50'));
});
afterEach(() => server.close());

const ask = async (path: string) => (await server.get(path, BOOTSTRAP_KEY)) as any;
const eventPath = async (rest: string) => ask(`/v1/events/${await server.eventId('feed', 'g1')}/${rest}`);
const priceOfHome = async (rest = '') =>
  (await eventPath(`odds?bookmaker=fanduel${rest}`)).bookmakers[0].markets[0].outcomes[0];
const edges = async () => (await ask('/v1/intelligence/ev?sport=nfl')).opportunities.map(({ ev }: any) => ev.price);
const arbitrages = async () => (await ask('/v1/intelligence/arbitrage?sport=nfl')).total;

// +150 instead of -150.
const mistake = () => server.feed(moneyline('fanduel', 150, -120, '11:55'));

it('given a price far outside every other, then odds, history and summary mark it from its arrival', async () => {
  await mistake();
  expect(await priceOfHome()).toEqual({ outcome: 'Home g1', price: 150, point: null, suspect: true });
  const { movements } = await eventPath('odds/history?bookmaker=fanduel');
  expect(movements.map(({ price_to, suspect }: any) => [price_to, suspect])).toEqual([[150, true]]);
  const [home, away] = (await eventPath('odds/summary?bookmaker=fanduel')).bookmakers[0].markets[0].outcomes;
  expect(home.current).toMatchObject({ price: 150, suspect: true });
  expect([home.open.price, home.high.price, home.low.price]).toEqual([-110, -110, -110]);
  expect(away.current).not.toHaveProperty('suspect');
});

it('given it, then no edge, arbitrage or fair price is made of it', async () => {
  await mistake();
  expect([await edges(), await arbitrages()]).toEqual([[], 0]);
  const { bets } = await eventPath('intelligence');
  expect(bets[0].edges_by_book).not.toHaveProperty('fanduel');
});

it('given a reference book with such a price, then the consensus is that of the others', async () => {
  const before = (await eventPath('intelligence')).bets[0].fair;
  await server.feed(moneyline('pinnacle', 150, -170, '11:55'));
  const { fair } = (await eventPath('intelligence')).bets[0];
  expect([before.books, fair.books]).toEqual([
    expect.arrayContaining(['pinnacle']),
    expect.not.arrayContaining(['pinnacle']),
  ]);
});

it('given its repetition at a later time, then it counts, and as of before it does not', async () => {
  await mistake();
  await server.feed(moneyline('fanduel', 150, -120, '11:57'));
  expect(await priceOfHome()).not.toHaveProperty('suspect');
  expect(await arbitrages()).toBe(1);
  expect(await priceOfHome('&as_of=2026-03-01T11:56:00Z&as_of_basis=observed')).toHaveProperty('suspect', true);
  const { movements } = await eventPath('odds/history?bookmaker=fanduel');
  expect(movements[0]).not.toHaveProperty('suspect');
});

it('given another book that comes near it, then both count', async () => {
  await mistake();
  await server.feed(moneyline('circa', 140, -150, '11:56'));
  for (const book of ['fanduel', 'circa']) {
    const answer = await eventPath(`odds?bookmaker=${book}`);
    expect(JSON.stringify(answer)).not.toContain('suspect');
  }
});

it('given its correction, then the history still marks it, and the price of now is not suspect', async () => {
  await mistake();
  await server.feed(moneyline('fanduel', -110, -120, '11:58'));
  const { movements } = await eventPath('odds/history?bookmaker=fanduel');
  expect(movements.map(({ price_to, suspect }: any) => [price_to, suspect])).toEqual([
    [-110, undefined],
    [150, true],
  ]);
  expect(await priceOfHome()).not.toHaveProperty('suspect');
});

describe('news', () => {
  const moves = async () =>
    (await ask('/v1/changes?after=0&types=line_move')).changes.map(({ data }: any) => [
      data.bookmaker,
      data.price_from,
      data.price_to,
      data.moved_at.slice(11, 16),
    ]);

  it('given a suspect price and its correction, then there is none', async () => {
    await mistake();
    await server.feed(moneyline('fanduel', -110, -120, '11:58'));
    expect(await moves()).toEqual([]);
  });

  it('given its repetition, then it is told with the moment of the release', async () => {
    await mistake();
    expect(await moves()).toEqual([]);
    await server.feed(moneyline('fanduel', 150, -120, '11:57'));
    expect(await moves()).toEqual([['fanduel', -110, 150, '11:57']]);
  });

  it('given another book that comes near it, then both are told, with the moment of the release', async () => {
    await mistake();
    await server.feed(moneyline('circa', 140, -110, '11:56'));
    expect(await moves()).toEqual([
      ['circa', -110, 140, '11:56'],
      ['fanduel', -110, 150, '11:56'],
    ]);
  });
});
