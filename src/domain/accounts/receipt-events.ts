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
