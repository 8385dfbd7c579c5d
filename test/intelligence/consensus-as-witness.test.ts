import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { isOutlier, type StandingQuote } from '../../src/domain/odds/market-quality/standing-quotes.ts';
import { type AgentServer, BOOTSTRAP_KEY, serveAgent } from '../api/agent/serving.ts';
import { market, odds } from '../api/spec/messages.ts';
import { game, partLines } from './price-messages.ts';

let server: AgentServer;
beforeEach(async () => {
  server = await serveAgent({ time: Date.parse('2026-03-01T12:00:00Z') });
  await server.feed(game('g1'));
});
afterEach(() => server.close());

/** A book with a moneyline, an alternate spread, a total of the first half and a line of a player. */
const book = (name: string, minute: number, price: number) =>
  odds(
    'g1',
    name,
    [
      market('h2h', [
        ['home', price],
        ['away', -120],
      ]),
      ...partLines(price),
      {
        key: 'passing_yards',
        outcomes: [
          { outcome: 'over', player: 'Ann Arm', price, point: 250.5 },
          { outcome: 'under', player: 'Ann Arm', price: -120, point: 250.5 },
        ],
      } as any,
    ],
    { at: `2026-03-01T11:${minute}:00Z` },
  );

/** What is suspect of fanduel: main and alternate prices, the line of a half, and that of a player. */
async function suspects(): Promise<readonly unknown[]> {
  const ask = (path: string) => server.get(`/v1/events/1${path}`, BOOTSTRAP_KEY) as Promise<any>;
  const { bookmakers } = (await ask('?include_odds=true&include_alts=true&bookmaker=fanduel')).odds;
  const prices = bookmakers[0].markets.flatMap(({ outcomes }: any) => outcomes);
  return [
    prices.filter(({ suspect }: any) => suspect).map(({ price }: any) => price),
    (await ask('/period-odds')).period_odds[0].suspect,
    (await ask('/player-props?bookmaker=fanduel')).player_props[0].suspect,
  ];
}
const moves = async () =>
  (await server.get('/v1/changes?types=line_move&after=0', BOOTSTRAP_KEY)).changes
    .map(({ data }: any) => data)
    .filter((data: any) => data.bookmaker === 'fanduel' && data.market_key === 'h2h')
    .map(({ price_to }: any) => price_to);

const MARKED = [[150, 150], { fanduel: ['over'] }, { fanduel: ['over'] }];
const NONE = [[], undefined, undefined];

describe('the average of books', () => {
  it('given a suspect price, when the average comes near it, then it stays suspect and is no news; a book releases it', async () => {
    for (const name of ['pinnacle', 'circa', 'fanduel']) await server.feed(book(name, 50, -110));
    await server.feed(book('fanduel', 52, 150));
    expect(await suspects()).toEqual(MARKED);
    await server.feed(book('consensus', 53, 145));
    await server.feed(book('consensus', 54, 145));
    expect(await suspects()).toEqual(MARKED);
    expect(await moves()).toEqual([]);
    await server.feed(book('betmgm', 55, 145));
    expect(await suspects()).toEqual(NONE);
    expect(await moves()).toEqual([150]);
  });

  it('given one other book and the average, then a price far from both is not suspect: there is one witness', async () => {
    for (const name of ['pinnacle', 'consensus', 'fanduel']) await server.feed(book(name, 50, -110));
    await server.feed(book('fanduel', 52, 150));
    expect(await suspects()).toEqual(NONE);
    expect(await moves()).toEqual([150]);
  });

  it('in the quality of a market it is no witness, and may be an outlier itself', () => {
    const quote = (name: string, first: number): StandingQuote => ({
      ...{ book: name, implied: [first, 1.05 - first], fair: null, line: null, at: 0, isRepeated: false },
    });
    const [far, near] = [quote('fanduel', 0.4), quote('pinnacle', 0.55)];
    expect(isOutlier(far, [far, near, quote('circa', 0.55)])).toBe(true);
    expect(isOutlier(far, [far, near, quote('circa', 0.55), quote('consensus', 0.41)])).toBe(true);
    expect(isOutlier(far, [far, near, quote('consensus', 0.55)])).toBe(false);
    const average = quote('consensus', 0.4);
    expect(isOutlier(average, [average, near, quote('circa', 0.55)])).toBe(true);
  });
});
