import { expect, it } from 'vitest';
import { recordByMonth } from '../../../src/intelligence/evaluation/monthly-record.ts';

const settled = (day: string, more = {}) => ({
  ...{ fair: 0.5, close: 0.55, won: true, best: 100, later: -200 },
  settledAt: Date.parse(`${day}T12:00:00Z`),
  ...more,
});
const many = (count: number, day: string, more = {}) => Array.from({ length: count }, () => settled(day, more));

it('given selections of several months, then each UTC month has its means, the oldest first, and null for fewer than 30', () => {
  const months = recordByMonth([
    ...many(29, '2026-03-01', { close: 0.6 }),
    ...many(30, '2026-01-31'),
    ...many(10, '2026-01-01', { close: null, won: false, best: null, later: null }),
  ]);
  const near = (value: number) => expect.closeTo(value, 9);
  expect(months).toEqual([
    {
      ...{ month: '2026-01', n: 40, clv: near(0.1), clv_se: near(0), hit_rate: 0.75 },
      hit_rate_se: near(Math.sqrt((0.75 * 0.25) / 39)),
      best: { n: 30, profit: 1, profit_se: 0, drawdown: 0 },
      follower: { n: 30, profit: 0.5, profit_se: 0, drawdown: 0 },
    },
    {
      ...{ month: '2026-03', n: 29, clv: null, clv_se: null, hit_rate: null, hit_rate_se: null },
      best: { n: 29, profit: null, profit_se: null, drawdown: 0 },
      follower: { n: 29, profit: null, profit_se: null, drawdown: 0 },
    },
  ]);
  expect(recordByMonth([])).toEqual([]);
});

it('given only closing prices, then closing line value is unknown, and not 0', () => {
  const [month] = recordByMonth(many(40, '2026-01-31', { close: 0.5 }));
  expect(month).toMatchObject({ n: 40, clv: null, clv_se: null });
  const moved = recordByMonth([...many(39, '2026-01-31', { close: 0.5 }), settled('2026-01-31')]);
  expect(moved[0]!.clv).toBeCloseTo(0.1 / 40, 9);
});

it('given losses before and after a win, then the drawdown is the deepest fall in the order of settling', () => {
  const [month] = recordByMonth([
    settled('2026-01-04', { won: false }),
    settled('2026-01-01', { won: false }),
    settled('2026-01-02'),
    settled('2026-01-05', { won: false }),
  ]);
  expect(month).toMatchObject({ best: { n: 4, drawdown: 2 }, follower: { drawdown: 2.5 } });
});
