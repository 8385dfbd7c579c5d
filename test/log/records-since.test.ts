import fc from 'fast-check';
import { expect, it } from 'vitest';
import type { LogRecord } from '../../src/domain/record.ts';
import { createMemoryLog } from '../../src/log/memory-log.ts';
import { recordsSince } from '../../src/log/records-since.ts';

it('the records since a time are the end of the log, whatever the times', async () => {
  const START = Date.parse('2026-03-01T12:00:00Z');
  const steps = fc.array(fc.integer({ min: 0, max: 3 }), { maxLength: 40 });
  await fc.assert(
    fc.asyncProperty(steps, fc.integer({ min: -2, max: 100 }), async (pauses, since) => {
      let time = START;
      const log = createMemoryLog({ now: () => time });
      for (const pause of pauses) {
        time += pause;
        await log.append('things-1', [{ type: 'Thing', version: 1, data: {}, meta: { partition: 'p' } }], 'any');
      }
      const all = await log.readAll(null, 1000);
      const read: LogRecord[] = [];
      for await (const records of recordsSince(log, START + since)) read.push(...records);
      const positions = (records: readonly LogRecord[]) => records.map(({ position }) => position);
      expect(positions(read)).toEqual(positions(all).slice(all.length - read.length));
      const expected = all.filter(({ recordedAt }) => Date.parse(recordedAt) >= START + since);
      expect(positions(read).slice(read.length - expected.length)).toEqual(positions(expected));
      expect(read.length).toBeLessThanOrEqual(expected.length + 1);
    }),
  );
});
