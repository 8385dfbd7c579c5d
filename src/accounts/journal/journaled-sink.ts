import { UnavailableError } from '../../domain/primitives/domain-errors.ts';
import { type EventLog, requireAllAppended, type StreamAppend } from '../../event-log/port/event-log.ts';
import type { LedgerSink } from '../credits/ledger-writer.ts';
import type { Journal } from './journal-files.ts';
import { mergeAppends } from './merge-appends.ts';

/** An entry in the journal of charges: appends to ledgers, as they will be made. */
export interface ChargesEntry {
  readonly number: number;
  readonly appends: readonly StreamAppend[];
}

interface JournaledSinkParts {
  /** After an error it must have accepted nothing: a retry may combine the records with others. */
  readonly log: Pick<EventLog, 'appendAll'>;
  readonly journal: Journal<ChargesEntry>;
  /**
   * Whether the disk accepts writes, as far as known; default: yes. If it does not, write to the log directly. The
   * journal has reserved space, but its entries would wait there.
   */
  readonly hasRoom?: (() => boolean) | undefined;
  /** Calls back after this many milliseconds. */
  readonly later: (callback: () => void, milliseconds: number) => void;
  /** Called after a failure that is retried or handled in another way. Nothing is lost. */
  readonly onTrouble: (error: unknown) => void;
}

/** How long journaled charges wait to go to the log together, in milliseconds. */
const LOG_WAIT = 250;
const LOG_RETRY_AFTER = 1000;

interface JournaledAppends {
  readonly number: number;
  readonly appends: readonly StreamAppend[];
}

/**
 * Writes charges to the journal first, and some moments later to the log, many at a time.
 *
 * Grants and other events go to the log at once, after the charges in the journal: after a crash the log must not have
 * a charge without the grant that it was taken from. Never drop a charge once its answer may have been sent.
 */
export function createJournaledSink(parts: JournaledSinkParts): LedgerSink & { flush(): Promise<void> } {
  const { log, journal, hasRoom = () => true, later, onTrouble } = parts;
  let number = 0;
  /** The appends that are in the journal but not in the log, in order. */
  let journaled: JournaledAppends[] = [];
  let logging: Promise<void> | undefined;
  let isLogScheduled = false;
  /** The log has refused the journaled appends. Until it accepts them, nothing is added to the journal. */
  let isLogBehind = false;
  let isJournalFailing = false;

  async function appendAll(appends: readonly StreamAppend[]): Promise<void> {
    const own = { number: ++number, appends };
    const charges = appends.filter(hasOnlyCharges);
    // Other events need the log, since other code decides from the logged state.
    const needsLog =
      charges.length === 0 || appends.some((append) => !hasOnlyCharges(append) && !hasOnlyFreeCalls(append));
    if (needsLog || isLogBehind || !hasRoom() || !(await toJournal({ number: own.number, appends: charges })))
      return toLog(own);
    journaled.push(own);
    logSoon(LOG_WAIT);
  }

  /** False: the journal did not accept the entry, so it must go to the log. */
  async function toJournal(entry: ChargesEntry): Promise<boolean> {
    try {
      await journal.write(entry);
      isJournalFailing = false;
      return true;
    } catch (error) {
      // It is unknown whether the journal has the entry. If it went to the log now, the next start could charge it
      // again.
      if (error instanceof UnavailableError) throw error;
      // Report once, not for each of thousands of calls.
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

  /**
   * Writes the journaled appends to the log, followed by `own`. If the log refuses, rejects: the journaled appends are
   * retried, `own` is lost.
   */
  async function toLog(own?: JournaledAppends): Promise<void> {
    while (logging) await logging.catch(() => {});
    const before = journaled;
    const pending = own ? [...before, own] : before;
    const last = pending.at(-1);
    if (!last) return;
    journaled = [];
    logging = log
      .appendAll(mergeAppends(pending.map(({ appends }) => appends)))
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
