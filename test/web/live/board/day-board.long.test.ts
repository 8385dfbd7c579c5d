import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Board } from '../../../../src/web/live/answers/live-page-answers.ts';
import { ATP, EPL, market, NBA, NFL, odds, schedule, score } from '../../../api/spec/messages.ts';
import { type LiveServer, serveLive } from '../serve-live-page.ts';

let server: LiveServer;
beforeEach(async () => {
  server = await serveLive();
});
afterEach(async () => {
  await server.close();
  expect(server.failures).toEqual([]);
});

const board = (query = '') => server.get<Board>(`/live/board${query}`);
const names = ({ events }: Board) => events.map(({ name }) => name);

describe('the board of a day', () => {
  it('holds the events that start on it, in UTC', async () => {
    await server.feed(
      schedule(NBA, 'a', ['A', 'B'], '2026-02-28T23:59:59Z'),
      schedule(NBA, 'b', ['C', 'D'], '2026-03-01T00:00:00Z'),
      schedule(NBA, 'c', ['E', 'F'], '2026-03-01T23:59:59Z'),
      schedule(NBA, 'd', ['G', 'H'], '2026-03-02T00:00:00Z'),
    );
    const today = await board();
    expect(names(today)).toEqual(['D at C', 'F at E']);
    expect(today).toMatchObject({ date: '2026-03-01', previous_date: '2026-02-28', next_date: '2026-03-02' });
    expect(names(await board('?date=2026-02-28'))).toEqual(['B at A']);
  });

  it('is the nearest one with events where there are none, the later of two', async () => {
    const empty = { date: '2026-03-01', previous_date: null, next_date: null, sports: [], events: [] };
    expect(await board()).toMatchObject(empty);
    await server.feed(
      schedule(NBA, 'a', ['A', 'B'], '2026-02-20T18:00:00Z'),
      schedule(NBA, 'b', ['C', 'D'], '2026-03-05T18:00:00Z'),
      schedule(NBA, 'c', ['E', 'F'], '2026-03-06T18:00:00Z'),
    );
    const dates = async (query?: string) => {
      const { date, previous_date, next_date } = await board(query);
      return [previous_date, date, next_date];
    };
    expect(await dates()).toEqual(['2026-02-20', '2026-03-05', '2026-03-06']);
    expect(await dates('?date=2026-02-26')).toEqual([null, '2026-02-20', '2026-03-05']);
    expect(await dates('?date=2026-02-27')).toEqual(['2026-02-20', '2026-03-05', '2026-03-06']);
    expect(await dates('?date=2030-01-01')).toEqual(['2026-03-05', '2026-03-06', null]);
  });

  it('shows live events first, then those to come, then those that are over', async () => {
    const plans = [
      ['cancelled', '10'],
      ['final', '12'],
      ['scheduled', '13'],
      ['delayed', '11'],
      ['postponed', '09'],
      ['suspended', '15'],
      ['inprogress', '14'],
      ['walkover', '08'],
    ] as const;
    await server.feed(
      ...plans.map(([status, hour]) => schedule(EPL, status, [status, 'Other'], `2026-03-01T${hour}:00:00Z`)),
      ...plans.flatMap(([status]) => (status === 'scheduled' ? [] : [score(status, status)])),
    );
    const { events } = await board();
    expect(events.map(({ status }) => status)).toEqual([
      ...['inprogress', 'suspended', 'delayed', 'scheduled', 'walkover', 'final', 'postponed', 'cancelled'],
    ]);
  });

  it('names the sports of the day in the order of the catalogue, with their leagues', async () => {
    await server.feed(
      schedule(ATP, 'a', ['Ann One', 'Bea Two'], '2026-03-01T18:00:00Z'),
      schedule(NFL, 'b', ['C', 'D'], '2026-03-01T19:00:00Z'),
    );
    const { sports } = await board();
    expect(sports).toEqual([
      {
        slug: 'nfl',
        name: 'American Football',
        leagues: [{ slug: 'nfl', name: 'National Football League', abbreviation: 'NFL' }],
      },
      {
        slug: 'tennis',
        name: 'Tennis',
        leagues: [{ slug: 'atp', name: 'Association of Tennis Professionals Tour', abbreviation: 'ATP' }],
      },
    ]);
  });

  it('says what the demo has made, of an event and of the day', async () => {
    await server.feed(schedule(NBA, 'a', ['A', 'B'], '2026-03-01T18:00:00Z'));
    expect(await board()).toMatchObject({ simulated: false, events: [{ simulated: false }] });
    await server.feed(
      schedule(NBA, 'b', ['C', 'D'], '2026-03-01T19:00:00Z', { source: 'demo' }),
      score('b', 'inprogress', ['1', '0'], { source: 'demo', at: '2026-03-01T19:00:00Z' }),
    );
    const { simulated, events } = await board();
    expect([simulated, ...events.map((event) => [event.name, event.simulated])]).toEqual([
      true,
      ['D at C', true],
      ['B at A', false],
    ]);
  });
});

describe('an event on the board', () => {
  it('has its sides in the order of its name, with the score', async () => {
    await server.feed(
      schedule(NBA, 'a', [{ name: 'Home', abbreviation: 'HOM' }, 'Away'], '2026-03-01T18:00:00Z'),
      schedule(EPL, 'b', ['Hosts', 'Guests'], '2026-03-01T19:00:00Z'),
      score('a', 'inprogress', ['12', '9'], { period: '1', clock: '4:30' }),
    );
    const [a, b] = (await board()).events;
    expect(a).toMatchObject({
      name: 'Away at Home',
      status: 'inprogress',
      period_label: '1st Quarter',
      clock: '4:30',
      sides: [
        { role: 'away', name: 'Away', abbreviation: null, score: '9' },
        { role: 'home', name: 'Home', abbreviation: 'HOM', score: '12' },
      ],
    });
    expect(b!.sides.map(({ role, score: points }) => [role, points])).toEqual([
      ['home', null],
      ['away', null],
    ]);
  });

  it('has the lines of the first bookmaker of the specification’s order, with their movement', async () => {
    const totals = (price: number, point: number) =>
      market('totals', [
        ['under', -110, point],
        ['over', price, point],
      ]);
    const h2h = market('h2h', [
      ['away', 110],
      ['home', -120],
    ]);
    const at = (minute: number) => `2026-03-01T11:${minute}:00Z`;
    await server.feed(
      schedule(NBA, 'a', ['Home', 'Away'], '2026-03-01T18:00:00Z'),
      odds('a', 'zzz', [h2h]),
      odds('a', 'draftkings', [h2h, market('player_points', [['over', -110, 20.5]])]),
      odds('a', 'fanduel', [totals(-110, 220.5), h2h], { at: at(10) }),
      odds('a', 'fanduel', [totals(-115, 220.5)], { at: at(11) }),
      odds('a', 'fanduel', [totals(-115, 221.5)], { at: at(12) }),
      odds('a', 'pinnacle', [market('spreads', [['home', -110, -3.5]], { scope: '1H' })]),
    );
    const [{ lines, bookmakers }] = (await board()).events as [Board['events'][number]];
    expect(bookmakers).toBe(3);
    expect(lines.map(({ bookmaker, market: key, label }) => [bookmaker, key, label])).toEqual([
      [{ slug: 'fanduel', name: 'FanDuel' }, 'h2h', 'moneyline'],
      [{ slug: 'fanduel', name: 'FanDuel' }, 'totals', 'totals'],
    ]);
    expect(lines[0]).toMatchObject({
      outcomes: [
        { outcome: 'home', name: 'Home', price: -120, point: null, moved: null },
        { outcome: 'away', name: 'Away', price: 110, point: null, moved: null },
      ],
      series: [],
    });
    expect(lines[1]).toMatchObject({
      outcomes: [
        { outcome: 'over', price: -115, point: 221.5, moved: { at: at(12), price_from: -115, point_from: 220.5 } },
        { outcome: 'under', price: -110, point: 221.5, moved: { at: at(12), price_from: -110, point_from: 220.5 } },
      ],
      series: [
        { at: at(11), price: -110, point: 220.5 },
        { at: at(11), price: -115, point: 220.5 },
        { at: at(12), price: -115, point: 221.5 },
      ],
    });
  });

  it('has at most 60 points of a movement, the newest', async () => {
    const at = (second: number) => new Date(Date.parse('2026-03-01T11:00:00Z') + 1000 * second).toISOString();
    await server.feed(
      schedule(NBA, 'a', ['Home', 'Away'], '2026-03-01T18:00:00Z'),
      ...Array.from({ length: 100 }, (_, index) =>
        odds('a', 'fanduel', [market('h2h', [['home', 101 + index]])], { at: at(index) }),
      ),
    );
    const { series } = (await board()).events[0]!.lines[0]!;
    expect([series.length, series[0]!.price, series.at(-1)!.price]).toEqual([60, 141, 200]);
  });

  it('has no lines while it is not known who plays', async () => {
    await server.feed(
      schedule(NBA, 'a', [{ name: 'Winner of A', placeholder: true }, 'Away'], '2026-03-01T18:00:00Z'),
      odds('a', 'fanduel', [market('h2h', [['home', -120]])]),
    );
    expect((await board()).events[0]).toMatchObject({ lines: [], bookmakers: 0 });
  });
});

describe('what is kept of the board', () => {
  it('is never older than what is projected', async () => {
    await server.feed(schedule(NBA, 'a', ['Home', 'Away'], '2026-03-01T18:00:00Z'));
    const seen: unknown[] = [];
    const look = async () => {
      const [event] = (await board()).events;
      seen.push([event!.sides[1]!.score, event!.lines[0]?.outcomes[0]?.price, event!.starts_at.slice(11, 13)]);
    };
    await look();
    await server.feed(score('a', 'inprogress', ['1', '0']));
    await look();
    await server.feed(odds('a', 'betmgm', [market('h2h', [['home', 150]])]));
    await look();
    await server.feed(odds('a', 'fanduel', [market('h2h', [['home', 160]])]));
    await look();
    await server.feed(schedule(NBA, 'a', ['Home', 'Away'], '2026-03-01T19:00:00Z', { at: '2026-03-01T11:30:00Z' }));
    await look();
    expect(seen).toEqual([
      [null, undefined, '18'],
      ['1', undefined, '18'],
      ['1', 150, '18'],
      ['1', 160, '18'],
      ['1', 160, '19'],
    ]);
  });

  it('never shows two moments of an event at once', async () => {
    await server.close();
    let change = async () => {};
    server = await serveLive({
      around: (store) => ({
        ...store,
        // The event has been read, and changes before its prices are.
        async getMany(projection, keys) {
          const between = change;
          if (projection === 'odds') {
            change = async () => {};
            await between();
          }
          return store.getMany(projection, keys);
        },
      }),
    });
    const price = (home: number, minute: number) =>
      odds('a', 'fanduel', [market('h2h', [['home', home]])], { at: `2026-03-01T18:0${minute}:00Z` });
    await server.feed(schedule(NBA, 'a', ['Home', 'Away'], '2026-03-01T18:00:00Z'), price(-110, 0));
    change = () => server.feed(score('a', 'inprogress', ['1', '0']), price(-150, 1));
    const shown = ({ events: [event] }: Board) => [event!.sides[1]!.score, event!.lines[0]!.outcomes[0]!.price];
    expect(shown(await board())).toEqual(['1', -150]);
    expect(shown(await board())).toEqual(['1', -150]);
  });

  it('is not read again', async () => {
    await server.close();
    let reads = 0;
    server = await serveLive({
      around: (store) => ({
        ...store,
        getMany: (projection, keys) => {
          reads += keys.length;
          return store.getMany(projection, keys);
        },
      }),
    });
    await server.feed(
      schedule(NBA, 'a', ['A', 'B'], '2026-03-01T18:00:00Z'),
      schedule(NBA, 'b', ['C', 'D'], '2026-03-01T18:00:00Z'),
    );
    await board();
    expect(reads).toBe(4);
    await board();
    await server.get(`/live/events/${await server.eventId('a')}`);
    expect(reads).toBe(4);
    await server.feed(score('b', 'inprogress', ['1', '0']));
    await board();
    expect(reads).toBe(6);
  });
});
