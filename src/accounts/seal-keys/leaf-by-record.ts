import { LRUCache } from 'lru-cache';
import type { SlipGradedRecord } from '../../domain/accounts/receipt-events.ts';
import type { LogRecord } from '../../domain/event-sourcing/record.ts';
import type { ExperimentRecord } from '../../domain/experiments/experiment-events.ts';
import { experimentLeaf } from '../../domain/proof/experiment-leaf.ts';
import { receiptLeaf } from '../../domain/proof/receipt-leaf.ts';
import { hashOfLeaf, type LeafContent } from '../../domain/proof/sealed-leaf.ts';
import { saltOfKey } from './salt-of-key.ts';
import type { SealKeyStore } from './seal-key-store.ts';

const MOST_KEYS = 10_000;

/**
 * The hash that the leaf of a receipt or of an experiment has by what its record says. The record holds the hash beside
 * it, so that the day stays provable when the account's key is gone; somebody with the folder could change the one and
 * leave the other.
 * @returns hexadecimal digits; null: the record is of another type, or the key of its account is gone
 */
export function createLeafByRecord(
  keys: Pick<SealKeyStore, 'find'>,
): (record: LogRecord<any, any>) => Promise<string | null> {
  const known = new LRUCache<number, { readonly key: string | null }>({ max: MOST_KEYS });
  async function keyOf(accountId: number): Promise<string | null> {
    let found = known.get(accountId);
    if (!found) {
      found = { key: await keys.find(accountId) };
      known.set(accountId, found);
    }
    return found.key;
  }
  return async (untyped) => {
    const said = saidIn(untyped as SlipGradedRecord | ExperimentRecord);
    const key = said && (await keyOf(said.accountId));
    return key ? hashOfLeaf(saltOfKey(key, said.id), said.content).toString('hex') : null;
  };
}

function saidIn({
  type,
  data,
}: SlipGradedRecord | ExperimentRecord):
  | { readonly accountId: number; readonly id: string; readonly content: LeafContent }
  | undefined {
  if (type === 'SlipGraded') {
    const { receiptId: id, accountId, at: graded_at, request, result } = data;
    return { accountId, id, content: receiptLeaf({ id, graded_at, request, result }) };
  }
  if (type !== 'ExperimentPosted') return undefined;
  const { id, accountId, at: posted_at, hash, definition } = data;
  return { accountId, id, content: experimentLeaf({ id, hash, posted_at, ...definition }) };
}
