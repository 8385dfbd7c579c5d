import { describe, expect, it, onTestFinished } from 'vitest';
import { runBacktest } from '../../../src/forecasting/track-record/backtest-log.ts';
import { evaluateEvent } from '../../../src/intelligence/evaluation/evaluate-event.ts';
import { MarketRecord } from '../../../src/intelligence/evaluation/market-record.ts';
import { type EventFacts, foldEventFacts, type KnownFixture } from '../../../src/intelligence/facts/event-facts.ts';
import { Timeline } from '../../../src/intelligence/facts/value-timeline.ts';
import type { Forecast } from '../../../src/intelligence/models/model.ts';
import type { PriceUpdate } from '../../../src/intelligence/prices/quote-board.ts';
import type { Message } from '../../api/spec/messages.ts';
import { EPL, market, NFL, odds, schedule, score } from '../../api/spec/messages.ts';
import { logOf } from './game-messages.ts';

const START = Date.parse('2026-03-01T18:00:00Z');
const HOUR = 3_600_000;
const weightOf = (book: string) => (book === 'pinnacle' ? 3 : 0);

/** Home wins by 3 with probability .6 and loses by 1 with .4; 40 or 50 points are equally likely. */
const FORECAST: Forecast = {
  home: 0.6,
  draw: null,
  away: 0.4,
  margin: { from: -1, probabilities: [0.4, 0, 0, 0, 0.6] },
  total: { from: 40, probabilities: [0.5, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0.5] },
};

const story = (home: number, away: number): EventFacts => ({
  id: 1,
  sport: 'nfl',
  league: 'nfl',
  name: 'feed g1',
  season: 2025,
  startsAt: START,
  firstRecordedAt: 0,
  closesAt: START,
  results: [],
  settledAt: START + HOUR,
  scope: null,
  fixtures: new Timeline<KnownFixture | null>(),
  result: { score: { home, away }, winner: home > away ? 'home' : away > home ? 'away' : null },
});

const twoWay = (key: string, hours: number, prices: readonly [number, number], line?: number): PriceUpdate => {
  const names = key === 'totals' ? ['over', 'under'] : ['home', 'away'];
  const outcomes = names.map((outcome, i) => ({
    outcome: outcome as 'home',
    price: prices[i]!,
    ...(line === undefined ? {} : { point: key === 'spreads' && i === 1 ? -line : line }),
  }));
  const told = { key, scope: 'match' as const, alternate: false, complete: true, outcomes };
  return { at: START - hours * HOUR, bookmaker: 'pinnacle', markets: [told] };
};

const judge = (
  of: EventFacts,
  prices: readonly PriceUpdate[],
  forecastAt: (at: number) => Forecast | null = () => FORECAST,
) => evaluateEvent(of, prices, { forecastAt: (_, at) => forecastAt(at) }, { weightOf, pause: async () => {} });

/** Only the reference book has prices, and offers are compared with it. */
const UNPRICED = { best: null, later: null };

describe('one game evaluated by hand', () => {
  it('is compared with the fair price at the start, spreads and totals at their closing line', async () => {
    const { markets } = await judge(story(20, 17), [
      twoWay('h2h', 1, [-150, 130]),
      twoWay('spreads', 1, [-110, -110], -3),
      twoWay('totals', 1, [-110, -110], 40),
    ]);
    expect(markets).toEqual([
      { market: 'h2h', line: null, probabilities: [0.6, 0.4], close: [0.582712, 0.417288], outcome: 0 },
      // A home win by 3 is a push of the spread; of the total, 40 is a push and 50 is over.
      { market: 'totals', line: 40, probabilities: [0.9999, 0.0001], close: [0.5, 0.5], outcome: 1 },
    ]);
  });

  it('leaves out ties, and games without a closing line on spreads and totals', async () => {
    expect((await judge(story(17, 17), [twoWay('h2h', 1, [-150, 130])])).markets).toEqual([]);
    const { markets } = await judge(story(20, 17), [twoWay('totals', 2, [-110, -110], 45.5)]);
    // Quotes two hours old are too old.
    expect(markets).toEqual([{ market: 'h2h', line: null, probabilities: [0.6, 0.4], close: null, outcome: 0 }]);
  });

  it('selects an outcome when it is first .03 above fair, and follows it to the close', async () => {
    const prices = [
      twoWay('h2h', 30, [-150, 130]),
      twoWay('h2h', 20, [100, 100]),
      twoWay('h2h', 10, [120, -120]),
      twoWay('h2h', 1, [-150, 130]),
    ];
    const { selections } = await judge(story(20, 17), prices);
    expect(selections).toEqual([{ market: 'h2h', fair: 0.5, close: 0.582712, won: true, ...UNPRICED }]);
  });

  it('selects by the forecast of that moment', async () => {
    const even = { ...FORECAST, home: 0.5, away: 0.5 };
    const prices = [twoWay('h2h', 20, [100, 100]), twoWay('h2h', 1, [110, -110])];
    const { selections } = await judge(story(17, 20), prices, (at) => (at < START - 5 * HOUR ? even : FORECAST));
    // The fair probability of +110/-110 without a margin is 100/210.
    expect(selections).toEqual([{ market: 'h2h', fair: 0.47619, close: 0.47619, won: false, ...UNPRICED }]);
    expect((await judge(story(17, 20), prices, () => null)).selections).toEqual([]);
  });

  it('has the best price at the moment of the selection, and what a follower got on the same line 60 s later', async () => {
    const soft = (secondsLater: number, prices: readonly [number, number], bookmaker = 'soft'): PriceUpdate => {
      const update = twoWay('h2h', 20, prices);
      return { ...update, at: update.at + 1000 * secondsLater, bookmaker };
    };
    const reference = twoWay('h2h', 20, [100, 100]);
    const prices = [reference, soft(0, [105, -125]), soft(0, [102, -120], 'other')];
    const judged = async (...more: PriceUpdate[]) =>
      (await judge(story(20, 17), [...prices, ...more])).selections.map(({ best, later }) => [best, later]);
    expect(await judged()).toEqual([[105, 105]]);
    // The best book falls behind another before the follower bets; what comes after the minute is not his.
    expect(await judged(soft(30, [-110, -110]), soft(61, [130, -150]))).toEqual([[105, 102]]);
    expect(await judged(soft(60, [110, -130]))).toEqual([[105, 110]]);
    // The event begins within the minute.
    const late = [...prices].map((one) => ({ ...one, at: START - 59_000 }));
    const { selections } = await judge(story(20, 17), late);
    expect(selections.map(({ best, later }) => [best, later])).toEqual([[105, null]]);
  });

  it('has no closing value if the line has moved, and drops a push', async () => {
    const moved = [twoWay('totals', 20, [-110, -110], 45), twoWay('totals', 1, [-110, -110], 39.5)];
    const { selections } = await judge(story(25, 24), moved, (at) => (at < START - 5 * HOUR ? LOW : FORECAST));
    expect(selections).toEqual([
      { market: 'totals', fair: 0.5, close: null, won: false, ...UNPRICED },
      { market: 'totals', fair: 0.5, close: 0.5, won: true, ...UNPRICED },
    ]);
    expect((await judge(story(25, 20), moved.slice(0, 1), () => LOW)).selections).toEqual([]);
  });
});

/** 40 points, and never more. */
const LOW: Forecast = { ...FORECAST, total: { from: 40, probabilities: [1] } };

describe('a line of the command', () => {
  const game = { market: 'h2h' as const, line: null, probabilities: [0.8, 0.2], close: [0.5, 0.5] };

  it('has the means of the games, from 30 on', () => {
    const record = new MarketRecord();
    for (let i = 0; i < 29; i++) record.add('2026-01-02', { ...game, outcome: i < 20 ? 0 : 1 });
    expect(record.line('nfl', 'h2h', 'nfl-1.0')).toEqual({
      sport: 'nfl',
      market: 'h2h',
      model_version: 'nfl-1.0',
      from: '2026-01-02',
      to: '2026-01-02',
      n: 29,
      log_loss: null,
      brier: null,
      slope: null,
      intercept: null,
      close: { n: 29, log_loss: null, brier: null, slope: null, intercept: null },
      paired: { n: 29, difference: null, se: null },
      blend: { n: 29, log_loss: null, brier: null, slope: null, intercept: null },
      blend_paired: { n: 29, difference: null, se: null },
      blend_weight: { weight: 0, interval: null, n: 0 },
      selections: { n: 0, clv: null, clv_se: null, profit: null },
      published: false,
    });
    record.add('2026-01-01', { ...game, close: null, outcome: 1 });
    const { n, log_loss, brier, close, paired, from } = record.line('nfl', 'h2h', 'nfl-1.0');
    // 20 of 30 occurred at .8.
    expect([n, from, close.n, paired.n]).toEqual([30, '2026-01-01', 29, 29]);
    expect(log_loss).toBeCloseTo((20 * -Math.log(0.8) + 10 * -Math.log(0.2)) / 30, 12);
    expect(brier).toBeCloseTo((20 * 0.04 + 10 * 0.64) / 30, 12);
  });

  it.each([
    { what: 'CLV and profit above 0', n: 500, close: (i: number) => 0.5 + (i % 2) / 50, wins: 300, published: true },
    { what: 'fewer than 500', n: 499, close: (i: number) => 0.5 + (i % 2) / 50, wins: 300, published: false },
    { what: 'a loss', n: 500, close: (i: number) => 0.5 + (i % 2) / 50, wins: 240, published: false },
    {
      what: 'a close that moved either way',
      n: 500,
      close: (i: number) => 0.5 + ((i % 2) * 2 - 1) / 50,
      wins: 300,
      published: false,
    },
  ])('is published by $n selections with $what: $published', ({ n, close, wins, published }) => {
    const record = new MarketRecord();
    for (let i = 0; i < n; i++) record.select({ fair: 0.5, close: close(i), won: i < wins });
    const line = record.line('nfl', 'h2h', 'nfl-1.0');
    expect(line.published).toBe(published);
    expect(line.selections.profit).toBeCloseTo((2 * wins) / n - 1, 12);
  });
});

describe('the facts of an event', () => {
  const TEAMS = ['Chiefs', 'Broncos'] as const;
  const at = (time: string) => ({ at: `2026-03-0${time}:00Z` });

  async function storyFrom(...messages: Message[]) {
    const world = await logOf(messages);
    try {
      const records = (await world.log.readAll(null, 1000)).filter(({ stream }) =>
        /^(event|box|lineup)-1$/.test(stream),
      );
      return await foldEventFacts(records as never, {
        pause: async () => {},
        sort: async (items, compare) => items.toSorted(compare),
      });
    } finally {
      await world.close();
    }
  }
  const nfl = (...messages: Message[]) =>
    storyFrom(schedule(NFL, 'g1', [...TEAMS], '2026-03-01T18:00:00Z', at('1T05:00')), ...messages);

  it('end before the known start, the first live message and the end of the event', async () => {
    expect((await nfl())!.closesAt).toBe(START);
    expect((await nfl(score('g1', 'inprogress', ['0', '0'], at('1T17:00'))))!.closesAt).toBe(START - HOUR);
    expect((await nfl(score('g1', 'final', ['7', '3'], at('1T16:00'))))!.closesAt).toBe(START - 2 * HOUR);
  });

  it('count a report that repeats an earlier one at its own time', async () => {
    const story = await storyFrom(
      schedule(NFL, 'g1', [...TEAMS], '2026-03-01T18:00:00Z', { ...at('1T05:00'), refs: { other: 'g1' } }),
      score('g1', 'final', ['7', '3'], at('1T21:00')),
      score('g1', 'final', ['7', '3'], at('1T21:02')),
      // It comes late, so that the one before it is kept as a repetition.
      score('g1', 'final', ['3', '9'], { ...at('1T21:01'), source: 'other' }),
    );

    expect(story!.results.map(({ at: since }) => new Date(since).toISOString().slice(11, 16))).toEqual([
      ...['21:00', '21:01', '21:02'],
    ]);
    expect(JSON.stringify(story!.results[2]!.game)).toBe(JSON.stringify(story!.results[0]!.game));
  });

  it('let others go on while very many facts of one moment are folded', async () => {
    const world = await logOf([
      schedule(NFL, 'g1', [...TEAMS], '2026-03-01T18:00:00Z', at('1T05:00')),
      score('g1', 'inprogress', ['0', '0'], at('1T18:30')),
    ]);
    onTestFinished(() => world.close());
    const records = (await world.log.readAll(null, 1000)).filter(({ stream }) => stream === 'event-1');
    const scored = records.at(-1) as any;
    const many = Array.from({ length: 2000 }, (_, n) => ({
      ...scored,
      revision: n + 10,
      recordedAt: scored.recordedAt,
    }));
    let pauses = 0;
    const pause = async () => void pauses++;
    const story = await foldEventFacts([...records, ...many] as never, {
      pause,
      sort: async (all, by) => all.toSorted(by),
    });

    expect(story).toMatchObject({ name: expect.stringContaining('g1'), result: null });
    // Each of the three passes over them rests at least after so many.
    expect(pauses).toBeGreaterThan(3 * (many.length / 100));
  });

  it('choose the same of two ends of one moment, whichever came first', async () => {
    const ends = [score('g1', 'final', ['7', '3'], at('1T21:00')), score('g1', 'final', ['3', '9'], at('1T21:00'))];
    const [one, other] = [await nfl(...ends), await nfl(...ends.toReversed())];
    expect(one!.results).toHaveLength(1);
    expect(other!.results).toEqual(one!.results);
    expect(other!.result).toEqual(one!.result);
  });

  it('have no fixture before the schedule was observed, even if that was after the start', async () => {
    const late = await storyFrom(schedule(NFL, 'g1', [...TEAMS], '2026-03-01T18:00:00Z', at('1T19:00')));
    expect(late!.fixtures.before(late!.closesAt)).toBeUndefined();
  });

  it('count soccer after 90 minutes, and no preseason', async () => {
    const periods = (first: number, second: number, extra: number) => [
      { period: '1H', score: first },
      { period: '2H', score: second },
      { period: 'ET1', score: extra },
    ];
    const cup = await storyFrom(
      schedule(EPL, 'g1', [...TEAMS], '2026-03-01T18:00:00Z', at('1T05:00')),
      score(
        'g1',
        'final',
        [
          { score: '2', period_scores: periods(1, 0, 1) },
          { score: '1', period_scores: periods(0, 1, 0) },
        ],
        { ...at('1T21:00'), result_type: 'overtime' },
      ),
    );
    expect(cup!.result).toEqual({ score: { home: 1, away: 1 }, winner: null });
    const preseason = await storyFrom(
      schedule(NFL, 'g1', [...TEAMS], '2026-03-01T18:00:00Z', {
        ...at('1T05:00'),
        season: { year: 2025, phase: 'preseason' },
      }),
      score('g1', 'final', ['7', '3'], at('1T21:00')),
    );
    expect([preseason!.results, preseason!.result]).toEqual([[], { score: { home: 7, away: 3 }, winner: 'home' }]);
  });

  it('give no forecast while the league has too few results', async () => {
    const world = await logOf([
      schedule(NFL, 'g1', [...TEAMS], '2026-03-01T18:00:00Z', at('1T05:00')),
      odds(
        'g1',
        'pinnacle',
        [
          market('h2h', [
            ['home', -150],
            ['away', 130],
          ]),
        ],
        at('1T17:00'),
      ),
      score('g1', 'final', ['7', '3'], at('1T21:00')),
    ]);
    const asked = { sport: null, from: Number.NEGATIVE_INFINITY, before: Number.POSITIVE_INFINITY, weightOf };
    const lines = await runBacktest(world.log, asked);
    await world.close();
    expect(lines).toHaveLength(24);
    expect(new Set(lines.map(({ n }) => n))).toEqual(new Set([0]));
  });
});
