import type { LogRecord, NewRecord } from '../event-sourcing/record.ts';

/** A slip was graded and charged. Stream: `receipt-ID`. Holds exactly what the client received. */
interface SlipGraded {
  readonly receiptId: string;
  readonly accountId: number;
  /** When it was graded, ISO 8601. */
  readonly at: string;
  readonly sports: readonly string[];
  readonly request: unknown;
  /** The answer without its receipt. */
  readonly result: unknown;
  /** The legs with their names resolved. */
  readonly legs: readonly unknown[];
  /**
   * The hash of its leaf in the day's seal: 64 hexadecimal digits. Its salt stands with the account and is deleted with
   * it; the hash stays, so the day's root can still be proved. Absent in records of earlier versions, which are not
   * sealed.
   */
  readonly leaf?: string;
}

export type SlipGradedRecord = LogRecord<'SlipGraded', SlipGraded>;

export const RECEIPT_VERSIONS = { SlipGraded: 1 } as const;

export const receiptStream = (id: string): string => `receipt-${id}`;

export const createSlipGraded = (data: SlipGraded): NewRecord<'SlipGraded', SlipGraded> => ({
  type: 'SlipGraded',
  version: RECEIPT_VERSIONS.SlipGraded,
  data,
  meta: { partition: `account-${data.accountId}` },
});
