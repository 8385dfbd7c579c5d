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
  /** Of this writer alone, among all that ever write to this log. Without a dot at its end. */
  readonly writerId: string;
  /** Milliseconds of a clock that never goes back. */
  readonly steadyNow: () => number;
  /** Calls back after so many milliseconds; 0: when whoever runs now is done. */
  readonly later: (callback: () => void, milliseconds: number) => void;
  /**
   * Whether the sink may have taken what it answered with this error, as where its answer was lost on the way: then the
   * same is appended again. Absent: an error always means that nothing was taken.
   */
  readonly isUnclear?: ((error: unknown) => boolean) | undefined;
  /** What these accounts were charged since the last success is lost. */
  readonly onFailed: (accountIds: readonly number[], error: unknown) => void;
  /** Something failed, and is tried again. */
  readonly onTrouble: (error: unknown) => void;
}

/** Brings what happens to accounts into the log. */
export interface LedgerWriter {
  /** Resolves when it is on disk; in the order of the calls. */
  write(event: LedgerEvent): Promise<void>;
  /** The same for a charge. */
  charge(accountId: number, charge: ChargedCall, unlimited: boolean): Promise<void>;
  /** A call that cost nothing: nobody waits for it. */
  note(accountId: number, call: AnsweredCall): void;
  /** Resolves when everything that was given so far is in the log, or has failed. Rejects when the log does not take
   *  what the sink has on disk: it is tried again. */
  flush(): Promise<void>;
}

/** The longest that a charge waits for others while every turn of the event loop brings some, in milliseconds. */
const LONGEST_WAIT = 4;
/** So many wait for no more: a turn of the event loop may bring hundreds, and the disk has time meanwhile. */
const FULL_BATCH = 200;
/** Between the beginnings of two writes, in milliseconds: one who calls alone is not held up. */
const PAUSE_PER_CHARGE = 0.25;
const LONGEST_PAUSE = 1;
/** Calls that cost nothing wait so long for a charge to go with, in milliseconds. */
const FREE_CALLS_WAIT = 250;
/** Before what the log may have taken is appended again, time by time, in milliseconds. */
const RETRY_DELAYS = [20, 100, 500, 2000];

interface Group {
  readonly number: number;
  readonly entered: LedgerBatch;
  /** Somebody waits for it: it is more than notes. */
  isAwaited: boolean;
  readonly done: Promise<void>;
  readonly resolve: () => void;
  readonly reject: (error: unknown) => void;
}

/**
 * One append at a time: what comes while it is under way shares the next one. So the more calls there are, the more of
 * them share a commit, and one who calls alone hardly waits for company. An append holds a record for each account, of
 * all its calls.
 */
export function createLedgerWriter(parts: LedgerWriterParts): LedgerWriter {
  const { sink, writerId, later, steadyNow, isUnclear = () => false, onFailed, onTrouble } = parts;
  let group = newGroup(1);
  let records = 0;
  let isScheduled = false;
  let writing: Promise<void> | undefined;
  /** Of the group at hand: when its first call came, and how many had come at the last look. */
  let since = 0;
  let gathered = 0;
  let notBefore = Number.NEGATIVE_INFINITY;

  /** At the end of this turn, so that all calls of the turn are together. */
  function soon(): void {
    group.isAwaited = true;
    if (isScheduled || writing) return;
    isScheduled = true;
    since = steadyNow();
    gathered = 0;
    later(look, 0);
  }

  /** As long as each turn brings more calls they are waited for, some milliseconds at most. */
  function look(): void {
    const now = steadyNow();
    const { charges } = group.entered;
    const grows = charges > gathered && now < since + LONGEST_WAIT;
    if (!writing && (grows || now < notBefore)) {
      gathered = charges;
      // To look again and again would take the processor from those who are to bring more.
      later(look, grows ? 0 : notBefore - now);
      return;
    }
    isScheduled = false;
    if (!writing) write();
  }

  function write(): void {
    if (isBatchEmpty(group.entered)) return;
    const taken = group;
    group = newGroup(taken.number + 1);
    notBefore = steadyNow() + Math.min(LONGEST_PAUSE, taken.entered.charges * PAUSE_PER_CHARGE);
    writing = append(toStreamAppends(taken.entered, () => makeRecordId(writerId, ++records)))
      .then(taken.resolve, (error: unknown) => {
        // First, so that who is told of the failure finds the accounts as the log has them.
        onFailed([...accountsInBatch(taken.entered)], error);
        taken.reject(error);
      })
      .then(() => {
        writing = undefined;
        if (group.isAwaited) soon();
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
      addLedgerEvent(group.entered, event);
      soon();
      return group.done;
    },
    charge(accountId, charge, unlimited) {
      addCharge(group.entered, accountId, charge, unlimited);
      const { done } = group;
      if (group.entered.charges >= FULL_BATCH && !writing) write();
      else soon();
      return done;
    },
    note(accountId, call) {
      const isFirst = isBatchEmpty(group.entered);
      addFreeCall(group.entered, accountId, call);
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
        else if (group.number <= upTo && !isBatchEmpty(group.entered)) write();
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
  // Grants and notes are waited for by nobody.
  done.catch(() => {});
  return { number, entered: newLedgerBatch(), isAwaited: false, done, resolve, reject };
}

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
