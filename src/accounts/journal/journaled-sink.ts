import { UnavailableError } from '../../domain/primitives/domain-errors.ts';
import { type EventLog, requireAllAppended, type StreamAppend } from '../../event-log/port/event-log.ts';
import type { LedgerSink } from '../credits/ledger-writer.ts';
import type { Journal } from './journal-files.ts';
import { mergeAppends } from './merge-appends.ts';

/** What is in a journal of charges: appends to ledgers, as they are going to be made. */
export interface ChargesEntry {
  readonly number: number;
  readonly appends: readonly StreamAppend[];
}

interface JournaledSinkParts {
  /** Its errors must mean that nothing was taken: what is tried again may be tried again in other company. */
  readonly log: Pick<EventLog, 'appendAll'>;
  readonly journal: Journal<ChargesEntry>;
  /** Whether the disk takes what is written, as far as is known; absent: it does. Where it does not, the log decides:
   *  the journal has room of its own, but what is in it would wait there. */
  readonly hasRoom?: (() => boolean) | undefined;
  /** Calls back after so many milliseconds. */
  readonly later: (callback: () => void, milliseconds: number) => void;
  /** Something failed, and is done otherwise or tried again: nothing is lost. */
  readonly onTrouble: (error: unknown) => void;
}

/** What is in the journal waits so long for more to go into the log with, in milliseconds. */
const LOG_WAIT = 250;
const LOG_RETRY_AFTER = 1000;

interface JournaledAppends {
  readonly number: number;
  readonly appends: readonly StreamAppend[];
}

/**
 * Charges are brought to the disk by the journal, and from there into the log some moments later, many at a time.
 *
 * Grants and the like go into the log at once, behind what the journal has: after a crash no charge may be there without
 * the grant that it was taken from. A charge whose client may have its answer is given up by nothing.
 */
export function createJournaledSink(parts: JournaledSinkParts): LedgerSink & { flush(): Promise<void> } {
  const { log, journal, hasRoom = () => true, later, onTrouble } = parts;
  let number = 0;
  /** In the journal and not in the log, in order. */
  let journaled: JournaledAppends[] = [];
  let logging: Promise<void> | undefined;
  let isLogScheduled = false;
  /** The log did not take what is in the journal: until it does, nothing more is added there. */
  let isLogBehind = false;
  let isJournalFailing = false;

  async function appendAll(appends: readonly StreamAppend[]): Promise<void> {
    const own = { number: ++number, appends };
    const charges = appends.filter(hasOnlyCharges);
    // What is more than charges and notes: others decide by what the log has of it.
    const needsLog =
      charges.length === 0 || appends.some((append) => !hasOnlyCharges(append) && !hasOnlyFreeCalls(append));
    if (needsLog || isLogBehind || !hasRoom() || !(await toJournal({ number: own.number, appends: charges })))
      return toLog(own);
    journaled.push(own);
    logSoon(LOG_WAIT);
  }

  /** False: it has not taken them, and the log has to. */
  async function toJournal(entry: ChargesEntry): Promise<boolean> {
    try {
      await journal.write(entry);
      isJournalFailing = false;
      return true;
    } catch (error) {
      // Nobody knows whether it has them: what is charged once more now may come back after the next start.
      if (error instanceof UnavailableError) throw error;
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
        logSoon(LOG_RETRY_AFTER);
      });
    }, milliseconds);
  }

  /** What is in the journal, and behind it what is not. Rejects when the log does not take it: then the one is tried
   *  again, and the other is lost. */
  async function toLog(own?: JournaledAppends): Promise<void> {
    while (logging) await logging.catch(() => {});
    const before = journaled;
    const taken = own ? [...before, own] : before;
    const last = taken.at(-1);
    if (!last) return;
    journaled = [];
    logging = log
      .appendAll(mergeAppends(taken.map(({ appends }) => appends)))
      .then(requireAllAppended)
      .then(
        () => {
          isLogBehind = false;
          journal.release(last.number);
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
    appendAll,
    async flush() {
      const upTo = number;
      for (;;) {
        if (logging) await logging;
        else if (journaled.length > 0 && journaled[0]!.number <= upTo) await toLog();
        else return;
      }
    },
  };
}

const hasOnlyCharges = ({ events }: StreamAppend): boolean => events.every(({ type }) => type === 'CreditsCharged');
const hasOnlyFreeCalls = ({ events }: StreamAppend): boolean => events.every(({ type }) => type === 'CallsAnswered');
