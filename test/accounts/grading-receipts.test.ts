import { randomBytes } from 'node:crypto';
import { expect, it } from 'vitest';
import { createReceiptServices } from '../../src/accounts/grading-receipts.ts';
import type { Principal } from '../../src/api/calls/principal.ts';
import { leavesOfRecord } from '../../src/domain/proof/leaves-of-record.ts';
import { receiptLeaf } from '../../src/domain/proof/receipt-leaf.ts';
import { hashOfLeaf } from '../../src/domain/proof/sealed-leaf.ts';
import { createMemoryLog } from '../../src/event-log/storage/memory-log.ts';
import { alwaysOpenGate } from '../../src/platform/clock/write-gate.ts';

const principal = (accountId: number): Principal => ({
  keyId: 1,
  accountId,
  plan: 'free',
  scopes: ['all'],
  unlimited: false,
});
const grade = (result: unknown, gradedAt = '2026-03-01T12:00:00Z') => ({
  gradedAt,
  sports: ['nba'],
  request: {},
  result,
  legs: [],
});

it('given a receipt that a run has issued, when the run is repeated, then the same receipt is returned', async () => {
  const log = createMemoryLog({ now: () => 0 });
  const process = () => createReceiptServices({ log, gate: alwaysOpenGate, randomBytes });
  const first = await process().issue(principal(1), grade('won'), 'run 1');
  const again = await process().issue(principal(1), grade('lost', '2026-03-01T12:00:09Z'), 'run 1');
  expect(again).toEqual(first);
  expect(first).toMatchObject({ result: 'won', gradedAt: '2026-03-01T12:00:00Z' });
  expect(await process().read(principal(1), first.id)).toEqual(first);
  const others = [
    await process().issue(principal(2), grade('won'), 'run 1'),
    await process().issue(principal(1), grade('won'), 'run 2'),
    await process().issue(principal(1), grade('won')),
    await process().issue(principal(1), grade('won')),
  ];
  expect(new Set([first, ...others].map(({ id }) => id)).size).toBe(5);
  for (const { id } of others) expect(id).toMatch(/^gr_[A-Za-z0-9_-]{22}$/);
});

/** Keys of accounts in memory. */
function memoryKeys() {
  const keys = new Map<number, string>();
  return {
    keys,
    keyOf: async (accountId: number) => {
      keys.set(accountId, keys.get(accountId) ?? randomBytes(32).toString('hex'));
      return keys.get(accountId)!;
    },
    find: async (accountId: number) => keys.get(accountId) ?? null,
  };
}

it('given a receipt, when its account is deleted, then its leaf can still be proved and its salt is gone', async () => {
  const log = createMemoryLog({ now: () => 0 });
  const sealKeys = memoryKeys();
  const receipts = createReceiptServices({ log, gate: alwaysOpenGate, randomBytes, sealKeys });
  const {
    id,
    seal,
    gradedAt: graded_at,
    request,
    result,
  } = await receipts.issue(principal(1), grade({ status: 'graded' }));
  const content = receiptLeaf({ id, graded_at, request, result });
  expect(hashOfLeaf(seal!.salt, content).toString('hex')).toBe(seal!.leaf);
  expect((await receipts.read(principal(1), id))!.seal).toEqual(seal);
  const [record] = await log.readStream(`receipt-${id}`);
  expect(JSON.stringify(record!.data)).not.toContain(seal!.salt);
  expect(leavesOfRecord(record!).map(({ hash }) => hash.toString('hex'))).toEqual([seal!.leaf]);
  sealKeys.keys.delete(1);
  expect((await receipts.read(principal(1), id))!.seal).toBeNull();
  expect(leavesOfRecord(record!)).toHaveLength(1);
});
