import fc from 'fast-check';
import { expect, it } from 'vitest';
import { positionOf } from '../../src/domain/position.ts';
import type { LogRecord } from '../../src/domain/record.ts';
import { createLiveBuffer } from '../../src/log/live-buffer.ts';

const at = (position: number) => ({ position: BigInt(position) }) as LogRecord;

it('never holds more than its limit, and takes only what follows without a gap', () => {
  const action = fc.oneof(
    fc.array(fc.nat(30), { maxLength: 8 }),
    fc.record({ position: fc.nat(30), count: fc.nat(5) }),
  );
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 6 }), fc.array(action, { maxLength: 30 }), (limit, actions) => {
      const buffer = createLiveBuffer(limit);
      for (const each of actions) {
        if (Array.isArray(each)) {
          // In a log without gaps, each announced by itself.
          const isKept = each.every((one) => buffer.push([at(one)], positionOf(BigInt(one - 1))));
          if (!isKept) expect(buffer.size).toBe(0);
        } else {
          const taken = buffer
            .takeNext(positionOf(BigInt(each.position)), each.count)
            .map(({ position }) => Number(position));
          expect(taken.length).toBeLessThanOrEqual(each.count);
          expect(taken).toEqual(taken.map((_, i) => each.position + 1 + i));
        }
        expect(buffer.size).toBeLessThanOrEqual(limit);
      }
    }),
  );
});
