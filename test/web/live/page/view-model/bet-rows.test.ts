import { describe, expect, it } from 'vitest';
import type { EventBet, EventIntelligence } from '../../../../../src/web/live/answers/live-page-intelligence.ts';
import { betNotes, betRows } from '../../../../../src/web/live/page/view-model/bet-rows.ts';
import { fairPrice, formatPercent } from '../../../../../src/web/live/page/view-model/odds-format.ts';
import { probabilityRows, toProbabilityLines } from '../../../../../src/web/live/page/view-model/probability-lines.ts';

const FEW = 'No forecast: fewer than 100 earlier results of this league are known.';
const SIDES = [
  { role: 'away', name: 'The Guests', abbreviation: 'GST' },
  { role: 'home', name: 'The Hosts', abbreviation: null },
];

const bet = (bet_type: string, more: Partial<EventBet> = {}): EventBet => ({
  bet_type,
  player_role: bet_type.endsWith('P1') ? 'home' : bet_type.endsWith('P2') ? 'away' : null,
  probability: null,
  interval: null,
  fair: null,
  edges_by_book: null,
  ev: null,
  narrative: null,
  edge: null,
  tier: null,
  market: { price: null, line: null },
  ...more,
});
const known: Partial<EventBet> = {
  market: { price: -110, line: null },
  fair: { probability: 0.55, books: ['pinnacle', 'x'] },
};
const answer = (bets: readonly EventBet[], more: Partial<EventIntelligence> = {}): EventIntelligence => ({
  event_id: 1,
  as_of: null,
  available: true,
  rationale: null,
  bets,
  bookmakers: { pinnacle: 'Pinnacle' },
  players: { home: { player_id: null, team_id: 1 }, away: { player_id: null, team_id: 2 } },
  ...more,
});

describe('the bets of an event', () => {
  it('come by market, in the order in which the event shows its sides, with the lines of their own sides', () => {
    const bets = [
      ...[bet('ML_P1'), bet('ML_P2'), bet('ML_DRAW')],
      bet('SPREAD_P1', { market: { price: -110, line: -3.5 } }),
      bet('SPREAD_P2', { market: { price: -110, line: 3.5 } }),
      ...[bet('OVER', { market: { price: -110, line: 45 } }), bet('UNDER', { market: { price: -110, line: 45 } })],
    ];
    const rows = betRows({ bets }, SIDES).map(({ market, name, line }) => [market, name, line]);
    expect(rows).toEqual([
      ['h2h', 'GST', null],
      ['h2h', 'The Hosts', null],
      ['h2h', 'Draw', null],
      ['spreads', 'GST', '+3.5'],
      ['spreads', 'The Hosts', '−3.5'],
      ['totals', 'Over', '45'],
      ['totals', 'Under', '45'],
    ]);
  });

  it('tell why something of them is not known', () => {
    const rows = (bets: readonly EventBet[]) => betRows({ bets }, SIDES);
    const [guests, hosts] = rows([bet('ML_P1', known), bet('ML_P2')]);
    expect(guests).toMatchObject({
      whyNoFair: 'No fair price: no bookmaker offers this bet.',
      whyNoForecast: FEW,
      whyNoEv: 'No expected value: no fair price is known.',
    });
    expect(hosts!.whyNoEv).toBe('No expected value: there is no other book to compare.');

    const [better] = rows([bet('ML_P1', { ...known, edges_by_book: { x: -0.01 } })]);
    expect(better!.whyNoEv).toBe('No price is better than fair.');
    const [stale] = rows([bet('ML_P1', { ...known, fair: null })]);
    expect(stale!.whyNoFair).toContain('no reference book has a fresh price');

    const edges = rows([
      bet('ML_P1', { ...known, probability: 0.5 }),
      bet('ML_P2', known),
      bet('OVER', { probability: 0.5 }),
    ]);
    const none = 'no price, or no forecast';
    expect(edges.map(({ whyNoEdge }) => whyNoEdge)).toEqual([none, 'not published yet', none]);

    const [, spread, total] = rows([
      bet('ML_P1', { probability: 0.5 }),
      bet('SPREAD_P1'),
      bet('OVER', { market: { price: -110, line: 45 } }),
    ]);
    expect(spread!.whyNoForecast).toBe('No forecast: there is no line to forecast.');
    expect(total!.whyNoForecast).toBe('No forecast: the model says nothing of this market.');
  });

  it('are told of in words: whose prices are fair, whether there is a forecast, and the pick', () => {
    expect(betNotes(answer([bet('ML_P1', known)]))).toEqual([
      'Fair: the market without its margin, from Pinnacle, x.',
      FEW,
    ]);
    expect(betNotes(answer([bet('ML_P1', { probability: 0.6, narrative: 'The Hosts: forecast 60%.' })]))).toEqual([
      'Forecast: this server’s own, which sees no price.',
      expect.stringMatching(/^Edge: the forecast less what the best price stands for/),
      'The Hosts: forecast 60%.',
    ]);
  });

  it('are none of sides that are open, and where nothing is known', () => {
    const open = { players: { home: { player_id: null, team_id: 1 }, away: { player_id: null, team_id: null } } };
    expect(betNotes(answer([], open))).toEqual([
      'No fair price and no forecast: a side is not known yet, or is a pair.',
    ]);
    const [nothing] = betNotes(answer([]));
    expect(nothing).toContain('no reference book has a fresh price');
    expect(nothing).toContain(FEW);
  });
});

describe('a probability', () => {
  it.each([
    [0.5, 100, '50.0%'],
    [0.54, -117, '54.0%'],
    [0.25, 300, '25.0%'],
    [0.8, -400, '80.0%'],
  ])('%d is fair at %d', (probability, price, percent) => {
    expect([fairPrice(probability), formatPercent(probability)]).toEqual([price, percent]);
  });
});

describe('the probabilities before the start', () => {
  const at = (minute: number) => `2026-03-01T18:${String(minute).padStart(2, '0')}:00Z`;
  const time = (minute: number) => Date.parse(at(minute));
  const told = {
    event_id: 1,
    outcome: 'home',
    until: at(50),
    fair: [
      { at: at(10), probability: 0.5 },
      { at: at(30), probability: 0.52 },
    ],
    forecast: [{ at: at(20), probability: 0.6 }],
  };

  it('go from the first that is known to the start, within the range of both', () => {
    const lines = toProbabilityLines(told)!;
    expect([lines.outcome, lines.from, lines.to]).toEqual(['home', time(10), time(50)]);
    expect(lines.range[0]).toBeLessThan(0.5);
    expect(lines.range[1]).toBeGreaterThan(0.6);
    const sure = toProbabilityLines({ ...told, fair: [{ at: at(10), probability: 0.9999 }] })!;
    expect(sure.range[1]).toBe(1);
  });

  it('are a table of what stood from each change on', () => {
    expect(probabilityRows(toProbabilityLines(told)!)).toEqual([
      { at: time(10), fair: 0.5, forecast: null },
      { at: time(20), fair: 0.5, forecast: 0.6 },
      { at: time(30), fair: 0.52, forecast: 0.6 },
    ]);
  });

  it('are not drawn where none was known', () => {
    expect(toProbabilityLines(null)).toBeNull();
    expect(toProbabilityLines({ ...told, fair: [], forecast: [] })).toBeNull();
  });
});
