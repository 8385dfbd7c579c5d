import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { espnImporter } from '../../../src/sources/espn/importer.ts';
import { americanPrice, fractionalPrice } from '../../../src/sources/espn/price-formats.ts';
import { MissingFact } from '../../../src/sources/importing/importer.ts';
import { createStartCollector } from '../../../src/sources/importing/known-starts.ts';
import { importJson } from '../import-json.ts';
import { event, scoreboard, status } from './espn-answers.ts';

const run = (content: unknown, options = {}) => importJson(espnImporter, content, options);
const american = (value: string) => ({ american: value });
const quotes = (line: string, spread: string, moneyLine: string) => ({
  pointSpread: american(line),
  spread: american(spread),
  moneyLine: american(moneyLine),
});
/** As the core interface gives the odds of one provider. */
const item = (name = 'ESPN BET', more: object = {}) => ({
  provider: { id: '58', name },
  overUnder: 7.5,
  spread: 1.5,
  overOdds: -125,
  underOdds: 105,
  homeTeamOdds: {
    moneyLine: 165,
    open: quotes('+1.5', 'EVEN', '+160'),
    close: { pointSpread: american('-120') },
    current: quotes('+1.5', 'EVEN', '+165'),
  },
  awayTeamOdds: { moneyLine: -200, open: quotes('-1.5', '-120', '-190'), current: quotes('-1.5', '-120', '-200') },
  open: { over: american('-115'), under: american('-105'), total: american('8.5') },
  current: { over: american('-125'), under: american('+105'), total: american('7.5') },
  ...more,
});
const latest = [
  {
    key: 'h2h',
    outcomes: [
      { outcome: 'home', price: 165 },
      { outcome: 'away', price: -200 },
    ],
  },
  {
    key: 'spreads',
    outcomes: [
      { outcome: 'home', price: 100, point: 1.5 },
      { outcome: 'away', price: -120, point: -1.5 },
    ],
  },
  {
    key: 'totals',
    outcomes: [
      { outcome: 'over', price: -125, point: 7.5 },
      { outcome: 'under', price: 105, point: 7.5 },
    ],
  },
];

describe('ESPN: odds of an event', () => {
  const answer = (...items: object[]) => ({ count: items.length, items });
  const name = 'mlb_odds_401695826.json';
  const starts = createStartCollector();
  starts.add({ kind: 'schedule', source: 'espn', ref: '401695826', starts_at: '2025-06-04T23:40:00Z' });

  it('need to be told when they were taken', async () => {
    await expect(run(answer(item()), { name })).rejects.toThrow(MissingFact);
    await expect(run(answer(item()), { name })).rejects.toThrow('--at');
  });

  it('are the latest prices at --at; the opening ones need the start', async () => {
    const { messages, codes } = await run(answer(item()), { name, at: '2025-06-04T20:00:00Z' });
    expect(messages).toEqual([
      {
        kind: 'odds',
        source: 'espn',
        ref: '401695826',
        bookmaker: 'espn_bet',
        at: '2025-06-04T20:00:00Z',
        markets: latest,
      },
    ]);
    expect(codes).toEqual(['start_unknown']);
  });

  it('are placed by a start that is known, the live ones apart', async () => {
    const { messages } = await run(answer(item(), item('ESPN BET - Live Odds')), { name, starts });
    expect(messages.map(({ bookmaker, at }) => [bookmaker, at])).toEqual([
      ['espn_bet', '2025-06-03T23:40:00Z'],
      ['espn_bet', '2025-06-04T23:39:59Z'],
      ['espn_bet_live', '2025-06-05T05:40:00Z'],
    ]);
    expect(messages[0]!['markets'][0].outcomes).toEqual([
      { outcome: 'home', price: 160 },
      { outcome: 'away', price: -190 },
    ]);
    expect(messages[0]!['markets'][2].outcomes[0]).toEqual({ outcome: 'over', price: -115, point: 8.5 });
  });

  it('fall back on the sums at the top, where a closing line is a price in disguise', async () => {
    const close = { pointSpread: american('+120'), spread: american('-110'), moneyLine: american('+135') };
    const odds = item('Some Book (New Jersey)', {
      spread: -2.5,
      overUnder: 39.5,
      homeTeamOdds: { close: { ...close, moneyLine: american('-155') } },
      awayTeamOdds: { close },
      open: undefined,
      current: undefined,
      close: { over: american('-115'), under: american('-115'), total: american('-115') },
    });
    const { messages } = await run(answer(odds), { name, starts });
    expect(messages[0]).toMatchObject({ bookmaker: 'some_book_new_jersey' });
    expect(messages[0]!['markets'].slice(1)).toEqual([
      {
        key: 'spreads',
        outcomes: [
          { outcome: 'home', price: -110, point: -2.5 },
          { outcome: 'away', price: -110, point: 2.5 },
        ],
      },
      {
        key: 'totals',
        outcomes: [
          { outcome: 'over', price: -115, point: 39.5 },
          { outcome: 'under', price: -115, point: 39.5 },
        ],
      },
    ]);
  });

  it('read fractional prices by name, and drop lines that do not mirror each other', async () => {
    const value = (text: string) => ({ value: text });
    const teamOdds = {
      preMatchMoneyLineHome: value('1/1'),
      preMatchMoneyLineAway: value('10/11'),
      preMatchSpreadHome: value('1/1'),
      preMatchSpreadAway: value('10/11'),
      preMatchSpreadHandicapHome: value('+1.0'),
      preMatchSpreadHandicapAway: value('+1.0'),
      preMatchTotalOver: value('10/11'),
      preMatchTotalUnder: value('10/11'),
      preMatchTotalHandicap: value('40.0'),
    };
    const odds = { provider: { id: '2000', name: 'Bet 365' }, bettingOdds: { teamOdds } };
    const { messages, codes } = await run(answer(odds), { name, starts });
    expect(messages).toMatchObject([
      {
        bookmaker: 'bet365',
        markets: [
          {
            key: 'h2h',
            outcomes: [
              { outcome: 'home', price: 100 },
              { outcome: 'away', price: -110 },
            ],
          },
          { key: 'totals', outcomes: [{ outcome: 'over', price: -110, point: 40 }, { outcome: 'under' }] },
        ],
      },
    ]);
    expect(codes).toEqual(['inconsistent_line']);
  });

  it('move at their own times, where zeros are no price', async () => {
    const zero = { overOdds: 0, underOdds: 0, drawOdds: 0, homeOdds: 0, awayOdds: 0, line: 0 };
    const items = [
      { ...zero, homeOdds: -106, awayOdds: -110, lineDate: '2020-10-18T11:13:00+00:00' },
      { ...zero, homeOdds: -110, awayOdds: -110, line: -3.5, lineDate: '2020-10-18T12:00:00+00:00' },
      { ...zero, overOdds: -105, underOdds: -115, line: 44.5, lineDate: '2020-10-18T13:00:00+00:00' },
      { ...zero, lineDate: '2020-10-18T14:00:00+00:00' },
    ];
    const { messages, codes } = await run({ items }, { name: 'odds_movement_nfl_401249063_provider1002.json' });
    expect(messages).toMatchObject([
      { ref: '401249063', bookmaker: 'teamrankings', at: '2020-10-18T11:13:00Z', markets: [{ key: 'h2h' }] },
      {
        markets: [
          {
            key: 'spreads',
            outcomes: [
              { outcome: 'home', point: -3.5 },
              { outcome: 'away', point: 3.5 },
            ],
          },
        ],
      },
      { markets: [{ key: 'totals', outcomes: [{ outcome: 'over', point: 44.5 }, { outcome: 'under' }] }] },
    ]);
    expect(codes).toEqual(['no_price']);
  });
});

describe('ESPN: odds in a scoreboard', () => {
  it('are closing prices, and the opening ones beside them', async () => {
    const quote = (open: string, close: string) => ({ open: { odds: open }, close: { odds: close } });
    const lined = (line: string, odds: string) => ({ close: { line, odds } });
    const odds = [
      {
        provider: { id: '100', name: 'DraftKings' },
        moneyline: { home: quote('-110', 'EVEN'), away: quote('-110', '-120'), draw: quote('+250', '+260') },
        pointSpread: { home: lined('-0.5', '+105'), away: lined('+0.5', '-125') },
        total: { over: lined('o2.5', '-115'), under: lined('u2.5', '-105') },
      },
      {
        provider: { id: '2000', name: 'Bet 365' },
        homeTeamOdds: { summary: '17/20', value: 1.85, handicap: 0 },
        awayTeamOdds: { summary: '31/10', value: 4.1, handicap: 0 },
        drawOdds: { summary: '13/5', value: 3.6 },
      },
    ];
    const { of } = await run(scoreboard('epl', event(status('SCHEDULED', 'pre'), { odds })));
    expect(of('odds')).toMatchObject([
      { bookmaker: 'draftkings', at: '2025-01-09T18:00:00Z', markets: [{ key: 'h2h' }] },
      {
        bookmaker: 'draftkings',
        at: '2025-01-10T17:59:59Z',
        markets: [
          { key: 'h2h', outcomes: [{ price: 100 }, { price: -120 }, { outcome: 'draw', price: 260 }] },
          { key: 'spreads', outcomes: [{ outcome: 'home', price: 105, point: -0.5 }, { point: 0.5 }] },
          { key: 'totals', outcomes: [{ outcome: 'over', price: -115, point: 2.5 }, { outcome: 'under' }] },
        ],
      },
      { bookmaker: 'bet365', markets: [{ outcomes: [{ price: -118 }, { price: 310 }, { price: 260 }] }] },
    ]);
  });

  it('of soccer without the price of the draw are no moneyline where they leave no room for one', async () => {
    const quote = (close: string) => ({ close: { odds: close } });
    const of = async (home: string, away: string, draw?: string) => {
      const moneyline = { home: quote(home), away: quote(away), ...(draw && { draw: quote(draw) }) };
      const odds = [{ provider: { id: '100', name: 'DraftKings' }, moneyline }];
      const answer = await run(scoreboard('epl', event(status('SCHEDULED', 'pre'), { odds })));
      const sides = answer.of('odds')[0]?.['markets'][0].outcomes.map(({ outcome }: any) => outcome) ?? [];
      return [sides, answer.codes];
    };
    // The stake comes back on a draw: another market, of the same name.
    expect(await of('-160', '+125')).toEqual([[], ['moneyline_without_draw']]);
    expect(await of('+120', '+230', '+240')).toEqual([['home', 'away', 'draw'], []]);
    // The draw is a bet, and its price is missing: without it nobody takes the margin out.
    expect(await of('+120', '+230')).toEqual([['home', 'away'], []]);
  });

  it('of hockey with a draw are the moneyline of regular time, in each of the forms of ESPN', async () => {
    const sides = { homeTeamOdds: { moneyLine: 120 }, awayTeamOdds: { moneyLine: 190 }, drawOdds: { moneyLine: 320 } };
    const link = (league: string) => ({
      $ref: `http://sports.core.api.espn.com/v2/sports/hockey/leagues/${league}/events/401`,
    });
    const provider = { id: '58', name: 'ESPN BET', ...link('nhl') };
    const given = { at: '2026-01-10T10:00:00Z', name: 'odds_401000001.json' };
    const core = await run({ items: [{ ...sides, provider }] }, given);
    const moved = { homeOdds: 120, awayOdds: 190, drawOdds: 320, line: 0, lineDate: '2026-01-10T09:00:00Z' };
    const moves = await run({ items: [moved] }, { name: 'odds_movement_nhl_401000001_provider1002.json' });
    for (const { messages } of [core, moves]) {
      expect(messages).toMatchObject([
        { markets: [{ key: 'h2h_3_way', outcomes: [{}, {}, { outcome: 'draw', price: 320 }] }] },
      ]);
    }
    // Whose sport the answer does not say stays as it was.
    const unknown = await run({ items: [{ ...sides, provider: { id: '58', name: 'ESPN BET' } }] }, given);
    expect(unknown.messages).toMatchObject([{ markets: [{ key: 'h2h' }] }]);
    const without = { ...moved, homeOdds: -130, awayOdds: 105, drawOdds: 0 };
    const soccer = await run({ items: [without] }, { name: 'odds_movement_eng.1_401000002_provider1002.json' });
    expect(soccer.messages).toMatchObject([{ kind: 'odds', markets: [{ key: 'h2h', outcomes: [] }] }]);
    expect(soccer.codes).toEqual(['moneyline_without_draw']);
  });

  it('are those of the moment of asking before the start', async () => {
    const given = scoreboard('mlb', event(status('SCHEDULED', 'pre'), { odds: [item()] }));
    const { of } = await run(given, { at: '2025-01-08T00:00:00Z' });
    expect(of('odds').map(({ at }) => at)).toEqual(['2025-01-07T23:59:59Z', '2025-01-08T00:00:00Z']);
  });
});

describe('ESPN: prices', () => {
  it('are American, EVEN is +100 and 0 none', () => {
    expect(['EVEN', '+105', '-110', -14286, 100.0, 0, 0.0001, '', 'OFF', null].map(americanPrice)).toEqual([
      100,
      105,
      -110,
      -14286,
      100,
      undefined,
      undefined,
      undefined,
      undefined,
      undefined,
    ]);
  });

  it('from fractions round halves away from zero', () => {
    expect([fractionalPrice('8/13'), fractionalPrice('1/1'), fractionalPrice('0/1'), fractionalPrice('x')]).toEqual([
      -163,
      100,
      undefined,
      undefined,
    ]);
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 999 }), fc.integer({ min: 1, max: 999 }), (won, staked) => {
        const price = fractionalPrice(`${won}/${staked}`)!;
        const exact = won >= staked ? (100 * won) / staked : (-100 * staked) / won;
        return Math.abs(price) >= 100 && Math.abs(price - exact) <= 0.5;
      }),
    );
  });
});
