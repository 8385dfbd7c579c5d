import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { FEE_MODELS } from '../../../src/domain/feed/book-message.ts';
import { fillStake, type Level, netDecimal, type VenueFee } from '../../../src/domain/odds/venue-fee.ts';

const SCRIPT = join(import.meta.dirname, 'order-costs.py');
const ORDERS = 2000;

const price = fc.integer({ min: 1, max: 9999 }).map((value) => value / 10_000);
const asks = fc
  .uniqueArray(
    fc.tuple(
      price,
      fc.integer({ min: 1, max: 20_000 }).map((value) => value / 100),
    ),
    {
      minLength: 1,
      maxLength: 10,
      selector: ([at]) => at,
    },
  )
  .map((levels) => levels.sort(([a], [b]) => a - b) as Level[]);
const fee: fc.Arbitrary<VenueFee> = fc
  .record({
    model: fc.constantFrom(...FEE_MODELS),
    rate: fc.integer({ min: 0, max: 100 }).map((value) => value / 1000),
    exponent: fc.constantFrom(undefined, 1, 2),
    rounding: fc.constantFrom(undefined, 0.01, 0.0001),
  })
  .map(({ exponent, rounding, ...terms }) => ({
    ...terms,
    ...(exponent !== undefined && terms.model === 'p(1-p)' ? { exponent } : {}),
    ...(rounding === undefined ? {} : { rounding }),
  }));
const order = fc.record({
  asks,
  stake: fc.integer({ min: 100, max: 50_000 }).map((value) => value / 100),
  fee: fc.option(fee, { nil: null }),
  fair: fc.integer({ min: 1, max: 999 }).map((value) => value / 1000),
});

it('an independent script finds the same net prices and expected values in generated ladders', () => {
  const orders = fc.sample(order, { numRuns: ORDERS, seed: 7 });
  const output = execFileSync('python3', [SCRIPT], { input: JSON.stringify(orders), encoding: 'utf8' });
  const expected: (readonly [paid: number, returned: number, decimal: number, ev: number] | null)[] =
    JSON.parse(output);
  const counts = { filled: 0, short: 0, rounded: 0, 'p(1-p)': 0, winnings: 0, notional: 0, without: 0, levels: 0 };
  for (const [index, one] of orders.entries()) {
    const filled = fillStake(one.asks, one.stake, one.fee ?? undefined);
    const judged = expected[index]!;
    if (judged === null) {
      counts.short++;
      expect(filled).toBeUndefined();
      continue;
    }
    counts.filled++;
    counts[one.fee?.model ?? 'without']++;
    if (one.fee?.rounding !== undefined) counts.rounded++;
    if (one.asks[0]![1] < one.stake) counts.levels++;
    const [paid, returned, decimal, ev] = judged;
    expect(Math.abs(filled!.paid - paid)).toBeLessThan(1e-6);
    expect(Math.abs(filled!.returned - returned)).toBeLessThan(1e-6 * Math.max(1, returned));
    expect(Math.abs(filled!.decimal / decimal - 1)).toBeLessThan(1e-9);
    expect(Math.abs(100 * (one.fair * filled!.decimal - 1) - ev)).toBeLessThan(1e-6 * Math.max(1, Math.abs(ev)));
  }
  for (const count of Object.values(counts)) expect(count).toBeGreaterThan(50);
});

describe('a known order', () => {
  it('of 100 at 0.41 pays a fee of 7 % of p(1-p), rounded up once over the order', () => {
    const filled = fillStake([[0.41, 1000]], 100, { model: 'p(1-p)', rate: 0.07, rounding: 0.01 })!;
    // 100 / (0.41 + 0.07 x 0.41 x 0.59) contracts, each with a fee of 0.016933.
    expect(filled.contracts).toBeCloseTo(234.2288, 4);
    expect(filled.fee).toBeCloseTo(3.97, 9);
    expect(filled.decimal).toBeCloseTo(2.3422, 3);
  });

  it('that the ladder cannot fill is none', () => {
    expect(fillStake([[0.5, 99.99]], 100, undefined)).toBeUndefined();
    expect(fillStake([], 100, undefined)).toBeUndefined();
  });

  it('whose commission is on what it wins gets it from the payout', () => {
    expect(netDecimal(0.5, { model: 'winnings', rate: 0.05 })).toBeCloseTo(1.95, 12);
    expect(netDecimal(0.5, { model: 'notional', rate: 0.02 })).toBeCloseTo(1 / 0.51, 12);
    expect(netDecimal(0.5, undefined)).toBe(2);
  });
});
