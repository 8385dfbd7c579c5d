import { deserialize, serialize } from 'node:v8';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { betsFoldKind } from '../../src/api/operations/intelligence/bets-fold.ts';
import type { ModelForecast } from '../../src/intelligence/forecasts/model-forecast.ts';
import { ClosingLines } from '../../src/intelligence/prices/closing-lines.ts';
import { PriceSummary } from '../../src/intelligence/prices/price-summary.ts';
import { type PriceUpdate, QuoteBoard, type SavedBoard } from '../../src/intelligence/prices/quote-board.ts';
import { cases } from '../support/cases.ts';
import { anyStory, betsOptions, CLOSES_AT, MINUTE } from './price-stories.ts';

const runs = { numRuns: cases(150) };
const anyCut = fc.nat({ max: 40 });
const copyOf = (saved: unknown) => deserialize(serialize(saved));
const inOrder = (story: readonly PriceUpdate[]) => story.toSorted((a, b) => a.at - b.at);

it('a summary and closing lines that go on from a copy are those that went on themselves', () => {
  fc.assert(
    fc.property(anyStory, anyCut, fc.boolean(), (story, cut, isValued) => {
      const valued: unknown[][] = [[], []];
      const linesOptions = (index: number) => ({
        closesAt: CLOSES_AT,
        sport: 'nfl',
        weightOf: betsOptions.weightOf,
        ...(isValued && { onValued: (...what: unknown[]) => void valued[index]!.push(what) }),
      });
      let summaries = [new PriceSummary(CLOSES_AT), new PriceSummary(CLOSES_AT)] as const;
      let lines = [new ClosingLines(linesOptions(0)), new ClosingLines(linesOptions(1))] as const;
      for (const [index, update] of inOrder(story).entries()) {
        if (index === cut) {
          summaries = [summaries[0], new PriceSummary(CLOSES_AT, copyOf(summaries[1].save()))];
          lines = [lines[0], new ClosingLines(linesOptions(1), copyOf(lines[1].save()))];
        }
        for (const one of [...summaries, ...lines]) one.apply(update);
      }
      expect(summaries[1].books).toEqual(summaries[0].books);
      expect(summaries[1].newestMoment).toBe(summaries[0].newestMoment);
      expect(lines[1].newestMoment).toBe(lines[0].newestMoment);
      expect(lines[1].lines(CLOSES_AT)).toEqual(lines[0].lines(CLOSES_AT));
      expect(valued[1]).toEqual(valued[0]);
    }),
    runs,
  );
});

/** Forecasts of the home side, each from its moment on. */
const anyForecasts = fc
  .uniqueArray(fc.record({ at: fc.integer({ min: 0, max: 299 }), win: fc.integer({ min: 1, max: 99 }) }), {
    selector: ({ at }) => at,
    maxLength: 5,
  })
  .map((told) => told.map(({ at, win }) => ({ at: at * MINUTE, win: win / 100 })).sort((a, b) => a.at - b.at));

const EVEN = { from: -3, probabilities: [0.1, 0.1, 0.2, 0.2, 0.2, 0.1, 0.1] };

type Told = readonly { readonly at: number; readonly win: number }[];

function forecastsOf(told: Told) {
  let isInterrupted = false;
  return {
    version: JSON.stringify(told),
    get isInterrupted() {
      return isInterrupted;
    },
    interrupt() {
      isInterrupted = true;
    },
    moments: () => told.map(({ at }) => at),
    before(moment: number): ModelForecast | null {
      const win = told.findLast(({ at }) => at < moment)?.win;
      if (win === undefined) return null;
      const forecast = { home: win, draw: null, away: 1 - win, margin: EVEN, total: EVEN };
      return { forecast, model: { version: 'm' }, memory: {}, fixture: {}, resultsKnown: 50 } as never;
    },
  };
}

const kindOf = (forecasts: ReturnType<typeof forecastsOf> | null) =>
  betsFoldKind({ ...betsOptions, weightsVersion: 'w', forecasts });

it('bets that go on from a copy are those that went on themselves, if what was forecast until then is the same', async () => {
  await fc.assert(
    fc.asyncProperty(
      anyStory,
      anyForecasts,
      anyForecasts,
      anyCut,
      fc.boolean(),
      async (story, one, other, cut, isPast) => {
        const updates = inOrder(story);
        const until = updates[cut - 1]?.at ?? -1;
        // The second process learned something else about later moments, or about earlier ones.
        const second = isPast
          ? other
          : [...one.filter(({ at }) => at <= until), ...other.filter(({ at }) => at > until)];
        const [first, fold] = [await kindOf(forecastsOf(one)).begin(), await kindOf(forecastsOf(second)).begin()];
        for (const update of updates.slice(0, cut)) first.apply(update);
        const restored = await kindOf(forecastsOf(second)).restore(copyOf(first.save()));
        const isSame = (told: Told) => JSON.stringify(told.filter(({ at }) => at <= first.newestMoment));
        if (isSame(one) !== isSame(second)) {
          expect(restored).toBeUndefined();
          return;
        }
        for (const update of updates) fold.apply(update);
        for (const update of updates.slice(cut)) restored!.apply(update);
        for (const now of [until, CLOSES_AT]) {
          if (now < first.newestMoment) continue;
          expect(restored!.bets.bets(now)).toEqual(fold.bets.bets(now));
          expect(restored!.bets.rows(now)).toEqual(fold.bets.rows(now));
        }
      },
    ),
    runs,
  );
});

it('given forecasts that were interrupted, then nothing is saved, and without forecasts they have another name', async () => {
  const forecasts = forecastsOf([{ at: 0, win: 0.5 }]);
  const fold = await kindOf(forecasts).begin();
  expect(fold.save()).toBeDefined();
  forecasts.interrupt();
  expect(fold.save()).toBeUndefined();
  expect(kindOf(null).stored.name).not.toBe(kindOf(forecasts).stored.name);
});

it('given a board that was saved before there were three-way moneylines and order books, then it goes on with both', () => {
  const saved: SavedBoard = { books: new Map(), quotes: { h2h: new Map(), spreads: new Map(), totals: new Map() } };
  const board = new QuoteBoard(false, copyOf(saved) as SavedBoard);
  const outcomes = (['home', 'away', 'draw'] as const).map((outcome) => ({ outcome, price: 180 }));
  const market = { key: 'h2h_3_way', scope: 'match', alternate: false, complete: true, outcomes } as const;
  board.apply({ at: 0, bookmaker: 'pinnacle', markets: [market] });
  expect(board.quotes('h2h_3_way')).toMatchObject([{ book: 'pinnacle', prices: [180, 180, 180], line: null }]);
});
