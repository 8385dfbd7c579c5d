import { createHash } from 'node:crypto';
import type { Receipt, ReceiptServices } from '../api/calls/services/receipt-services.ts';
import { createSlipGraded, receiptStream, type SlipGradedRecord } from '../domain/accounts/receipt-events.ts';
import { receiptLeaf } from '../domain/proof/receipt-leaf.ts';
import { hashOfLeaf } from '../domain/proof/sealed-leaf.ts';
import { ConflictError, type EventLog } from '../event-log/port/event-log.ts';
import type { WriteGate } from '../platform/clock/write-gate.ts';
import { saltOfKey } from './seal-keys/salt-of-key.ts';
import type { SealKeyStore } from './seal-keys/seal-key-store.ts';

interface ReceiptServicesParts {
  readonly log: Pick<EventLog, 'append' | 'readStream'>;
  readonly gate: WriteGate;
  readonly randomBytes: (size: number) => Uint8Array;
  /** Absent: receipts are not sealed. */
  readonly sealKeys?: Pick<SealKeyStore, 'keyOf' | 'find'> | undefined;
}

/** 16 bytes are 22 characters of base64url. */
const ID_BYTES = 16;
const ID = /^gr_[A-Za-z0-9_-]{22}$/;

/**
 * Receipts in the log, each in its own stream. They are read from the log, so a receipt can be read as soon as it is
 * appended.
 */
export function createReceiptServices({ log, gate, randomBytes, sealKeys }: ReceiptServicesParts): ReceiptServices {
  /** Undefined where there is none, or the id is no id. */
  async function readRecord(id: string): Promise<SlipGradedRecord | undefined> {
    if (!ID.test(id)) return undefined;
    const [record] = (await log.readStream(receiptStream(id), { limit: 1 })) as readonly SlipGradedRecord[];
    return record;
  }

  const keyOf = async ({ data: { leaf, accountId } }: SlipGradedRecord) =>
    leaf === undefined ? undefined : await sealKeys?.find(accountId);

  async function readReceipt(accountId: number, id: string): Promise<Receipt | undefined> {
    const record = await readRecord(id);
    if (record?.data.accountId !== accountId) return undefined;
    const { leaf } = record.data;
    const key = await keyOf(record);
    const seal = leaf !== undefined && key ? { salt: saltOfKey(key, id), leaf } : null;
    return { ...toReceipt(record), seal };
  }

  return {
    async issue({ accountId }, { gradedAt: at, ...grade }, run) {
      gate.assertOpen();
      const bytes = run === undefined ? randomBytes(ID_BYTES) : digest(`receipt ${accountId} ${run}`);
      const receiptId = `gr_${Buffer.from(bytes).toString('base64url')}`;
      const salt = sealKeys && saltOfKey(await sealKeys.keyOf(accountId), receiptId);
      const { request, result } = grade;
      const leaf =
        salt && hashOfLeaf(salt, receiptLeaf({ id: receiptId, graded_at: at, request, result })).toString('hex');
      const event = createSlipGraded({ receiptId, accountId, at, ...grade, ...(leaf !== undefined && { leaf }) });
      try {
        const { position } = await log.append(receiptStream(receiptId), [event], 'none');
        const seal = salt !== undefined && leaf !== undefined ? { salt, leaf } : null;
        return { id: receiptId, position: String(position), gradedAt: at, ...grade, seal };
      } catch (error) {
        if (run === undefined || !(error instanceof ConflictError)) throw error;
        return (await readReceipt(accountId, receiptId))!;
      }
    },
    read: ({ accountId }, id) => readReceipt(accountId, id),
    async find(id) {
      const record = await readRecord(id);
      // The key of a sealed receipt goes with the account, and the page that was shared goes with both.
      const isOfNobody = record?.data.leaf !== undefined && sealKeys !== undefined && !(await keyOf(record));
      return record && !isOfNobody ? { ...toReceipt(record), seal: null } : undefined;
    },
  };
}

/** Without the run id the result cannot be guessed. */
const digest = (text: string): Uint8Array => createHash('sha256').update(text).digest().subarray(0, ID_BYTES);

/** The receipt in a record. */
export function toReceipt({ position, data }: SlipGradedRecord): Omit<Receipt, 'seal'> {
  const { receiptId, at, sports, request, result, legs } = data;
  return { id: receiptId, position: String(position), gradedAt: at, sports, request, result, legs };
}
