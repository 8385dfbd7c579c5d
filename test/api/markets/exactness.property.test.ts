import fc from 'fast-check';
import { expect, it } from 'vitest';
import { gradeSpread, gradeTotal, percentOfLine } from '../../../src/domain/grading/line-results.ts';
import { exactSum } from '../../../src/domain/primitives/decimals.ts';
import { cases } from '../../support/cases.ts';

// Numbers of up to two decimals, as whole hundredths: what is exact in whole numbers must be so as it is written.
const hundredths = fc.integer({ min: -100_000, max: 100_000 });
const written = (whole: number): number => Number((whole / 100).toFixed(2));
const numRuns = cases(5000);

it('a push is exactly where the two are equal', () => {
  fc.assert(
    fc.property(hundredths, fc.oneof(hundredths, fc.constantFrom(-1, 0, 1)), (line, offset) => {
      const current = Math.abs(offset) <= 1 ? line + offset : offset;
      const expected = current > line ? 'over' : current < line ? 'under' : 'push';
      expect(gradeTotal(written(current), written(line))).toBe(expected);
      // A spread is won by as much as a total is beaten; the other side of the same line has the opposite.
      const won = { over: 'won', under: 'lost', push: 'push' }[expected];
      const lost = { over: 'lost', under: 'won', push: 'push' }[expected];
      expect(gradeSpread(written(current), -written(line))).toBe(won);
      expect(gradeSpread(-written(current), written(line))).toBe(lost);
    }),
    { numRuns },
  );
});

it('sums are those of the numbers as they are written', () => {
  fc.assert(
    fc.property(fc.array(hundredths, { maxLength: 6 }), (parts) => {
      expect(exactSum(parts.map(written)) + 0).toBe(written(parts.reduce((sum, part) => sum + part, 0)) + 0);
    }),
    { numRuns },
  );
});

it('the share of a line is rounded to one decimal, halves up', () => {
  fc.assert(
    fc.property(hundredths, hundredths, (current, line) => {
      const share = percentOfLine(written(current), written(line));
      if (line === 0) {
        expect(share).toBeNull();
        return;
      }
      // In whole numbers: the greatest count of tenths that is no more than half a tenth above the share.
      const [part, whole] = line < 0 ? [-current, -line] : [current, line];
      const tenths = Math.round(share! * 10);
      expect(2 * tenths * whole).toBeLessThanOrEqual(2000 * part + whole);
      expect(2 * (tenths + 1) * whole).toBeGreaterThan(2000 * part + whole);
      expect(share).toBe(Number((tenths / 10).toFixed(1)) + 0);
    }),
    { numRuns },
  );
});
