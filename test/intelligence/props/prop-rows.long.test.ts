import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { projections } from '../../../projections/index.ts';
import { forecastProp } from '../../../src/intelligence/props/prop-forecast.ts';
import { verifyProjection } from '../../../src/read-models/projector/verify/verify-projection.ts';
import { forecastWager } from '../../../src/read-models/rendering/forecast-wager-schema.ts';
import { createMemoryStore } from '../../../src/read-models/store/memory-store.ts';
import { NFL, odds, schedule, score } from '../../api/spec/messages.ts';
import { at, game, home, inDirectory, line, type PropsServer, past, propsServer, row, START } from './props-server.ts';

let server: PropsServer;
beforeEach(async () => {
  server = await propsServer();
});
afterEach(() => server.close());

const THREE = [
  past('p1', '2026-02-20', [row('Jo Young', { minutes: 30, points: 21, assists: 9, rebounds: 3 })]),
  past('p2', '2026-02-23', [row('Jo Young', { minutes: 34, points: 28, assists: 11, rebounds: 2 })]),
  past('p3', '2026-02-26', [row('Jo Young', { minutes: 32, points: 25, assists: 7, rebounds: 4 })]),
].flat();
const POINTS = [
  { value: 21, minutes: 30 },
  { value: 28, minutes: 34 },
  { value: 25, minutes: 32 },
];
const markets = async () => (await server.rows()).map(({ player, market, line: at_ }) => [player, market, at_]);

describe('the rows of an event', () => {
  it('has one for each player and market with a line, from his boxes', async () => {
    await server.feed(home, inDirectory('jy', 'Jo Young'), game(), ...THREE);
    await server.feed(line('fanduel', 'Jo Young', 22.5, { prices: [-115, -105] }), line('betmgm', 'Jo Young', 22.5));
    const [first, ...others] = await server.rows();
    const { side, probability, drivers } = forecastProp({ sport: 'nba', stat: 'points', line: 22.5 }, POINTS);
    const half = 1.2816 * Math.sqrt((probability * (1 - probability)) / 4);
    expect(others).toEqual([]);
    expect(Object.keys(first!)).toEqual(Object.keys(forecastWager.shape));
    expect(first).toEqual({
      event_id: expect.any(Number),
      sport: 'nba',
      league: 'nba',
      player: 'Jo Young',
      player_id: expect.any(Number),
      bet_type: null,
      player_role: null,
      market: 'points',
      line: 22.5,
      side,
      p_hit: probability,
      interval: [Math.round(1e3 * (probability - half)) / 1e3, Math.round(1e3 * (probability + half)) / 1e3],
      sufficiency: 0.23,
      reliability: 'emerging',
      conviction: Math.round((1e4 * (2 * probability - 1) * 3) / 13) / 1e4,
      model_version: 'nba-2.0',
      selected: false,
      books: { betmgm: { over: -110, under: -110 }, fanduel: { over: -115, under: -105 } },
      drivers,
      research: null,
    });
    expect(forecastWager.parse(first)).toEqual(first);
  });

  it('has the statistics that are sums of others', async () => {
    await server.feed(game(), ...THREE, line('fanduel', 'Jo Young', 33.5, { key: 'points_rebounds_assists' }));
    const [only] = await server.rows();
    const sums = [33, 41, 36].map((value, index) => ({ value, minutes: POINTS[index]!.minutes }));
    const bet = { sport: 'nba', stat: 'points_rebounds_assists', line: 33.5 } as const;
    expect(only!.p_hit).toBe(forecastProp(bet, sums).probability);
  });

  it('follows from the usage of a football player, where his boxes have it', async () => {
    const box = (ref: string, day: string, stats: Record<string, number>) => [
      schedule(NFL, ref, ['Hawks', `Guests ${ref}`], `${day}T18:00:00Z`, at('05:00', day)),
      score(ref, 'final', ['20', '10'], at('21:00', day)),
      { kind: 'box', source: 'feed', ...at('22:00', day), ref, final: true, players: [row('Jo Young', stats)] },
    ];
    await server.feed(schedule(NFL, 'g', ['Hawks', 'Bulls'], START, at('05:00')));
    await server.feed(...box('p1', '2026-02-20', { receptions: 4, targets: 9, rushing_attempts: 1 }));
    await server.feed(...box('p2', '2026-02-26', { receptions: 5, targets: 11, rushing_attempts: 0 }));
    await server.feed(line('fanduel', 'Jo Young', 3.5, { key: 'receptions' }));
    const past = [
      { value: 4, minutes: null, usage: { uses: 9, carries: 1, targets: 9 } },
      { value: 5, minutes: null, usage: { uses: 11, carries: 0, targets: 11 } },
    ];
    const { side, probability, drivers } = forecastProp({ sport: 'nfl', stat: 'receptions', line: 3.5 }, past);
    expect(await server.rows()).toMatchObject([
      { side, p_hit: probability, drivers, model_version: 'nfl-players-2.2' },
    ]);
  });

  it('knows who is in no directory by his name', async () => {
    await server.feed(game(), ...THREE, line('fanduel', 'Jó  YOUNG', 22.5));
    expect(await server.rows()).toMatchObject([{ player: 'Jó  YOUNG', player_id: null, sufficiency: 0.23 }]);
  });

  it('knows a player by the id of a source, whatever a box calls him', async () => {
    const boxes = past('p1', '2026-02-20', [row('J. Young', { points: 21 }, { ref: 'jy' })]);
    await server.feed(home, inDirectory('jy', 'Jo Young'), game(), ...boxes);
    await server.feed(line('fanduel', 'Jo Young', 22.5));
    expect(await server.rows()).toMatchObject([{ player: 'Jo Young', sufficiency: 0.09 }]);
  });

  it('tells namesakes apart by their ids', async () => {
    const of = (ref: string, points: number) => row('Jo Young', { points }, { ref });
    await server.feed(home, inDirectory('a', 'Jo Young'), inDirectory('b', 'Jo Young'), game());
    await server.feed(...past('p1', '2026-02-20', [of('a', 40), of('b', 2)]));
    await server.feed(line('fanduel', { player: 'Jo Young', player_ref: 'a' }, 20.5));
    const bet = { sport: 'nba', stat: 'points', line: 20.5 } as const;
    const { side, probability } = forecastProp(bet, [{ value: 40, minutes: null }]);
    expect(await server.rows()).toMatchObject([{ side, p_hit: probability }]);
  });

  it('needs a box of an earlier game that is over, in which he played and which carries the statistic', async () => {
    await server.feed(game(), line('fanduel', 'Jo Young', 22.5));
    const [schedule, , box] = past('p1', '2026-02-20', [row('Jo Young', { points: 20 })]);
    await server.feed(schedule!, box!);
    expect(await server.rows()).toEqual([]);
    await server.feed(...past('p2', '2026-02-21', [row('Jo Young', { points: 20 }, { dnp: true })]));
    await server.feed(...past('p3', '2026-02-22', [row('Jo Young', { rebounds: 20 })]));
    await server.feed(...past('p4', '2026-02-23', [row('Ann Other', { points: 20 })]));
    expect(await server.rows()).toEqual([]);
    await server.feed(...past('p5', '2026-02-24', [row('Jo Young', { points: 20 })]));
    expect(await server.rows()).toHaveLength(1);
  });

  it('takes the line of most books, and of equal ones the lower', async () => {
    await server.feed(game(), ...THREE, line('a', 'Jo Young', 21.5), line('b', 'Jo Young', 22.5));
    expect(await markets()).toEqual([['Jo Young', 'points', 21.5]]);
    await server.feed(line('c', 'Jo Young', 22.5), line('d', 'Jo Young', 20.5, { alternate: true }));
    await server.feed(
      line('e', 'Jo Young', 20.5, { alternate: true }),
      line('f', 'Jo Young', 20.5, { alternate: true }),
    );
    expect(await markets()).toEqual([['Jo Young', 'points', 22.5]]);
    expect(Object.keys((await server.rows())[0]!.books)).toEqual(['b', 'c']);
  });

  it('takes no line that no book has named for 75 minutes, or that is withdrawn', async () => {
    await server.feed(game(), ...THREE, line('a', 'Jo Young', 21.5, { time: '10:00' }), line('b', 'Jo Young', 22.5));
    server.setClock('11:15');
    expect(await markets()).toEqual([['Jo Young', 'points', 21.5]]);
    server.setClock('11:16');
    expect(await markets()).toEqual([['Jo Young', 'points', 22.5]]);
    server.setClock('12:31');
    await server.feed(line('a', 'Jo Young', 21.5, { time: '12:30' }));
    expect(await markets()).toEqual([['Jo Young', 'points', 21.5]]);
    await server.feed(odds('g', 'a', [{ key: 'points', complete: true, outcomes: [] }], at('12:35')));
    expect(await markets()).toEqual([['Jo Young', 'points', 22.5]]);
  });

  it('counts a repeated line at the time of its repetition', async () => {
    await server.feed(game(), ...THREE, line('a', 'Jo Young', 21.5, { time: '10:00' }));
    await server.feed(line('a', 'Jo Young', 21.5, { time: '11:30' }));
    server.setClock('12:40');
    expect(await markets()).toEqual([['Jo Young', 'points', 21.5]]);
  });

  it('has the surest first, and one pick if that is sure enough', async () => {
    const days = ['2026-02-10', '2026-02-11', '2026-02-12', '2026-02-13', '2026-02-14', '2026-02-15', '2026-02-16'];
    for (const [index, day] of days.entries()) {
      await server.feed(...past(`p${index}`, day, [row('Jo Young', { points: 30, rebounds: 3 })]));
    }
    const both = [
      { key: 'rebounds', outcomes: [{ outcome: 'over', price: -110, point: 2.5, player: 'Jo Young' }] },
      { key: 'points', outcomes: [{ outcome: 'over', price: -110, point: 9.5, player: 'Jo Young' }] },
    ];
    await server.feed(game(), odds('g', 'a', both, at('11:59')));
    const rows = await server.rows();
    expect(rows.map(({ market, side, selected }) => [market, side, selected])).toEqual([
      ['points', 'over', true],
      ['rebounds', 'over', false],
    ]);
    expect(rows[0]!.conviction).toBeGreaterThan(0.25);
  });
});

describe('what a row is based on', () => {
  it('does not change from the start on', async () => {
    await server.feed(game(), ...THREE);
    server.setClock('17:59');
    await server.feed(line('a', 'Jo Young', 22.5, { time: '17:59' }));
    const before = await server.rows();
    expect(before).toHaveLength(1);
    server.setClock('23:00', '2026-03-02');
    expect(await server.rows()).toEqual(before);
    await server.feed(
      { kind: 'score', source: 'feed', ...at('18:01'), ref: 'g', status: 'inprogress' },
      line('a', 'Jo Young', 30.5, { time: '18:05' }),
      line('b', 'Jo Young', 31.5, { time: '18:05' }),
    );
    await server.feed(...past('p4', '2026-03-01', [row('Jo Young', { minutes: 30, points: 50 })]));
    await server.feed({
      kind: 'box',
      source: 'feed',
      ...at('19:00'),
      ref: 'p3',
      final: true,
      players: [row('Jo Young', { minutes: 30, points: 1 })],
    });
    server.setClock('23:00', '2026-03-02');
    expect(await server.rows()).toEqual(before);
  });

  it('is not revised after the start by late facts, if the event was known before', async () => {
    await server.feed(game(), ...THREE.slice(0, 6), line('a', 'Jo Young', 22.5, { time: '11:50' }));
    server.setClock('17:59');
    await server.feed(line('a', 'Jo Young', 22.5, { time: '17:50' }));
    const before = await server.rows();
    server.setClock('20:00');
    await server.feed(...THREE.slice(6), line('b', 'Jo Young', 23.5, { time: '17:55' }));
    await server.feed(line('c', 'Jo Young', 23.5, { time: '17:55' }));
    expect(before).toMatchObject([{ line: 22.5, sufficiency: 0.17 }]);
    expect(await server.rows()).toEqual(before);
    for (const basis of ['recorded', 'observed'] as const) {
      expect(await server.rows({ at: Date.parse('2026-03-01T21:00:00Z'), basis })).toEqual(before);
    }
  });

  it('leaves out facts dated after the start, though they came before', async () => {
    await server.feed(game(), ...THREE);
    server.setClock('17:59');
    await server.feed(line('a', 'Jo Young', 22.5, { time: '17:50' }), line('a', 'Jo Young', 30.5, { time: '18:02' }));
    server.setClock('20:00');
    expect(await server.rows()).toMatchObject([{ line: 22.5 }]);
  });

  it('for an event that arrived after its start, is what was observed before the start', async () => {
    server.setClock('20:00');
    await server.feed(game(), ...THREE.slice(0, 6), line('a', 'Jo Young', 22.5, { time: '17:50' }));
    const without = await server.rows();
    await server.feed(...THREE.slice(6));
    expect(without).toMatchObject([{ sufficiency: 0.17 }]);
    expect(await server.rows()).toMatchObject([{ sufficiency: 0.23 }]);
    for (const basis of ['recorded', 'observed'] as const) {
      expect(await server.rows({ at: Date.parse('2026-03-01T21:00:00Z'), basis })).toEqual(await server.rows());
    }
  });

  it('is given as of a moment as it was then, by either clock', async () => {
    await server.feed(game(), ...THREE, line('a', 'Jo Young', 22.5));
    const then = await server.rows();
    server.setClock('13:00');
    await server.feed({
      kind: 'box',
      source: 'feed',
      ...at('12:30'),
      ref: 'p3',
      final: true,
      players: [row('Jo Young', { minutes: 32, points: 5 })],
    });
    await server.feed(line('a', 'Jo Young', 24.5, { time: '12:30' }));
    const now = await server.rows();
    expect(now).toMatchObject([{ line: 24.5 }]);
    expect(now[0]!.drivers).not.toEqual(then[0]!.drivers);
    for (const basis of ['recorded', 'observed'] as const) {
      expect(await server.rows({ at: Date.parse('2026-03-01T12:00:00Z'), basis })).toEqual(then);
      expect(await server.rows({ at: Date.parse('2026-03-01T13:00:00Z'), basis })).toEqual(now);
    }
    expect(await server.rows({ at: Date.parse('2026-03-01T06:00:00Z'), basis: 'observed' })).toEqual([]);
  });

  it('includes a corrected box, and drops one of a game that is not over after all', async () => {
    await server.feed(game(), ...THREE, line('a', 'Jo Young', 22.5));
    const before = await server.rows();
    await server.feed({
      kind: 'box',
      source: 'feed',
      ...at('08:00'),
      ref: 'p3',
      final: true,
      players: [row('Jo Young', { minutes: 32, points: 5 })],
    });
    const corrected = await server.rows();
    expect(corrected[0]!.drivers).not.toEqual(before[0]!.drivers);
    await server.feed({ kind: 'score', source: 'feed', ...at('09:00'), ref: 'p3', status: 'inprogress' });
    expect(await server.rows()).toMatchObject([{ sufficiency: 0.17 }]);
  });

  it('counts a game that one source abandoned while the source of its status reported it as going on', async () => {
    const [schedule, end, box] = past('p1', '2026-02-20', [row('Jo Young', { points: 20 })]);
    const said = (source: string, time: string, status: string) => ({
      kind: 'score',
      source,
      ...at(time, '2026-02-20'),
      ref: 'p1',
      status,
    });
    await server.feed(game(), line('a', 'Jo Young', 22.5), schedule!, { ...schedule!, source: 'other' });
    await server.feed(said('feed', '18:30', 'inprogress'), said('other', '19:00', 'walkover'), end!, box!);
    expect(await server.rows()).toHaveLength(1);
  });

  it('ignores a preseason', async () => {
    const boxes = past('p1', '2026-02-20', [row('Jo Young', { points: 20 })]);
    const preseason = { ...boxes[0]!, season: { year: 2026, phase: 'preseason' } };
    await server.feed(game(), line('a', 'Jo Young', 22.5), preseason, ...boxes.slice(1));
    expect(await server.rows()).toEqual([]);
  });
});

describe('the read models behind the rows', () => {
  it.each(['player-boxes', 'prop-quotes'])('%s: the log folds to what is stored', async (name) => {
    await server.feed(home, inDirectory('jy', 'Jo Young'), game(), ...THREE, line('a', 'Jo Young', 22.5));
    await server.feed(
      ...past('p3', '2026-02-26', [row('Jo Young', { points: 9 })], at('23:00', '2026-02-26')).slice(2),
    );
    const projection = projections.find((one) => one.name === name)!;
    const { log, store } = server.ports;
    const { documents, differences } = await verifyProjection({
      log,
      store,
      projection,
      scratchStore: createMemoryStore(),
    });
    expect(documents).toBeGreaterThan(0);
    expect(differences).toEqual([]);
  });
});
