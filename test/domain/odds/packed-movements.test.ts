import fc from 'fast-check';
import { expect, it } from 'vitest';
import type { PricedMarket } from '../../../src/domain/odds/bookmaker-prices.ts';
import { applyMovements, type BookMovements, MAX_MOVEMENTS } from '../../../src/domain/odds/line-movements.ts';
import {
  addMovements,
  noMovements,
  packMovements,
  unpackMovements,
} from '../../../src/domain/odds/packed-movements.ts';
import { formatTime } from '../../../src/domain/primitives/time.ts';

const markets = fc.array(
  fc.record({
    key: fc.constantFrom('h2h', 'spreads', 'totals', 'team_totals'),
    scope: fc.constantFrom('match', 'match', '1H'),
    alternate: fc.boolean(),
    complete: fc.boolean(),
    outcomes: fc.array(
      fc.record(
        {
          outcome: fc.constantFrom('home', 'away', 'draw', 'over', 'under', 'player_1', 'player_2'),
          price: fc.constantFrom(-110, 100, 120),
          point: fc.constantFrom(0, -4.5, 0.1),
        },
        { requiredKeys: ['outcome', 'price'] },
      ),
      { maxLength: 5 },
    ),
  }),
  { maxLength: 3 },
) as fc.Arbitrary<PricedMarket[]>;

it('packed movements equal the unpacked ones, whether added one by one or packed at once', () => {
  const ticks = fc.array(fc.tuple(fc.integer({ min: 0, max: 4_000_000_000_000 }), markets), {
    maxLength: 300,
    size: 'max',
  });
  fc.assert(
    fc.property(ticks, (said) => {
      const packed = noMovements();
      let plain: BookMovements | undefined;
      for (const [time, told] of said) {
        const one = { at: formatTime(time), source: 's', content: { bookmaker: 'b', markets: told } };
        addMovements(packed, one);
        plain = applyMovements(plain, one);
      }
      const expected = plain ?? { last: {}, movements: [] };
      expect(unpackMovements(packed)).toEqual(expected.movements);
      expect(packed).toEqual(packMovements(expected));
      expect(unpackMovements(JSON.parse(JSON.stringify(packed)))).toEqual(expected.movements);
      expect(packed.moves.length).toBeLessThanOrEqual(MAX_MOVEMENTS * 4);
    }),
    // Shrinking such a long case takes minutes.
    { numRuns: 50, endOnFailure: true },
  );
});
