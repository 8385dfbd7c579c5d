import fc from 'fast-check';
import { expect, it } from 'vitest';
import { sortInTurns } from '../../../src/platform/async/sort-in-turns.ts';

it('sorts as Array.sort does, equal items in their order', async () => {
  const items = fc.array(fc.record({ key: fc.integer({ min: 0, max: 20 }), name: fc.integer() }), {
    maxLength: 2000,
    size: 'max',
  });
  const byKey = (a: { key: number }, b: { key: number }) => a.key - b.key;
  await fc.assert(
    fc.asyncProperty(items, async (given) => {
      expect(await sortInTurns(given, byKey)).toEqual([...given].sort(byKey));
    }),
    { numRuns: 50 },
  );
});
