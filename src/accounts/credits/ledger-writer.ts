import type { AnsweredCall, ChargedCall } from '../../domain/accounts/account-event-data.ts';
import type { LedgerEvent } from '../../domain/accounts/account-events.ts';
import { makeRecordId } from '../../domain/event-sourcing/record-id.ts';
import type { StreamAppend } from '../../event-log/port/event-log.ts';
import {
  accountsInBatch,
  addCharge,
  addFreeCall,
  addLedgerEvent,
  isBatchEmpty,
  type LedgerBatch,
  newLedgerBatch,
  toStreamAppends,
} from './ledger-batch.ts';

export interface LedgerWriterParts {
  readonly sink: LedgerSink;
  /** Unique among all writers of this log. Must not end with a dot. */
  readonly writerId: string;
  /** A monotonic clock, in milliseconds. */
  readonly steadyNow: () => number;
  /** Calls back after this many milliseconds; 0: when the current code has run. */
  readonly later: (callback: () => void, milliseconds: number) => void;
  /**
   * Whether the sink may have accepted the records despite this error, for example because its answer was lost. Then
   * the same records are appended again. Absent: after an error nothing was accepted.
   */
  readonly isUnclear?: ((error: unknown) => boolean) | undefined;
  /** The charges of these accounts since the last success are lost. */
  readonly onFailed: (accountIds: readonly number[], error: unknown) => void;
  /** Called after a failure that is retried. */
  readonly onTrouble: (error: unknown) => void;
}

/** Writes the events of accounts to the log. */
export interface LedgerWriter {
  /** Resolves when the event is on disk. Events keep the order of the calls. */
  write(event: LedgerEvent): Promise<void>;
  /** The same, for a charge. */
  charge(accountId: number, charge: ChargedCall, unlimited: boolean): Promise<void>;
  /** Notes a free call. Nothing waits for it. */
  note(accountId: number, call: AnsweredCall): void;
  /**
   * Resolves when everything given so far is in the log, or has failed. Rejects when the log refuses records that the
   * sink has on disk; these are retried.
   */
  flush(): Promise<void>;
}

/** How long a charge waits for others, in milliseconds, while every turn of the event loop brings more. */
const LONGEST_WAIT = 4;
/**
 * A batch of this size is written at once. A turn of the event loop may bring hundreds of charges, and the disk would
 * be idle meanwhile.
 */
const FULL_BATCH = 200;
/**
 * The pause between the starts of two writes, in milliseconds. It depends on the number of charges, so that a single
 * caller is not delayed.
 */
const PAUSE_PER_CHARGE = 0.25;
const LONGEST_PAUSE = 1;
/** How long free calls wait to be written together with a charge, in milliseconds. */
const FREE_CALLS_WAIT = 250;
/** The delays before unclear appends are repeated, in milliseconds. */
const RETRY_DELAYS = [20, 100, 500, 2000];

interface Group {
  readonly number: number;
  readonly batch: LedgerBatch;
  /** Something waits for this group: it has more than notes. */
  isAwaited: boolean;
  readonly done: Promise<void>;
  readonly resolve: () => void;
  readonly reject: (error: unknown) => void;
}

/**
 * Writes with one append at a time. Everything that arrives during an append shares the next one. So the more calls
 * there are, the more of them share a commit, while a single caller hardly waits. An append has one record for each
 * account, with all its calls.
 */
export function createLedgerWriter(parts: LedgerWriterParts): LedgerWriter {
  const { sink, writerId, later, steadyNow, isUnclear = () => false, onFailed, onTrouble } = parts;
  let group = newGroup(1);
  let records = 0;
  let isScheduled = false;
  let writing: Promise<void> | undefined;
  /** About the current group: when its first call came, and how many charges it had at the last check. */
  let since = 0;
  let gathered = 0;
  let notBefore = Number.NEGATIVE_INFINITY;

  /** Writes at the end of this turn, so that all calls of the turn are together. */
  function scheduleWrite(): void {
    group.isAwaited = true;
    if (isScheduled || writing) return;
    isScheduled = true;
    since = steadyNow();
    gathered = 0;
    later(writeOrWait, 0);
  }

  /** Waits while each turn brings more charges, up to `LONGEST_WAIT`. */
  function writeOrWait(): void {
    const now = steadyNow();
    const { charges } = group.batch;
    const grows = charges > gathered && now < since + LONGEST_WAIT;
    if (!writing && (grows || now < notBefore)) {
      gathered = charges;
      // Use a timer: checking in every turn would take the processor from the calls that are to join.
      later(writeOrWait, grows ? 0 : notBefore - now);
      return;
    }
    isScheduled = false;
    if (!writing) write();
  }

  function write(): void {
    if (isBatchEmpty(group.batch)) return;
    const current = group;
    group = newGroup(current.number + 1);
    notBefore = steadyNow() + Math.min(LONGEST_PAUSE, current.batch.charges * PAUSE_PER_CHARGE);
    writing = append(toStreamAppends(current.batch, () => makeRecordId(writerId, ++records)))
      .then(current.resolve, (error: unknown) => {
        // Drop the accounts first: code that handles the failure must read them from the log.
        onFailed([...accountsInBatch(current.batch)], error);
        current.reject(error);
      })
      .then(() => {
        writing = undefined;
        if (group.isAwaited) scheduleWrite();
      });
  }

  async function append(appends: readonly StreamAppend[]): Promise<void> {
    for (const wait of RETRY_DELAYS) {
      try {
        await sink.appendAll(appends);
        return;
      } catch (error) {
        if (!isUnclear(error)) throw error;
        onTrouble(error);
        await new Promise<void>((resolve) => later(resolve, wait));
      }
    }
    await sink.appendAll(appends);
  }

  return {
    write(event) {
      addLedgerEvent(group.batch, event);
      scheduleWrite();
      return group.done;
    },
    charge(accountId, charge, unlimited) {
      addCharge(group.batch, accountId, charge, unlimited);
      const { done } = group;
      if (group.batch.charges >= FULL_BATCH && !writing) write();
      else scheduleWrite();
      return done;
    },
    note(accountId, call) {
      const isFirst = isBatchEmpty(group.batch);
      addFreeCall(group.batch, accountId, call);
      if (!isFirst) return;
      const noted = group;
      later(() => {
        if (group === noted && !writing) write();
        else if (group === noted) group.isAwaited = true;
      }, FREE_CALLS_WAIT);
    },
    async flush() {
      const upTo = group.number;
      for (;;) {
        if (writing) await writing;
        else if (group.number <= upTo && !isBatchEmpty(group.batch)) write();
        else return sink.flush?.();
      }
    },
  };
}

function newGroup(number: number): Group {
  let resolve!: () => void;
  let reject!: (error: unknown) => void;
  const done = new Promise<void>((yes, no) => {
    resolve = yes;
    reject = no;
  });
  // Nothing waits for grants and notes.
  done.catch(() => {});
  return { number, batch: newLedgerBatch(), isAwaited: false, done, resolve, reject };
}

/**
 * Takes the records of accounts. The event log is one sink; the embedded profile puts a journal in front of it (see
 * `docs/charge-journal.md`).
 */
export interface LedgerSink {
  /** Resolves when all appends are on disk, and certain to reach the log in this order. */
  appendAll(appends: readonly StreamAppend[]): Promise<unknown>;
  /**
   * Resolves when everything that `appendAll` accepted is in the log; rejects if the log refuses it. Absent: it is in
   * the log when `appendAll` resolves.
   */
  flush?(): Promise<void>;
}
