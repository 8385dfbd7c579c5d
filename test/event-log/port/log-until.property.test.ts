import fc from 'fast-check';
import { expect, it } from 'vitest';
import { logUntil } from '../../../src/event-log/port/log-until.ts';
import { createMemoryLog } from '../../../src/event-log/storage/memory-log.ts';
import { cases } from '../../support/cases.ts';

const STREAMS = ['event-1', 'event-2', 'odds-1'];
const START = Date.parse('2026-03-01T12:00:00Z');
const appended = fc.array(fc.constantFrom(...STREAMS), { minLength: 1, maxLength: 40 });

/** A log to which one record a second was appended, to these streams in turn. */
async function logOf(streams: readonly string[]) {
  const clock = { time: START };
  const log = createMemoryLog({ now: () => clock.time });
  for (const [number, stream] of streams.entries()) {
    clock.time += 1000;
    const data = { number };
    await log.append(stream, [{ type: 'Test', version: 1, data, meta: { partition: stream } }], 'any');
  }
  return log;
}

it('the log up to a position reads as the log did when that was its end', async () => {
  await fc.assert(
    fc.asyncProperty(appended, fc.nat(), fc.nat({ max: 8 }), async (streams, cut, limit) => {
      const count = 1 + (cut % streams.length);
      const then = await logOf(streams.slice(0, count));
      const now = await logOf(streams);
      const end = (await then.head())!;
      const until = logUntil(now, end);

      expect(await until.head()).toBe(end);
      const all = async (log: typeof now) => {
        const found = [];
        for await (const page of log.readAllFrom(null, { batch: 3 })) found.push(...page);
        for await (const page of log.readSince(new Date(START + 5000).toISOString(), { batch: 3 })) found.push(...page);
        return found;
      };
      expect(await all(until)).toEqual(await all(then));
      expect(await until.readAll(null, limit + 1)).toEqual(await then.readAll(null, limit + 1));
      expect(await until.readBackwards(limit + 1)).toEqual(await then.readBackwards(limit + 1));
      expect(await until.readBackwards(limit + 1, end)).toEqual(await then.readBackwards(limit + 1, end));
      expect(await until.readStreams(STREAMS)).toEqual(await then.readStreams(STREAMS));
      for (const stream of STREAMS) {
        for (const options of [{}, { fromRevision: limit }, { limit: limit + 1 }]) {
          for (const direction of ['forwards', 'backwards'] as const) {
            const asked = { ...options, direction };
            // Nothing is told of reading backwards from a revision that the stream does not have.
            if (direction === 'backwards' && 'fromRevision' in options) continue;
            expect(await until.readStream(stream, asked)).toEqual(await then.readStream(stream, asked));
          }
        }
      }
      for (const { position } of await now.readAll(null, 100)) {
        expect(await until.recordAt(position)).toEqual(await then.recordAt(position));
      }
      await expect(until.append('event-1', [], 'any')).rejects.toThrow('for reading only');
    }),
    { numRuns: cases(200, 50) },
  );
});
