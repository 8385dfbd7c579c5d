import type { StreamAppend } from '../../event-log/event-log.ts';

/**
 * Where the records of accounts go. The event log is one; the embedded profile puts a journal before it (see
 * `docs/charge-journal.md`).
 */
export interface LedgerSink {
  /** Resolves when all of them are on disk, from where they come into the log in any case, in this order. */
  appendAll(appends: readonly StreamAppend[]): Promise<unknown>;
  /** Resolves when everything is in the log that `appendAll` has taken; rejects where the log does not take it. Absent:
   *  it is there when `appendAll` resolves. */
  flush?(): Promise<void>;
}
