import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type SpecServer, startServer } from '../../spec/server.ts';
import { GAME } from './venue-game.ts';

let server: SpecServer;
beforeEach(async () => {
  server = await startServer();
  await server.feed(GAME);
  server.setClock('2026-03-01T12:01:00Z');
  await server.report([BIND]);
});
afterEach(() => server.close());

const MATCH = {
  ...{ sport: 'nba', league: 'nba', starts_at: '2026-03-02T03:00:00Z' },
  ...{ home: 'Golden State Warriors', away: 'Los Angeles Lakers' },
};
const about = (at: string) => ({ source: 'kalshi', at: `2026-03-01T${at}:00Z`, match: MATCH });
/** The contract `X-1` is on the Lakers, as a person says. */
const BIND = {
  ...{ kind: 'identity', source: 'operator', at: '2026-03-01T12:01:00Z', action: 'bind', what: 'event' },
  ...{ source_ref: { source: 'kalshi', ref: 'X-1' }, into: 1, side: { outcome: 'away' } },
};
/** Its ladder, which comes alone. */
const lakers = (at: string, ask: number) => ({
  ...{ kind: 'unclear_contract', ...about(at), ref: 'X-1', sport: 'nba', league: 'nba' },
  ...{ title: 'Lakers?', reason: 'names the losing side', sides: ['Golden State', 'Los Angeles L'] },
  ...{ bids: [], asks: [[ask, 500]] },
});
/** The ladder of the clear contract, whose message names the price of the Lakers again. */
const warriors = (at: string, ask: number) => ({
  ...{ kind: 'book', ...about(at), ref: 'k1', venue: 'kalshi' },
  markets: [{ key: 'h2h', outcomes: [{ outcome: 'home', bids: [], asks: [[ask, 500]] }] }],
});
const moneyline = (bookmaker: string, home: number, away: number, at: string) => ({
  ...{ kind: 'odds', source: 'feed', at: `2026-03-01T${at}:00Z`, ref: 'g1', bookmaker },
  markets: [
    {
      key: 'h2h',
      outcomes: [
        { outcome: 'home', price: home },
        { outcome: 'away', price: away },
      ],
    },
  ],
});

/** Two books beside the venue; then one of them says -900 of the Lakers, where the others have about +100. */
async function tell(...lone: readonly object[]) {
  server.setClock('2026-03-01T13:35:00Z');
  await server.report([
    ...[lakers('12:10', 0.5), moneyline('fanduel', -110, -110, '13:00'), moneyline('betmgm', -110, -110, '13:00')],
    ...[warriors('13:24', 0.6), ...lone, moneyline('betmgm', -110, -900, '13:30')],
  ]);
}
const isSuspect = async (path: string): Promise<boolean> =>
  JSON.stringify(await server.get(`/v1/events/1/${path}`)).includes('"suspect":true');
const moves = async (): Promise<any[]> => {
  const { changes } = (await server.get('/v1/changes?after=0&types=line_move&bookmaker=betmgm')) as any;
  return changes.map(({ data }: any) => data.price_to);
};

describe('a ladder of a contract bound by hand, beside the prices of others', () => {
  const PLACES = ['odds?bookmaker=betmgm', 'odds/summary?bookmaker=betmgm', 'odds/history?bookmaker=betmgm'];

  it('given one that nobody repeats for 75 minutes, then it is no witness against a price, in no answer', async () => {
    await tell();
    expect(await Promise.all(PLACES.map(isSuspect))).toEqual([false, false, false]);
    expect(await moves()).toEqual([-900]);
    // So it is where everything is made from the log again.
    await server.rebuild();
    expect(await Promise.all(PLACES.map(isSuspect))).toEqual([false, false, false]);
  });

  it('given answers that were asked for all along, then it is the same: what is kept of them takes in ladders too', async () => {
    await server.report([moneyline('fanduel', -108, -112, '12:05')]);
    for (const path of PLACES) await server.ask(`/v1/events/1/${path.replace('betmgm', 'fanduel')}`);
    await tell();
    expect(await Promise.all(PLACES.map(isSuspect))).toEqual([false, false, false]);
  });

  it('given that it came again in time, then it is one, in each of them', async () => {
    await tell(lakers('13:26', 0.5));
    expect(await Promise.all(PLACES.map(isSuspect))).toEqual([true, true, true]);
    expect(await moves()).toEqual([]);
    await server.report([moneyline('betmgm', -110, -900, '13:34')]);
    expect(await moves()).toEqual([-900]);
  });

  it('given a price that the fresh ladder of the other side contradicts, then no scan names it either', async () => {
    const offers = async () => ((await server.get('/v1/intelligence/ev?sport=nba&book=betmgm')) as any).opportunities;
    server.setClock('2026-03-01T13:35:00Z');
    await server.report([
      ...[lakers('12:10', 0.5), moneyline('pinnacle', -110, -110, '13:00'), warriors('13:24', 0.53)],
      moneyline('betmgm', 140, -150, '13:30'),
    ]);
    expect(await isSuspect(PLACES[0]!)).toBe(true);
    expect(await offers()).toEqual([]);
    await server.report([moneyline('betmgm', 140, -150, '13:34')]);
    expect(await offers()).not.toEqual([]);
  });

  it('given that the market is named without it to the start, then it is stale for that time in the quality of the market', async () => {
    server.setClock('2026-03-02T03:00:00Z');
    await server.report([lakers('12:10', 0.5), warriors('12:10', 0.6), warriors('13:20', 0.61)]);
    await server.report([
      { kind: 'schedule', ...{ source: 'feed', at: '2026-03-01T13:21:00Z', ref: 'g1' }, ...NBA, ...EARLIER },
      { kind: 'score', source: 'feed', at: '2026-03-01T14:10:00Z', ref: 'g1', status: 'inprogress' },
    ]);
    const { books } = (await server.get('/v1/markets/quality?league=nba')) as any;
    // Stale from 13:25 to 14:10, of the two hours since 12:10.
    expect(books).toMatchObject([{ bookmaker: 'kalshi', age_seconds: 3600, stale_share: 0.375 }]);
  });
});

const NBA = { sport: 'nba', league: 'nba' };
const EARLIER = {
  starts_at: '2026-03-01T14:10:00Z',
  participants: [
    { role: 'home', name: 'Golden State Warriors', abbreviation: 'GS' },
    { role: 'away', name: 'Los Angeles Lakers', abbreviation: 'LAL' },
  ],
};
