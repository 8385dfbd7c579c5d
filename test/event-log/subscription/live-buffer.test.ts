import fc from 'fast-check';
import { expect, it } from 'vitest';
import { toPosition } from '../../../src/domain/event-sourcing/position.ts';
import type { LogRecord } from '../../../src/domain/event-sourcing/record.ts';
import { createLiveBuffer } from '../../../src/event-log/subscription/live-buffer.ts';

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
          // In a log without gaps, each record announced separately.
          const isKept = each.every((one) => buffer.push([at(one)], toPosition(BigInt(one - 1))));
          if (!isKept) expect(buffer.size).toBe(0);
        } else {
          const taken = buffer
            .takeNext(toPosition(BigInt(each.position)), each.count)
            .map(({ position }) => Number(position));
          expect(taken.length).toBeLessThanOrEqual(each.count);
          expect(taken).toEqual(taken.map((_, i) => each.position + 1 + i));
        }
        expect(buffer.size).toBeLessThanOrEqual(limit);
      }
    }),
  );
});

it('whatever the gaps between positions, takes a record only when it knows what comes before it', () => {
  // A log as a list of positions, and announcements of parts of it, some without the previous position.
  const log = fc.uniqueArray(fc.integer({ min: 1, max: 1000 }), { minLength: 1, maxLength: 12 });
  const piece = fc.record({ from: fc.nat(11), count: fc.integer({ min: 1, max: 4 }), isTold: fc.boolean() });
  fc.assert(
    fc.property(log, fc.array(piece, { maxLength: 8 }), fc.integer({ min: -1, max: 11 }), (all, pieces, start) => {
      const positions = [...all].sort((a, b) => a - b).map((one) => toPosition(BigInt(one)));
      const buffer = createLiveBuffer(100);
      const told = new Set<bigint>();
      let last = -1;
      for (const { from, count, isTold } of pieces) {
        const records = positions.slice(from, from + count);
        const before = from === 0 ? null : positions[from - 1];
        buffer.push(
          records.map((position) => ({ position }) as LogRecord),
          isTold ? before : undefined,
        );
        records.forEach((position, i) => {
          const place = from + i;
          if (place <= last) return;
          if (i > 0 || isTold) told.add(position);
          last = place;
        });
      }
      const at = start >= 0 && start < positions.length ? start : -1;
      const taken = buffer.takeNext(at === -1 ? null : positions[at]!, 100).map(({ position }) => position);
      const expected: bigint[] = [];
      for (let place = at + 1; place < positions.length && told.has(positions[place]!); place++) {
        expected.push(positions[place]!);
      }
      expect(taken).toEqual(expected);
    }),
    { numRuns: 500 },
  );
});
