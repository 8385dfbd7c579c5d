import { createHash } from 'node:crypto';
import type { Receipt, ReceiptServices } from '../api/calls/services/receipt-services.ts';
import { createSlipGraded, receiptStream, type SlipGradedRecord } from '../domain/accounts/receipt-events.ts';
import { ConflictError, type EventLog } from '../event-log/port/event-log.ts';
import type { WriteGate } from '../platform/clock/write-gate.ts';

interface ReceiptServicesParts {
  readonly log: Pick<EventLog, 'append' | 'readStream'>;
  readonly gate: WriteGate;
  readonly randomBytes: (size: number) => Uint8Array;
}

/** 16 bytes are 22 characters of base64url. */
const ID_BYTES = 16;
const ID = /^gr_[A-Za-z0-9_-]{22}$/;

/**
 * Receipts in the log, each in its own stream. They are read from the log, so a receipt can be read as soon as it is
 * appended.
 */
export function createReceiptServices({ log, gate, randomBytes }: ReceiptServicesParts): ReceiptServices {
  /** Undefined where there is none, or the id is no id. */
  async function readRecord(id: string): Promise<SlipGradedRecord | undefined> {
    if (!ID.test(id)) return undefined;
    const [record] = (await log.readStream(receiptStream(id), { limit: 1 })) as readonly SlipGradedRecord[];
    return record;
  }

  return {
    async issue({ accountId }, { gradedAt: at, ...grade }, run) {
      gate.assertOpen();
      const bytes = run === undefined ? randomBytes(ID_BYTES) : digest(`receipt ${accountId} ${run}`);
      const receiptId = `gr_${Buffer.from(bytes).toString('base64url')}`;
      const event = createSlipGraded({ receiptId, accountId, at, ...grade });
      try {
        const { position } = await log.append(receiptStream(receiptId), [event], 'none');
        return { id: receiptId, position: String(position), gradedAt: at, ...grade };
      } catch (error) {
        if (run === undefined || !(error instanceof ConflictError)) throw error;
        return toReceipt((await readRecord(receiptId))!);
      }
    },
    async read({ accountId }, id) {
      const record = await readRecord(id);
      return record?.data.accountId === accountId ? toReceipt(record) : undefined;
    },
    async find(id) {
      const record = await readRecord(id);
      return record && toReceipt(record);
    },
  };
}

/** Without the run id the result cannot be guessed. */
const digest = (text: string): Uint8Array => createHash('sha256').update(text).digest().subarray(0, ID_BYTES);

/** The receipt in a record. */
export function toReceipt({ position, data }: SlipGradedRecord): Receipt {
  const { receiptId, at, sports, request, result, legs } = data;
  return { id: receiptId, position: String(position), gradedAt: at, sports, request, result, legs };
}
