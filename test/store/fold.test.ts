import { expect, it } from 'vitest';
import { createMemoryLog } from '../../src/log/memory-log.ts';
import { foldDocument } from '../../src/store/fold.ts';
import { append } from './runner-kit.ts';
import { tallies } from './toys.ts';

it('folds the records of one document, and passes by other types and keys', async () => {
  const log = createMemoryLog();
  await append(
    log,
    { type: 'Counted', key: 1, amount: 5 },
    { type: 'Other', key: 1, amount: 7 },
    { type: 'Counted', key: 2, amount: 9 },
    { type: 'Counted', amount: 9 },
    { type: 'Counted', key: 1, amount: 6 },
  );
  const records = await log.readStream('toys-1');
  expect(foldDocument(tallies(), '1', records)).toEqual({ count: 2, sum: 11, seen: ['1', '5'] });
  expect(foldDocument(tallies(), '3', records)).toBeUndefined();
});
