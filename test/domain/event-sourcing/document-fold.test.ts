import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  cloneDocument,
  createFold,
  type DocumentAtPosition,
} from '../../../src/domain/event-sourcing/document-fold.ts';
import type { LogRecord } from '../../../src/domain/event-sourcing/record.ts';
import { createMemoryLog } from '../../../src/event-log/storage/memory-log.ts';
import { append } from '../../read-models/runner-kit.ts';
import { type Tally, tallies } from '../../read-models/toys.ts';

const fold = createFold(tallies());

async function recordsOf(facts: Parameters<typeof append>[1][]): Promise<readonly LogRecord[]> {
  const log = createMemoryLog();
  if (facts.length > 0) await append(log, ...facts);
  return log.readAll(null, 1000);
}

function foldAll(documents: Map<string, DocumentAtPosition<Tally>>, records: readonly LogRecord[]) {
  for (const record of records) {
    const key = fold.keyOf(record);
    if (key !== undefined) documents.set(key, fold.applyIfNewer(documents.get(key), record));
  }
  return documents;
}

it('folds the records of one document, and skips other types and keys', async () => {
  const records = await recordsOf([
    { type: 'Counted', key: 1, amount: 5 },
    { type: 'Other', key: 1, amount: 7 },
    { type: 'Counted', key: 2, amount: 9 },
    { type: 'Counted', amount: 9 },
    { type: 'Counted', key: 1, amount: 6 },
  ]);
  const documents = new Map<string, Tally>();
  const changed = records.map((record) => fold.applyInto(documents, record)?.sum);
  expect(documents.get('1')).toEqual({ count: 2, sum: 11, seen: ['1', '5'] });
  expect(documents.get('3')).toBeUndefined();
  expect(changed).toEqual([5, undefined, 9, undefined, 11]);
  expect(records.map((record) => fold.keyOf(record))).toEqual(['1', undefined, '2', undefined, '1']);
});

describe('documents that are ahead of the records', () => {
  const facts = fc.array(
    fc.record({
      type: fc.constantFrom('Counted', 'Counted', 'Other'),
      key: fc.constantFrom(1, 2, 3),
      amount: fc.nat({ max: 9 }),
    }),
    { maxLength: 20 },
  );

  it('end up as if folded once, whichever of them were stored and wherever folding resumes', async () => {
    await fc.assert(
      fc.asyncProperty(
        facts,
        fc.nat({ max: 20 }),
        fc.nat({ max: 20 }),
        fc.nat({ max: 7 }),
        async (some, a, b, kept) => {
          const records = await recordsOf(some);
          const [from, until] = [Math.min(a, b), Math.max(a, b)];
          const ahead = foldAll(new Map(), records.slice(0, until));
          const behind = foldAll(new Map(), records.slice(0, from));
          for (const [key, document] of ahead) if ((kept >> (Number(key) - 1)) & 1) behind.set(key, document);
          const expected = foldAll(new Map(), records);
          const byKey = (documents: ReadonlyMap<string, unknown>) => Object.fromEntries(documents);
          expect(byKey(foldAll(behind, records.slice(from)))).toEqual(byKey(expected));
        },
      ),
    );
  });

  it('are returned as the same object, so that the caller sees that nothing changed', async () => {
    const [record] = await recordsOf([{ type: 'Counted', key: 1, amount: 5 }]);
    const before: DocumentAtPosition<Tally> = { document: { count: 1, sum: 5, seen: ['1'] }, position: 1n };
    expect(fold.applyIfNewer(before, record!)).toBe(before);
    expect(before.document.count).toBe(1);
  });

  it('are not changed when a copy is folded', async () => {
    const [record] = await recordsOf([{ type: 'Counted', key: 1, amount: 5 }]);
    const stored: DocumentAtPosition<Tally> = { document: { count: 0, sum: 0, seen: [] }, position: 0n };
    expect(fold.applyIfNewer(cloneDocument(stored), record!)).toEqual({
      document: { count: 1, sum: 5, seen: ['1'] },
      position: 1n,
    });
    expect(stored.document).toEqual({ count: 0, sum: 0, seen: [] });
  });
});
