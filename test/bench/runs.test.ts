import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { overRuns } from '../../bench/runs.ts';
import { table } from '../../bench/table.ts';

const figure = (value: number, floor: number) => ({
  what: 'answers',
  value,
  unit: 'answers/s',
  floor: { what: 'bare', value: floor },
});

describe('figures of several runs', () => {
  it('are the medians of values and floors, with the least and the most beside them', () => {
    const runs = [[figure(30, 3)], [figure(10, 1)], [figure(20, 9)]];

    expect(overRuns(runs)).toEqual([{ ...figure(20, 3), spread: { least: 10, most: 30 } }]);
    expect(table([{ benchmark: 'b', figure: overRuns(runs)[0]! }])).toContain('10-30');
  });

  it('hold every run between the least and the most', () => {
    fc.assert(
      fc.property(fc.array(fc.double({ min: 0, noNaN: true }), { minLength: 2 }), (values) => {
        const [one] = overRuns(values.map((value) => [figure(value, 1)]));

        expect(values).toContain(one!.value);
        for (const value of values) {
          expect(value).toBeGreaterThanOrEqual(one!.spread!.least);
          expect(value).toBeLessThanOrEqual(one!.spread!.most);
        }
      }),
    );
  });

  it('of one run keep what it tells of its own spread', () => {
    const told = { ...figure(5, 1), spread: { least: 4, most: 6 } };

    expect(overRuns([[told]])).toEqual([told]);
  });
});
