import fc from 'fast-check';
import { expect, it } from 'vitest';
import { canonicalJson, compareCanonical } from '../../../src/domain/primitives/canonical-json.ts';

/** Few names and values, so that objects often have equal parts. */
const { value } = fc.letrec<{ value: unknown }>((tie) => ({
  value: fc.oneof(
    { maxDepth: 4 },
    fc.constantFrom(0, 1, -1, 11, 110, 1.5, 1e21, true, false, null, '', 'a', 'ab', 'a"', 'a!', 'ž', undefined),
    fc.array(tie('value'), { maxLength: 3 }),
    fc.dictionary(fc.constantFrom('a', 'b', 'ab', 'B', '1', '2', '10', 'ž'), tie('value'), { maxKeys: 3 }),
  ),
}));
const object = fc.dictionary(fc.constantFrom('a', 'b', 'c'), value);

it('compares two objects like their canonical JSON', () => {
  fc.assert(
    fc.property(object, object, (a, b) => {
      const [left, right] = [canonicalJson(a), canonicalJson(b)];
      expect(compareCanonical(a, b)).toBe(left < right ? -1 : left > right ? 1 : 0);
    }),
    { numRuns: 1000 },
  );
});
