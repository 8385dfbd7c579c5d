import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type Position, toPosition } from '../../../src/domain/event-sourcing/position.ts';
import { MergedPartition } from '../../../src/messaging/records/merged-partition.ts';
import type { RecordMessage } from '../../../src/messaging/records/record-message.ts';
import { cases } from '../../support/cases.ts';

const TOPICS = 3;

function messageAt(position: bigint, previous: bigint | null): RecordMessage {
  const before = previous === null ? null : toPosition(previous);
  return { position: toPosition(position), previous: before, bytes: 10, isMarker: false, headers: {}, value: null };
}

/** Records of one partition: the topic of each, and its distance from the one before. */
const recordsOf = fc.array(fc.record({ topic: fc.nat(TOPICS - 1), gap: fc.integer({ min: 1, max: 5 }) }), {
  maxLength: 30,
});

describe('a partition in several topics', () => {
  it('whatever the topics bring first, records come in order, once, and none before its predecessor', () => {
    fc.assert(
      fc.property(recordsOf, fc.array(fc.nat(TOPICS - 1)), fc.nat(40), (records, arrivals, start) => {
        const queues: RecordMessage[][] = Array.from({ length: TOPICS }, () => []);
        const all: Position[] = [];
        let position = 0n;
        for (const { topic, gap } of records) {
          const previous = all.at(-1) ?? null;
          position += BigInt(gap);
          all.push(toPosition(position));
          queues[topic]!.push(messageAt(position, previous));
        }
        const place = start === 0 ? null : toPosition(BigInt(start));
        const wanted = all.filter((one) => place === null || one > place);
        const merged = new MergedPartition(TOPICS, place);
        const taken: Position[] = [];
        const takeAll = () => {
          for (let next = merged.peek(); next && 'message' in next; next = merged.peek()) {
            taken.push(next.message.position);
            merged.removeFirst();
            expect(taken).toEqual(wanted.slice(0, taken.length));
          }
        };
        for (const topic of arrivals) {
          const message = queues[topic]!.shift();
          if (message) merged.push(topic, [message, message]);
          takeAll();
        }
        for (const [topic, left] of queues.entries()) merged.push(topic, left);
        takeAll();
        expect(taken).toEqual(wanted);
        expect([merged.size, merged.bytes]).toEqual([0, 0]);
      }),
      { numRuns: cases(200) },
    );
  });

  it('reports up to where records are missing, and continues when they came from the log', () => {
    const merged = new MergedPartition(TOPICS, toPosition(3n));
    merged.push(1, [messageAt(9n, 7n)]);
    expect(merged.peek()).toEqual({ missingTo: 7n, isCertain: false });
    merged.position = toPosition(7n);
    merged.push(0, [messageAt(5n, 3n), messageAt(7n, 5n)]);
    expect(merged.peek()).toMatchObject({ message: { position: 9n } });
    merged.removeFirst();
    expect(merged.peek()).toBeUndefined();
    expect(merged.size).toBe(0);
  });
});
