import type { AnsweredCall, ChargedCall } from '../../domain/accounts/calls.ts';
import type { LedgerEvent } from '../../domain/accounts/events.ts';
import { allAppended, type EventLog } from '../../log/event-log.ts';
import type { ChargeJournal } from './charge-journal.ts';
import {
  accountsIn,
  appendsOf,
  chargesIn,
  type Entered,
  enterCall,
  enterCharge,
  enterEvent,
  isEmpty,
  newEntered,
} from './ledger-appends.ts';

export interface LedgerWriterParts {
  readonly log: Pick<EventLog, 'appendAll'>;
  /** Without it a charge is on disk when it is in the log. */
  readonly journal?: ChargeJournal | undefined;
  /** Milliseconds of a clock that never goes back. */
  readonly steadyNow: () => number;
  /** Calls back after so many milliseconds; 0: when whoever runs now is done. */
  readonly later: (callback: () => void, milliseconds: number) => void;
  /** What these accounts were charged since the last success is lost. */
  readonly onFailed: (accountIds: readonly number[], error: unknown) => void;
  /** Something failed, and is done otherwise or tried again: nothing is lost. */
  readonly onTrouble: (error: unknown) => void;
}

/** Brings what happens to accounts into the log. */
export interface LedgerWriter {
  /** Resolves when it is in the log; in the order of the calls. */
  write(event: LedgerEvent): Promise<void>;
  /** Resolves when it is on disk, from where it comes into the log in any case. */
  charge(accountId: number, charge: ChargedCall, unlimited: boolean): Promise<void>;
  /** A call that cost nothing: nobody waits for it. */
  note(accountId: number, call: AnsweredCall): void;
  /** Resolves when everything that was given so far is in the log, or has failed. Rejects when the log does not take
   *  charges that are on disk: they are tried again. */
  flush(): Promise<void>;
}

/** The longest that a charge waits for others while every turn of the event loop brings some, in milliseconds. */
const LONGEST_WAIT = 4;
/** So many wait for no more: a turn of the event loop may bring hundreds, and the disk has time meanwhile. */
const ENOUGH = 200;
/** Between the beginnings of two writes, in milliseconds: one who calls alone is not held up. */
const PAUSE_PER_CHARGE = 0.25;
const LONGEST_PAUSE = 1;
/** Calls that cost nothing wait so long for a charge to go with, in milliseconds. */
const NOTES_WAIT = 250;
/** What is in the journal waits so long for more to go into the log with, in milliseconds. */
const LOG_WAIT = 250;
const LOG_AGAIN = 1000;

interface Group {
  readonly number: number;
  readonly entered: Entered;
  /** Somebody waits for it: it is more than notes. */
  isAwaited: boolean;
  readonly done: Promise<void>;
  readonly resolve: () => void;
  readonly reject: (error: unknown) => void;
}

/**
 * Charges are brought to the disk by the journal, and from there into the log some moments later, many at a time. One
 * write at a time: what comes while it is under way shares the next one. So the more calls there are, the more of them
 * share a wait for the disk, and one who calls alone hardly waits for company.
 *
 * Grants and the like go into the log at once, behind what the journal has: after a crash no charge may be there
 * without the grant that it was taken from. A charge whose client may have its answer is given up by nothing.
 */
export function createLedgerWriter(parts: LedgerWriterParts): LedgerWriter {
  const { log, journal, later, steadyNow, onFailed, onTrouble } = parts;
  let group = newGroup(1);
  let isScheduled = false;
  let writing: Promise<void> | undefined;
  /** In the journal and not in the log, in order. */
  let journaled: Group[] = [];
  let logging: Promise<void> | undefined;
  let isLogScheduled = false;
  /** The log did not take what is in the journal: until it does, nothing more is added there. */
  let isLogBehind = false;
  let isJournalFailing = false;
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
    const grows = chargesIn(group.entered) > gathered && now < since + LONGEST_WAIT;
    if (!writing && (grows || now < notBefore)) {
      gathered = chargesIn(group.entered);
      // To look again and again would take the processor from those who are to bring more.
      later(look, grows ? 0 : notBefore - now);
      return;
    }
    isScheduled = false;
    if (!writing) write();
  }

  function write(): void {
    if (isEmpty(group.entered)) return;
    const taken = group;
    group = newGroup(taken.number + 1);
    notBefore = steadyNow() + Math.min(LONGEST_PAUSE, chargesIn(taken.entered) * PAUSE_PER_CHARGE);
    writing = toDisk(taken)
      .then(taken.resolve, (error: unknown) => {
        // First, so that who is told of the failure finds the accounts as the log has them.
        onFailed([...accountsIn(taken.entered)], error);
        taken.reject(error);
      })
      .then(() => {
        writing = undefined;
        if (group.isAwaited) soon();
      });
  }

  async function toDisk(taken: Group): Promise<void> {
    // What is more than charges and notes: others decide by what the log has of it.
    const needsLog = taken.entered.others.length > 0;
    if (needsLog || isLogBehind || !(await toJournal(taken))) return toLog(taken);
    journaled.push(taken);
    logSoon(LOG_WAIT);
  }

  /** False: it has not taken them, and the log has to. */
  async function toJournal({ number, entered: { charges } }: Group): Promise<boolean> {
    if (!journal || !charges) return false;
    try {
      await journal.write(number, charges);
      isJournalFailing = false;
      return true;
    } catch (error) {
      // Once, not for each of thousands.
      if (!isJournalFailing) onTrouble(error);
      isJournalFailing = true;
      return false;
    }
  }

  function logSoon(milliseconds: number): void {
    if (isLogScheduled) return;
    isLogScheduled = true;
    later(() => {
      isLogScheduled = false;
      toLog().catch((error: unknown) => {
        onTrouble(error);
        logSoon(LOG_AGAIN);
      });
    }, milliseconds);
  }

  /** What is in the journal, and behind it what is not. Rejects when the log does not take it: then the one is tried
   *  again, and the other is lost. */
  async function toLog(own?: Group): Promise<void> {
    while (logging) await logging.catch(() => {});
    const before = journaled;
    const taken = own ? [...before, own] : before;
    const last = taken.at(-1);
    if (!last) return;
    journaled = [];
    const mark = journal && { id: journal.id, number: last.number };
    logging = log
      .appendAll(
        appendsOf(
          taken.map(({ entered }) => entered),
          mark,
        ),
      )
      .then(allAppended)
      .then(
        () => {
          isLogBehind = false;
          journal?.release(last.number);
        },
        (error: unknown) => {
          journaled = [...before, ...journaled];
          isLogBehind = journaled.length > 0;
          throw error;
        },
      )
      .finally(() => {
        logging = undefined;
      });
    return logging;
  }

  return {
    write(event) {
      enterEvent(group.entered, event);
      soon();
      return group.done;
    },
    charge(accountId, charge, unlimited) {
      enterCharge(group.entered, accountId, charge, unlimited);
      const { done } = group;
      if (chargesIn(group.entered) >= ENOUGH && !writing) write();
      else soon();
      return done;
    },
    note(accountId, call) {
      const isFirst = isEmpty(group.entered);
      enterCall(group.entered, accountId, call);
      if (!isFirst) return;
      const noted = group;
      later(() => {
        if (group === noted && !writing) write();
        else if (group === noted) group.isAwaited = true;
      }, NOTES_WAIT);
    },
    async flush() {
      const upTo = group.number;
      for (;;) {
        if (writing) await writing;
        else if (group.number <= upTo && !isEmpty(group.entered)) write();
        else if (logging) await logging;
        else if (journaled.length > 0 && journaled[0]!.number <= upTo) await toLog();
        else return;
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
  return { number, entered: newEntered(), isAwaited: false, done, resolve, reject };
}
