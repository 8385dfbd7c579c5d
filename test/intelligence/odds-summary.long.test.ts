import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type AgentServer, BOOTSTRAP_KEY, serveAgent } from '../api/agent/serving.ts';
import { EPL, market, NFL, type Outcome, odds, schedule, score } from '../api/spec/messages.ts';

let server: AgentServer;
beforeEach(async () => {
  server = await serveAgent({ time: Date.parse('2026-03-01T12:00:00Z') });
});
afterEach(() => server.close());

const SIDES = ['Kansas City Chiefs', 'Denver Broncos'] as const;
const START = '2026-03-01T18:00:00Z';
const at = (time: string) => ({ at: `2026-03-01T${time}:00Z` });
const game = () => schedule(NFL, 'g1', [...SIDES], START, at('05:00'));

const moneyline = (bookmaker: string, home: number, away: number, time: string, more = {}) =>
  odds('g1', bookmaker, [market('h2h', twoWay(home, away), more)], at(time));
const twoWay = (home: number, away: number): Outcome[] => [
  ['home', home],
  ['away', away],
];
const total = (bookmaker: string, point: number, over: number, time: string) =>
  odds(
    'g1',
    bookmaker,
    [
      market('totals', [
        ['over', over, point],
        ['under', -110, point],
      ]),
    ],
    at(time),
  );

async function summary(query = '', id?: number) {
  const event = id ?? (await server.eventId('feed', 'g1'));
  return server.get(`/v1/events/${event}/odds/summary${query}`, BOOTSTRAP_KEY);
}
const ofHome = ({ bookmakers }: any) => bookmakers[0].markets[0].outcomes[0];
const seen = (price: number, time: string, point: number | null = null) => ({ price, point, ...at(time) });

describe('the summary of odds', () => {
  it('has the first, the highest, the lowest and the present price, each from when it was seen first', async () => {
    await server.feed(
      game(),
      moneyline('pinnacle', -110, -110, '06:00'),
      moneyline('pinnacle', 105, -125, '07:00'),
      moneyline('pinnacle', -130, 110, '08:00'),
      moneyline('pinnacle', 105, -125, '09:00'),
    );
    expect(ofHome(await summary())).toEqual({
      outcome: 'Kansas City Chiefs',
      open: seen(-110, '06:00'),
      close: null,
      high: seen(105, '07:00'),
      low: seen(-130, '08:00'),
      current: seen(105, '09:00'),
    });
  });

  it('has the greatest and the smallest point of totals, and at equal points the higher and the lower payout', async () => {
    await server.feed(
      game(),
      total('pinnacle', 47, -110, '06:00'),
      total('pinnacle', 46.5, -105, '07:00'),
      total('pinnacle', 46.5, -115, '08:00'),
      total('pinnacle', 47, 100, '09:00'),
    );
    const { high, low, current } = ofHome(await summary());
    expect([high, low, current]).toEqual([seen(100, '09:00', 47), seen(-115, '08:00', 46.5), seen(100, '09:00', 47)]);
  });

  it('closes with the start, and nothing from then on opens, closes or is high', async () => {
    await server.feed(game(), moneyline('pinnacle', -110, -110, '06:00'), moneyline('pinnacle', -120, 100, '11:00'));
    server.clock.time = Date.parse('2026-03-01T18:30:00Z');
    await server.feed(moneyline('pinnacle', 200, -250, '18:00'), moneyline('fanduel', 210, -260, '18:10'));
    const answer = await summary('?bookmaker=all');
    expect(ofHome(answer)).toMatchObject({
      open: seen(-110, '06:00'),
      high: seen(-110, '06:00'),
      low: seen(-120, '11:00'),
      close: seen(-120, '11:00'),
      current: seen(200, '18:00'),
    });
    expect(answer.bookmakers[1].markets[0].outcomes[0]).toMatchObject({
      open: null,
      close: null,
      high: null,
      low: null,
      current: seen(210, '18:10'),
    });
  });

  it('closes with the first live message if that comes before the known start', async () => {
    await server.feed(game(), moneyline('pinnacle', -110, -110, '06:00'));
    await server.feed(score('g1', 'inprogress', ['0', '0'], at('11:00')), moneyline('pinnacle', 300, -400, '11:30'));
    expect(ofHome(await summary())).toMatchObject({ close: seen(-110, '06:00'), current: seen(300, '11:30') });
  });

  it('follows a start that has moved', async () => {
    await server.feed(game(), moneyline('pinnacle', -110, -110, '06:00'), moneyline('pinnacle', -120, 100, '10:00'));
    await server.feed(schedule(NFL, 'g1', [...SIDES], '2026-03-01T09:00:00Z', at('10:30')));
    expect(ofHome(await summary())).toMatchObject({ close: seen(-110, '06:00'), low: seen(-110, '06:00') });
  });

  it('has no close and no present price after a withdrawal, and treats an unchanged return as no change', async () => {
    await server.feed(game(), moneyline('pinnacle', -110, -110, '06:00'));
    await server.feed(odds('g1', 'pinnacle', [{ key: 'h2h', complete: true, outcomes: [] }], at('07:00')));
    const { id } = { id: await server.eventId('feed', 'g1') };
    expect(ofHome(await summary('', id))).toMatchObject({ open: seen(-110, '06:00'), current: null });
    await server.feed(moneyline('pinnacle', -110, -110, '08:00'));
    expect(ofHome(await summary('', id)).current).toEqual(seen(-110, '06:00'));
  });

  it('puts late messages in their place', async () => {
    await server.feed(game(), moneyline('pinnacle', -110, -110, '08:00'));
    await server.feed(moneyline('pinnacle', -150, 130, '06:00'));
    expect(ofHome(await summary())).toMatchObject({
      open: seen(-150, '06:00'),
      low: seen(-150, '06:00'),
      current: seen(-110, '08:00'),
    });
  });

  it('answers as of a moment, by either clock', async () => {
    await server.feed(game(), moneyline('pinnacle', -110, -110, '06:00'));
    server.clock.time += 60_000;
    await server.feed(moneyline('pinnacle', -120, 100, '07:00'));
    server.clock.time += 60_000;
    const currentAt = async (query: string) => ofHome(await summary(query)).current.price;
    expect(await currentAt('?as_of=2026-03-01T12:00:30Z')).toBe(-110);
    expect(await currentAt('?as_of=2026-03-01T12:01:30Z')).toBe(-120);
    expect(await currentAt('?as_of=2026-03-01T06:30:00Z&as_of_basis=observed')).toBe(-110);
  });

  it('is free while nothing is available, and costs as odds do', async () => {
    await server.feed(game());
    const id = await server.eventId('feed', 'g1');
    const ask = (query = '') => server.ask(`/v1/events/${id}/odds/summary${query}`, { key: BOOTSTRAP_KEY });
    const empty = await ask();
    expect([empty.credits, empty.body]).toEqual([0, { event_id: id, available: false, bookmakers: [], consensus: [] }]);
    await server.feed(moneyline('pinnacle', -110, -110, '06:00'));
    expect([(await ask()).credits, (await ask('?bookmaker=all')).credits]).toEqual([1, 2]);
    expect((await ask('?bookmaker=fanduel')).body.available).toBe(false);
    expect((await server.ask('/v1/events/99/odds/summary', { key: BOOTSTRAP_KEY })).status).toBe(404);
  });
});

describe('the fair closing line', () => {
  it('has the fair prices when first known, and at the start', async () => {
    await server.feed(
      game(),
      moneyline('fanduel', 200, -250, '05:30'),
      moneyline('pinnacle', -150, 130, '06:00'),
      moneyline('pinnacle', -300, 250, '11:00'),
    );
    const before = await summary('?bookmaker=fanduel');
    expect(before.consensus).toEqual([
      {
        key: 'h2h',
        line: null,
        outcomes: [
          { outcome: 'Kansas City Chiefs', open: 0.582712, close: null },
          { outcome: 'Denver Broncos', open: 0.417288, close: null },
        ],
      },
    ]);
    // Reconfirmed within the 75 minutes before the start.
    server.clock.time = Date.parse('2026-03-01T18:00:00Z');
    await server.feed(moneyline('pinnacle', -300, 250, '17:00'));
    const { consensus } = await summary();
    expect(consensus[0].outcomes.map(({ close }: any) => close)).toEqual([0.732521, 0.267479]);
  });

  it('is absent if all prices are stale at the start, and names the closing line', async () => {
    await server.feed(game(), total('pinnacle', 47, -110, '06:00'), total('circa', 46.5, -110, '06:00'));
    server.clock.time = Date.parse('2026-03-01T18:00:00Z');
    expect((await summary()).consensus[0]).toMatchObject({ line: null, outcomes: [{ open: 0.5, close: null }, {}] });
    await server.feed(total('circa', 46.5, -110, '17:30'));
    expect((await summary()).consensus[0]).toMatchObject({ line: 46.5, outcomes: [{ open: 0.5, close: 0.5 }, {}] });
  });

  it('has three outcomes in soccer', async () => {
    await server.feed(
      schedule(EPL, 'g1', ['Arsenal', 'Chelsea'], START, at('05:00')),
      odds('g1', 'pinnacle', [market('h2h', [...twoWay(320, 270), ['draw', -105]])], at('06:00')),
    );
    const { consensus } = await summary();
    expect(consensus[0].outcomes.map(({ outcome }: any) => outcome)).toEqual(['Arsenal', 'Chelsea', 'Draw']);
    expect(consensus[0].outcomes.reduce((sum: number, { open }: any) => sum + Math.round(open * 1e6), 0)).toBe(1e6);
  });
});
