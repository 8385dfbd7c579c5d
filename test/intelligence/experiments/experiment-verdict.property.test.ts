import fc from 'fast-check';
import { expect, it } from 'vitest';
import type { CountedSelection } from '../../../src/domain/experiments/experiment-events.ts';
import { readExperimentTerms } from '../../../src/intelligence/experiments/experiment-terms.ts';
import { judgeExperiment, measureSelections } from '../../../src/intelligence/experiments/experiment-verdict.ts';
import { cases } from '../../support/cases.ts';

const selection = (profit: number, clv: number | null): CountedSelection => ({
  ...{ event_id: 1, sport: 'nba', league: 'nba', market: 'h2h', bet_type: 'ML_P1', line: null, tier: null },
  ...{ selected_at: '2026-03-01T12:00:00.000Z', probability: 0.6, fair_probability: 0.5, book: 'a', price: 110 },
  ...{ result: profit > 0 ? 'won' : 'lost', profit, close: null, clv, no_clv: null },
});
const selections = fc.array(
  fc.tuple(fc.constantFrom(-1, 0.5, 1.1), fc.option(fc.double({ min: -0.5, max: 0.5, noNaN: true }))),
  { maxLength: 60 },
);
const read = (gates: unknown, cohort: unknown = null) => readExperimentTerms({ policy: null, cohort, gates });

it('given any selections and gates, then a verdict is pass or fail only where every gate could be decided', () => {
  fc.assert(
    fc.property(
      selections,
      fc.record({
        min_n: fc.integer({ min: 1, max: 40 }),
        standard_errors: fc.constantFrom(0, 1, 2),
        clv_above: fc.double({ min: -0.3, max: 0.3, noNaN: true }),
        profit_above: fc.double({ min: -1, max: 1, noNaN: true }),
      }),
      (made, gates) => {
        const all = made.map(([profit, clv]) => selection(profit, clv));
        const { verdict, measures, reasons } = judgeExperiment(read(gates), all, 0);
        expect(reasons.length > 0).toBe(verdict === 'inconclusive');
        if (measures.n < gates.min_n) expect(verdict).toBe('inconclusive');
        if (verdict !== 'pass') return;
        expect(measures.n_clv).toBeGreaterThanOrEqual(gates.min_n);
        const k = gates.standard_errors;
        expect(measures.clv! - (k && k * measures.clv_se!)).toBeGreaterThan(gates.clv_above);
        expect(measures.profit! - (k && k * measures.profit_se!)).toBeGreaterThan(gates.profit_above);
      },
    ),
    { numRuns: cases(500) },
  );
});

it('given any JSON, when its terms are read, then nothing throws, and what is not understood is named', () => {
  fc.assert(
    fc.property(fc.jsonValue(), fc.jsonValue(), fc.jsonValue(), (policy, cohort, gates) => {
      const { notUnderstood } = readExperimentTerms({ policy, cohort, gates });
      const isObject = (value: unknown) => typeof value === 'object' && value !== null && !Array.isArray(value);
      for (const [name, value] of Object.entries({ policy, cohort, gates })) {
        if (value !== null && !isObject(value)) expect(notUnderstood).toContain(name);
      }
    }),
    { numRuns: cases(500) },
  );
});

it('given known numbers, then the measures are those of the textbook', () => {
  const all = [selection(1, 0.1), selection(-1, -0.1), selection(-1, null), selection(2, 0.3)];
  expect(measureSelections(all)).toEqual({
    ...{ n: 4, n_clv: 3, clv: 0.1, clv_se: 0.11547, hit_rate: 0.5, hit_rate_se: 0.288675 },
    ...{ profit: 0.25, profit_se: 0.75, drawdown: 2 },
  });
});

it('given a member that the server does not know, or no gate, then the verdict is inconclusive', () => {
  const all = Array.from({ length: 30 }, () => selection(1, 0.1));
  const verdict = (gates: unknown, cohort?: unknown) => judgeExperiment(read(gates, cohort), all, 0).verdict;
  expect(verdict({ clv_above: 0 })).toBe('pass');
  expect(verdict({ clv_above: 0.1 })).toBe('fail');
  expect(verdict({ min_n: 31, clv_above: 0.1 })).toBe('inconclusive');
  expect(verdict({})).toBe('inconclusive');
  expect(verdict({ clv_above: 0 }, { league: 'no such league' })).toBe('inconclusive');
  expect(judgeExperiment(read({ clv_above: 0 }), all, 1).verdict).toBe('inconclusive');
});
