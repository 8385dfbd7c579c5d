import { describe, expect, it } from 'vitest';
import { selectionsByMonth } from '../../../src/intelligence/evaluation/publication-rule.ts';

const settled = (day: string, close: number | null) => ({
  fair: 0.5,
  close,
  won: true,
  settledAt: Date.parse(`${day}T12:00:00Z`),
});
const many = (count: number, day: string, close: number | null) =>
  Array.from({ length: count }, () => settled(day, close));

describe('the closing line value of selections by month', () => {
  it('is the mean of each UTC month, the oldest first, and null for fewer than 30', () => {
    const selections = [
      ...many(29, '2026-03-01', 0.6),
      ...many(30, '2026-01-31', 0.55),
      ...many(10, '2026-01-01', null),
    ];
    expect(selectionsByMonth(selections)).toEqual([
      { month: '2026-01', n: 40, clv: expect.closeTo(0.1, 12), clv_se: expect.closeTo(0, 12) },
      { month: '2026-03', n: 29, clv: null, clv_se: null },
    ]);
    expect(selectionsByMonth([])).toEqual([]);
  });
});
