import fc from 'fast-check';
import { expect, it } from 'vitest';
import { partitionOf } from '../../../src/domain/event-sourcing/partition-of.ts';

// Computed by another program. A change would separate records from their readers.
it.each([
  ['event-1', 7, 462534631],
  ['event-2', 3, 684056347],
  ['event-12', 5, 1270863129],
  ['event-99999', 0, 724497336],
  ['team-4', 11, 1204327191],
  ['player-9', 11, 507683031],
  ['season-3.2024', 0, 18930592],
  ['account-7', 6, 939175998],
  ['', 11, 725515275],
  ['event-ž🏀', 10, 1949219518],
])('never moves a key: %j', (key, ofTwelve, ofMany) => {
  expect(partitionOf(key, 12)).toBe(ofTwelve);
  expect(partitionOf(key, 2 ** 31)).toBe(ofMany);
});

it('assigns every key to one of the partitions', () => {
  const key = fc.oneof(fc.string(), fc.string({ unit: fc.constantFrom('é', '漢', '😀', '\ud800', '\0') }));
  fc.assert(
    fc.property(key, fc.integer({ min: 1, max: 1000 }), (key, count) => {
      const partition = partitionOf(key, count);
      expect(Number.isInteger(partition) && partition >= 0 && partition < count).toBe(true);
      expect(partitionOf(key, count)).toBe(partition);
    }),
  );
});

it('distributes keys that differ in their last digits', () => {
  const counts = new Array<number>(12).fill(0);
  for (let id = 1; id <= 12_000; id++) counts[partitionOf(`event-${id}`, 12)]!++;
  expect(Math.min(...counts)).toBeGreaterThan(850);
  expect(Math.max(...counts)).toBeLessThan(1150);
});

it('rejects an invalid number of partitions', () => {
  for (const count of [0, -1, 1.5, Number.NaN]) expect(() => partitionOf('event-1', count)).toThrow(RangeError);
});
