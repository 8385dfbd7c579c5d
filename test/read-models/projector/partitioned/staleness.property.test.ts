import fc from 'fast-check';
import { expect, it } from 'vitest';
import { toPosition } from '../../../../src/domain/event-sourcing/position.ts';
import { createStaleness } from '../../../../src/read-models/projector/partitioned/staleness.ts';
import { cases } from '../../../support/cases.ts';

const NAMES = ['a', 'b'];

/** What happens between two looks: appends to partitions, and projecting of what is there. */
const step = fc.record({
  seconds: fc.integer({ min: 1, max: 3 }),
  appended: fc.subarray(NAMES),
  projected: fc.subarray(NAMES),
});

it('documents are as old as the look that first saw what is missing', () => {
  fc.assert(
    fc.property(fc.array(step, { maxLength: 60 }), (steps) => {
      const staleness = createStaleness();
      let [now, next] = [0, 1];
      const ends = new Map<string, bigint>();
      const places = new Map<string, bigint>();
      /** When each record was seen first. */
      const seen: { readonly at: number; readonly name: string; readonly position: bigint }[] = [];
      for (const { seconds, appended, projected } of steps) {
        now += seconds;
        for (const name of appended) ends.set(name, BigInt(next++));
        for (const name of projected) if (ends.has(name)) places.set(name, ends.get(name)!);
        for (const [name, position] of ends) {
          if (!seen.some((one) => one.name === name && one.position === position))
            seen.push({ at: now, name, position });
        }
        staleness.recordPoll(now, new Map([...ends].map(([name, end]) => [name, toPosition(end)])), [
          { partitions: NAMES, at: new Map(places) },
        ]);
        const missing = seen.filter(({ name, position }) => (places.get(name) ?? 0n) < position);
        expect(staleness.age(now)).toBe(missing.length === 0 ? 0 : now - missing[0]!.at);
      }
    }),
    { numRuns: cases(500) },
  );
});

it('remembers no more than so many looks, and still since when something has been missing', () => {
  const staleness = createStaleness();
  for (let at = 0; at < 1000; at++) {
    staleness.recordPoll(at, new Map([['a', toPosition(BigInt(at + 1))]]), [{ partitions: ['a'], at: new Map() }]);
  }
  expect(staleness.age(1000)).toBe(1000);
});
