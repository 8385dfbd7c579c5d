import fc from 'fast-check';
import { expect, it } from 'vitest';
import type { LogRecord } from '../../../src/domain/event-sourcing/record.ts';
import { openSqliteLog } from '../../../src/event-log/sqlite/sqlite-log.ts';
import { readStreamPages } from '../../../src/event-log/storage/read-pages.ts';
import { cases } from '../../support/cases.ts';
import { everything } from '../port/event-log.contract.ts';

const MIB = 1024 * 1024;
const sizeOf = ({ data }: LogRecord) => JSON.stringify(data).length;
const sizes = fc.array(fc.constantFrom(10, 10, 1000, 70_000, 400_000), { minLength: 1, maxLength: 40, size: 'max' });

async function logOf(lengths: readonly number[]) {
  const log = openSqliteLog({ file: ':memory:' });
  for (const [n, length] of lengths.entries()) {
    const event = {
      type: n % 3 === 0 ? 'Noted' : 'ScoreChanged',
      version: 1,
      data: { text: 'x'.repeat(length) },
      meta: { partition: 'event-1' },
    };
    await log.append(`score-event-${n % 2}`, [event], 'any');
  }
  return log;
}

it('given large records between small ones, a page of the whole log has a mebibyte and a record at most, and none is left out', async () => {
  await fc.assert(
    fc.asyncProperty(sizes, fc.boolean(), async (lengths, isPartial) => {
      const log = await logOf(lengths);
      const unwanted = isPartial ? new Map([['Noted', 1]]) : undefined;
      const found: LogRecord[] = [];
      for await (const page of log.readAllFrom(null, unwanted && { unwanted })) {
        const before = page.slice(0, -1).reduce((bytes, one) => bytes + sizeOf(one), 0);
        expect(before).toBeLessThan(MIB);
        found.push(...page);
      }
      expect(found.map(({ position }) => position)).toEqual(lengths.map((_, n) => BigInt(n + 1)));
      if (!isPartial) expect(found).toEqual(await log.readAll(null, 1000));
      await log.close();
    }),
    { numRuns: cases(160) },
  );
});

it('given large records, a stream is read whole by each way of reading it', async () => {
  await fc.assert(
    fc.asyncProperty(sizes, async (lengths) => {
      const log = await logOf(lengths);
      const names = ['score-event-0', 'score-event-1', 'score-event-2'];
      const whole = await Promise.all(names.map((name) => log.readStream(name)));
      expect(await log.readStreams(names)).toEqual(whole);
      for (const [n, name] of names.entries()) {
        const pages: LogRecord[] = [];
        for await (const page of readStreamPages(log, name)) pages.push(...page);
        expect(pages).toEqual(whole[n]);
      }
      expect(whole.flat().length).toBe((await everything(log)).length);
      await log.close();
    }),
    { numRuns: cases(160) },
  );
});
