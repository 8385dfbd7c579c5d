import { afterAll, beforeAll, expect, it } from 'vitest';
import { type AgentServer, BOOTSTRAP_KEY, serveAgent } from '../api/agent/serving.ts';
import { market, odds } from '../api/spec/messages.ts';
import { game, partLines } from './price-messages.ts';

let server: AgentServer;
let event: number;

/** A book with an alternate spread, a total of the first half, a total of home, and a line of a player. */
const book = (name: string, minute: number, price: number, more: object[] = []) =>
  odds(
    'g1',
    name,
    [
      ...partLines(price),
      {
        key: 'team_totals',
        outcomes: [
          { outcome: 'over', team: 'home', price, point: 24.5 },
          { outcome: 'under', team: 'home', price: -120, point: 24.5 },
        ],
      },
      {
        key: 'passing_yards',
        outcomes: [
          { outcome: 'over', player: 'Ann Arm', price, point: 250.5 },
          { outcome: 'under', player: 'Ann Arm', price: -120, point: 250.5 },
        ],
      },
      ...(more as any[]),
    ],
    { at: `2026-03-01T11:${minute}:00Z` },
  );

const ask = (path: string) => server.get(`/v1/events/${event}${path}`, BOOTSTRAP_KEY) as Promise<any>;
const oddsOf = async (rest: string) => (await ask(`?include_odds=true&include_alts=true&bookmaker=${rest}`)).odds;

/** What is suspect of fanduel in each of the four answers. */
async function suspects(rest = '') {
  const { bookmakers } = await oddsOf(`fanduel${rest}`);
  const { period_odds } = await ask(`/period-odds?include_alts=false${rest}`);
  const { team_props } = await ask(`/team-props?include_alts=false${rest}`);
  const { player_props } = await ask(`/player-props?bookmaker=fanduel${rest}`);
  return [
    bookmakers[0].markets[0].outcomes.filter(({ suspect }: any) => suspect).map(({ price }: any) => price),
    period_odds[0].suspect,
    team_props[0].suspect,
    player_props[0].suspect,
  ];
}

beforeAll(async () => {
  server = await serveAgent({ time: Date.parse('2026-03-01T12:00:00Z') });
  await server.feed(game('g1'));
  for (const name of ['pinnacle', 'circa', 'betmgm']) await server.feed(book(name, 50, -110));
  await server.feed(book('fanduel', 50, -110));
  event = await server.eventId('feed', 'g1');
});
afterAll(() => server.close());

const MARKED = [[150], { fanduel: ['over'] }, { fanduel: ['over'] }, { fanduel: ['over'] }];
const NONE = [[], undefined, undefined, undefined];

it('given a price far outside every other of its line, then each answer marks it, until its book repeats it', async () => {
  expect(await suspects()).toEqual(NONE);
  await server.feed(book('fanduel', 52, 150));
  expect(await suspects()).toEqual(MARKED);
  // Another price of the market is news, and this one stays.
  await server.feed(book('fanduel', 53, 150));
  expect(await suspects()).toEqual(NONE);
  expect(await suspects('&as_of=2026-03-01T11:52:30Z&as_of_basis=observed')).toEqual(MARKED);
});

it('given such a price, when another book comes near it, then it is suspect no longer', async () => {
  await server.feed(book('fanduel', 54, 250));
  expect((await suspects())[3]).toEqual({ fanduel: ['over'] });
  await server.feed(book('betmgm', 55, 240));
  expect(await suspects()).toEqual(NONE);
});

it('given such a price, then the table says so in a column, and the best price of the page is another one', async () => {
  await server.feed(book('fanduel', 56, 900));
  const response = await fetch(`${server.url}/v1/events/${event}/player-props`, {
    headers: { authorization: `Bearer ${BOOTSTRAP_KEY}`, accept: 'text/csv' },
  });
  const rows = (await response.text())
    .trim()
    .split('\n')
    .map((row) => row.trim().split(','));
  expect(rows[0]!.at(-1)).toBe('suspect');
  expect(rows.filter((row) => row.at(-1) === 'true').map((row) => row.at(-2))).toEqual(['900']);
});

it('given a line that two books alone have, then neither is suspect', async () => {
  const more = (price: number) => [
    market(
      'totals',
      [
        ['over', price, 60.5],
        ['under', -120, 60.5],
      ],
      { alternate: true },
    ),
  ];
  await server.feed(book('fanduel', 57, 900, more(300)), book('circa', 57, -110, more(-150)));
  const { bookmakers } = await oddsOf('all');
  const rungs = bookmakers.flatMap(
    ({ markets }: any) => markets.find(({ key }: any) => key === 'totals')?.outcomes ?? [],
  );
  expect(rungs).toHaveLength(4);
  expect(rungs.filter(({ suspect }: any) => suspect)).toEqual([]);
});
