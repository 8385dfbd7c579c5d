import { afterAll, beforeAll, expect, it } from 'vitest';
import { footballDataImporter } from '../../../src/sources/football-data/importer.ts';
import { theOddsApiImporter } from '../../../src/sources/the-odds-api/importer.ts';
import { importJson } from '../../sources/import-json.ts';
import { csvOf, importText } from '../../sources/importing.ts';
import { type AgentServer, serveAgent } from '../agent/serving.ts';
import { odds, schedule } from '../spec/messages.ts';
import { asking } from './odds-api-client.ts';
import { at, EPL, NOW } from './story.ts';

let server: AgentServer;
beforeAll(async () => {
  server = await serveAgent({ time: NOW });
  await server.feed({ ...schedule(EPL, 'game', ['Arsenal', 'Chelsea'], at(20)), at: at(-100) });
});
afterAll(() => server.close());

/** Arsenal's price, as both formats show it. */
async function shown(bookmaker: string): Promise<readonly unknown[]> {
  const prices = [];
  for (const oddsFormat of ['american', 'decimal']) {
    const { body } = await asking(server)('/sports/soccer_epl/odds', { bookmakers: bookmaker, oddsFormat });
    prices.push(body[0].bookmakers[0].markets[0].outcomes[0].price);
  }
  return prices;
}
const told = (bookmaker: string, hours: number, outcome: object) => ({
  ...odds('game', bookmaker, [{ key: 'h2h', outcomes: [{ outcome: 'home', ...outcome }] }]),
  at: at(hours),
});

it.each([
  ['a price without one', { price: -110 }, [-110, 1.91]],
  ['one that says more', { price: -5263, decimal: 1.019 }, [-5263, 1.019]],
  ['one that says the same', { price: -110, decimal: 1.91 }, [-110, 1.91]],
  ['one that is another price', { price: -110, decimal: 1.5 }, [-110, 1.91]],
  ['one that is none', { price: -110, decimal: -3 }, [-110, 1.91]],
  ['a short price', { price: -12_500 }, [-12_500, 1.008]],
])('given %s', async (name, outcome, expected) => {
  const bookmaker = name.replaceAll(' ', '_');
  await server.feed(told(bookmaker, -5, outcome));
  expect(await shown(bookmaker)).toEqual(expected);
});

it('given one, when an older message comes late, then it stays', async () => {
  await server.feed(
    told('late', -5, { price: -5263, decimal: 1.019 }),
    told('late', -7, { price: -110, decimal: 1.912 }),
  );
  expect(await shown('late')).toEqual([-5263, 1.019]);
  const { records } = await stored();
  const late = records.find(({ data }) => 'late' in data) as any;
  expect(late.data.late.prices.markets.h2h).toEqual([{ outcome: 'home', price: -5263, decimal: 1.019 }]);
});

it('the log holds those that say more, and no others', async () => {
  const { records } = await stored();
  const held = records.flatMap(({ data }) => data.content.markets.flatMap((market: any) => market.outcomes));
  expect(held.filter((one: any) => 'decimal' in one).map(({ decimal }: any) => decimal)).toEqual([1.019, 1.019, 1.912]);
});

it('a decimal that is no number is refused, as any other wrong member', async () => {
  const value = told('wrong', -5, { price: -110, decimal: '1.91' });
  const { outcomes } = await server.take([value]);
  expect(outcomes).toEqual([expect.objectContaining({ status: 'rejected' })]);
});

async function stored() {
  const id = await server.eventId('feed', 'game');
  return { records: (await server.log.readStream(`odds-${id}`)) as readonly { data: any }[] };
}

it('importers of decimal prices send those that say more', async () => {
  const event = {
    id: 'e'.repeat(32),
    sport_key: 'soccer_epl',
    sport_title: 'EPL',
    commence_time: at(20),
    home_team: 'Arsenal',
    away_team: 'Chelsea',
    bookmakers: [
      {
        key: 'pinnacle',
        title: 'Pinnacle',
        last_update: at(-1),
        markets: [
          {
            key: 'h2h',
            outcomes: [
              { name: 'Arsenal', price: 1.019 },
              { name: 'Chelsea', price: 21.25 },
              { name: 'Draw', price: 9.5 },
            ],
          },
        ],
      },
    ],
  };
  const [message] = (await importJson(theOddsApiImporter, [event])).of('odds');
  expect(message!['markets'][0].outcomes).toEqual([
    { outcome: 'home', price: -5263, decimal: 1.019 },
    { outcome: 'away', price: 2025 },
    { outcome: 'draw', price: 850 },
  ]);

  const columns = ['Div', 'Date', 'Time', 'HomeTeam', 'AwayTeam', 'FTHG', 'FTAG', 'FTR', 'B365H', 'B365D', 'B365A'];
  const row = { Div: 'E0', Date: '10/10/2025', Time: '15:00', HomeTeam: 'Arsenal', AwayTeam: 'Chelsea' };
  const result = { FTHG: '1', FTAG: '0', FTR: 'H', B365H: '1.019', B365D: '8.5', B365A: '34' };
  const { of } = await importText(footballDataImporter, 'E0.csv', csvOf(columns, [{ ...row, ...result }]));
  expect(of('odds')[0]!['markets'][0].outcomes).toEqual([
    { outcome: 'home', price: -5263, decimal: 1.019 },
    { outcome: 'draw', price: 750 },
    { outcome: 'away', price: 3300 },
  ]);
});
