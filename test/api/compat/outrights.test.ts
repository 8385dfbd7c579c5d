import { afterAll, beforeAll, expect, it } from 'vitest';
import { type AgentServer, serveAgent } from '../agent/serving.ts';
import { NFL, schedule, team } from '../spec/messages.ts';
import { type AskCompat, asking } from './odds-api-client.ts';
import { at, NOW } from './story.ts';

let server: AgentServer;
let ask: AskCompat;

const WINNER = 'americanfootball_nfl_super_bowl_winner';
const outright = (hours: number, bookmaker: string, prices: readonly (readonly [string, number])[]) => ({
  kind: 'outright' as const,
  source: 'feed',
  at: at(hours),
  sport: 'nfl',
  league: 'nfl',
  season: 2026,
  market: 'winner',
  bookmaker,
  outcomes: prices.map(([name, price]) => ({ team: name, price })),
});

beforeAll(async () => {
  server = await serveAgent({ time: NOW });
  ask = asking(server);
  const said = (message: object, hours: number) => ({ ...message, at: at(hours) });
  await server.feed(
    ...([
      said(team(NFL, 't1', 'Kansas City Chiefs', 'KC'), -90),
      said(team(NFL, 't2', 'Buffalo Bills', 'BUF'), -90),
      said(
        schedule(NFL, 'g1', ['Kansas City Chiefs', 'Buffalo Bills'], at(3), {
          season: { year: 2026, phase: 'regular_season', end_date: '2027-02-14' },
        }),
        -80,
      ),
      outright(-20, 'fanduel', [['Buffalo Bills', 700]]),
      outright(-10, 'pinnacle', [
        ['Buffalo Bills', 650],
        ['Kansas City Chiefs', 600],
      ]),
    ] as any[]),
  );
});
afterAll(() => server.close());

it('given who wins a season, then it is a sport with outrights', async () => {
  const { body } = await ask('/sports', {});
  expect(body.map(({ key, has_outrights }: any) => [key, has_outrights])).toEqual([
    ['americanfootball_nfl', false],
    [WINNER, true],
  ]);
});

it('then its odds are one event without sides, at the price of odds', async () => {
  const answer = await ask(`/sports/${WINNER}/odds`, { regions: 'us,eu', oddsFormat: 'american' });
  expect(answer.body).toEqual([
    {
      id: expect.stringMatching(/^[0-9a-f]{32}$/),
      sport_key: WINNER,
      sport_title: 'NFL Super Bowl Winner',
      commence_time: '2027-02-14T00:00:00Z',
      home_team: null,
      away_team: null,
      bookmakers: [
        {
          key: 'fanduel',
          title: 'FanDuel',
          last_update: at(-20),
          markets: [{ key: 'outrights', last_update: at(-20), outcomes: [{ name: 'Buffalo Bills', price: 700 }] }],
        },
        {
          key: 'pinnacle',
          title: 'Pinnacle',
          last_update: at(-10),
          markets: [
            {
              key: 'outrights',
              last_update: at(-10),
              outcomes: [
                { name: 'Kansas City Chiefs', price: 600 },
                { name: 'Buffalo Bills', price: 650 },
              ],
            },
          ],
        },
      ],
    },
  ]);
  const one = await ask(`/sports/${WINNER}/odds`, { bookmakers: 'fanduel', markets: 'outrights' });
  expect(one.body[0].bookmakers).toMatchObject([{ key: 'fanduel', markets: [{ outcomes: [{ price: 8 }] }] }]);
});

it('given another market, another path or another moment, then there is nothing of it', async () => {
  const { body } = await ask(`/sports/${WINNER}/odds`, { regions: 'us', markets: 'h2h' });
  expect(body).toEqual([]);
  expect((await ask(`/sports/${WINNER}/events`, {})).body).toEqual([]);
  const noEvent = await ask(`/sports/${WINNER}/events/${'a'.repeat(32)}/odds`, { regions: 'us' });
  expect([noEvent.status, noEvent.body.error_code]).toEqual([404, 'EVENT_NOT_FOUND']);
  const then = { regions: 'us,eu', date: at(-15), as_of_basis: 'observed' };
  const past = await ask(`/historical/sports/${WINNER}/odds`, then);
  expect(past.body.data[0].bookmakers.map(({ key }: any) => key)).toEqual(['fanduel']);
});
