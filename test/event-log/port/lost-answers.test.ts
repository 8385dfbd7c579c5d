import fc from 'fast-check';
import { expect, it } from 'vitest';
import { type AppendOutcome, ConflictError } from '../../../src/event-log/port/event-log.ts';
import { createMemoryLog } from '../../../src/event-log/storage/memory-log.ts';
import { createFaultyLog } from '../../support/faulty/faulty-log.ts';
import { AnswerLost, createFaultyNetwork } from '../../support/faulty/faulty-network.ts';
import { scored } from './event-log.contract.ts';

const STREAMS = ['a', 'b', 'c'] as const;

it('an append whose answer is lost is stored whole or not at all, stream by stream', async () => {
  await fc.assert(
    fc.asyncProperty(fc.nat(100_000), async (seed) => {
      const inner = createMemoryLog();
      const log = createFaultyLog(inner, createFaultyNetwork({ seed, lost: 0.4 }));
      let outcomes: readonly AppendOutcome[] | undefined;
      try {
        outcomes = await log.appendAll(
          STREAMS.map((stream) => ({ stream, events: [scored(1), scored(2)], expected: 'none' })),
        );
      } catch (error) {
        expect(error).toBeInstanceOf(AnswerLost);
      }
      const lengths = (await inner.readStreams(STREAMS)).map(({ length }) => length);
      for (const length of lengths) expect([0, 2]).toContain(length);
      if (outcomes) expect(lengths).toEqual([2, 2, 2]);
    }),
    { numRuns: 60 },
  );
});

it('an appender that reads again after a lost answer writes everything once', async () => {
  await fc.assert(
    fc.asyncProperty(fc.nat(100_000), async (seed) => {
      const inner = createMemoryLog();
      const log = createFaultyLog(inner, createFaultyNetwork({ seed, lost: 0.3 }));
      // Each attempt appends only the missing part of what the stream must hold next.
      for (let wanted = 1; wanted <= 4; wanted++) {
        for (let attempts = 0; ; attempts++) {
          expect(attempts).toBeLessThan(100);
          try {
            const held = await log.readStreams(STREAMS);
            const missing = STREAMS.filter((_, i) => held[i]!.length < wanted);
            const expected = wanted === 1 ? 'none' : wanted - 2;
            const outcomes = await log.appendAll(
              missing.map((stream) => ({ stream, events: [scored(wanted)], expected })),
            );
            for (const one of outcomes) if (!one.ok) expect(one.conflict).toBeInstanceOf(ConflictError);
            if (outcomes.every(({ ok }) => ok)) break;
          } catch (error) {
            if (!(error instanceof AnswerLost)) throw error;
          }
        }
      }
      for (const records of await inner.readStreams(STREAMS)) {
        expect(records.map(({ data }) => (data as { home: number }).home)).toEqual([1, 2, 3, 4]);
      }
    }),
    { numRuns: 40 },
  );
});
