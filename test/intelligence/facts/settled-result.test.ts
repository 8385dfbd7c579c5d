import { expect, it } from 'vitest';
import { countChances } from '../../../src/intelligence/facts/settled-result.ts';

it.each([
  ['all that is told', { shotsOnTarget: 5, shots: 15, corners: 6 }, 5 + 1 + 0.9],
  ['a mean side for what is not told', { shotsOnTarget: 5, shots: null, corners: null }, 5 + 0.8 + 0.75],
  ['no fewer shots than those on target', { shotsOnTarget: 5, shots: 3, corners: 0 }, 5],
  ['nothing without shots on target', { shotsOnTarget: null, shots: 15, corners: 6 }, null],
])('chances count %s', (_, attempts, expected) => {
  const chances = countChances(attempts);
  if (expected === null) expect(chances).toBeNull();
  else expect(chances).toBeCloseTo(expected, 12);
});
