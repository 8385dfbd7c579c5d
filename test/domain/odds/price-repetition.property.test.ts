import fc from 'fast-check';
import { expect, it } from 'vitest';
import {
  applyPrices,
  type BookPrices,
  isPriceRepeated,
  noteRepetition,
} from '../../../src/domain/odds/bookmaker-prices.ts';
import { formatTime } from '../../../src/domain/primitives/time.ts';
import { cases } from '../../support/cases.ts';

const LATE = Date.parse('2026-03-01T00:00:00Z');

/** A rung, and which of two prices it has; -1: it is not named. */
const rungs = fc.array(fc.integer({ min: -1, max: 1 }), { minLength: 4, maxLength: 4 });
const report = fc.record({
  minutes: fc.integer({ min: 0, max: 2 }),
  prices: rungs,
  complete: fc.boolean(),
  reversed: fc.boolean(),
  /** How often the message is sent again. */
  again: fc.integer({ min: 0, max: 2 }),
});

it.each(['spreads+', 'totals/1H', 'player_points', 'player_points+', 'totals/F5+'])(
  'given reports of %s in any order, then a price is repeated once its book has named it again at a later time, by another message or by the same one',
  (name) => {
    const [, key, scope = 'match', plus] = /^(\w+?)(?:\/(\w+))?(\+?)$/.exec(name)!;
    // The main line of a period has one point; a ladder has many.
    const points = name === 'totals/1H' ? ['over', 'under'] : ['over 1', 'over 2', 'under 1', 'under 2'];
    fc.assert(
      fc.property(fc.array(report, { maxLength: 12 }), (reports) => {
        let prices: BookPrices | undefined;
        let at = LATE;
        /** What the rule says, price by price. */
        let model = new Map<string, { price: number; isRepeated: boolean }>();
        for (const { minutes, prices: chosen, complete, reversed, again } of reports) {
          at += minutes * 60_000;
          const named = points.flatMap((bet, place) =>
            chosen[place]! < 0 ? [] : [{ bet, price: 100 + chosen[place]! }],
          );
          if (reversed) named.reverse();
          const outcomes = named.map(({ bet, price }) => {
            const [outcome, point] = bet.split(' ');
            return {
              outcome: outcome as 'over',
              price,
              ...(key === 'player_points' && { player: 'Ann' }),
              point: Number(point ?? 5),
            };
          });
          const market = { key: key!, scope: scope as '1H', alternate: plus === '+', complete, outcomes };
          const content = { bookmaker: 'b', markets: [market] };
          prices = applyPrices(prices, { at: formatTime(at), source: 's', content }, () => minutes > 0);
          const before = model;
          if (complete) model = new Map();
          for (const { bet, price } of named) {
            const known = before.get(bet);
            const isSame = known?.price === price;
            model.set(bet, { price, isRepeated: isSame && (minutes > 0 || known.isRepeated) });
          }
          for (let times = 0; times <= again; times++) {
            if (times > 0) {
              at += 60_000;
              noteRepetition(prices, name);
              for (const { bet, price } of named) model.set(bet, { price, isRepeated: true });
            }
            for (const outcome of prices.markets[name] ?? []) {
              const bet = points.length === 2 ? outcome.outcome : `${outcome.outcome} ${outcome.point}`;
              expect([bet, isPriceRepeated(prices, name, outcome)]).toEqual([bet, model.get(bet)!.isRepeated]);
            }
          }
        }
      }),
      { numRuns: cases(300) },
    );
  },
);
