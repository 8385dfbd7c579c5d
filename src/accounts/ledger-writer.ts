import { accountEvent, accountStreams, type LedgerEvent } from '../domain/accounts/events.ts';
import type { AnsweredCall, ChargedCall } from '../domain/accounts/facts.ts';
import type { NewRecord } from '../domain/record.ts';
import type { EventLog, StreamAppend } from '../log/event-log.ts';

export interface LedgerWriterParts {
  readonly log: Pick<EventLog, 'appendAll'>;
  /** Milliseconds of a clock that never goes back. */
  readonly steadyNow: () => number;
  /** Calls back after so many milliseconds; 0: when whoever runs now is done. */
  readonly later: (callback: () => void, milliseconds: number) => void;
  /** What these accounts were charged since the last success is not in the log. */
  readonly onFailed: (accountIds: readonly number[], error: unknown) => void;
}

/** Brings what happens to accounts into the log. */
export interface LedgerWriter {
  /** Resolves when it is on disk; in the order of the calls. */
  write(event: LedgerEvent): Promise<void>;
  charge(accountId: number, charge: ChargedCall, unlimited: boolean): Promise<void>;
  /** A call that cost nothing: nobody waits for it. */
  note(accountId: number, call: AnsweredCall): void;
  /** Resolves when everything that was given so far is on disk, or has failed. */
  flush(): Promise<void>;
}

/** The longest that a charge waits for others to share a commit with, in milliseconds. */
const LONGEST_WAIT = 4;
/** For each call of the last commit the next one waits so much: one who calls alone never waits. */
const WAIT_PER_CALL = 0.25;
/** Calls that cost nothing wait so long for a charge to go with, in milliseconds. */
const NOTES_WAIT = 250;

interface Pending {
  readonly ledger: { type: string; data: { charges?: ChargedCall[]; unlimited?: true } }[];
  readonly calls: AnsweredCall[];
}

interface Group {
  readonly accounts: Map<number, Pending>;
  charges: number;
  readonly done: Promise<void>;
  readonly resolve: () => void;
  readonly reject: (error: unknown) => void;
}

/**
 * Charges that come together share one record for each account, and one commit. A commit costs a wait for the disk:
 * the more calls there are, the longer the next one gathers them, some milliseconds at most.
 */
export function createLedgerWriter({ log, steadyNow, later, onFailed }: LedgerWriterParts): LedgerWriter {
  let group = newGroup();
  /** When the flush that is under way to be called comes; infinite: none. */
  let flushAt = Number.POSITIVE_INFINITY;
  let mayFlushAt = Number.NEGATIVE_INFINITY;
  let last: Promise<void> = Promise.resolve();

  function pendingOf(accountId: number): Pending {
    const known = group.accounts.get(accountId);
    if (known) return known;
    const pending: Pending = { ledger: [], calls: [] };
    group.accounts.set(accountId, pending);
    return pending;
  }

  function schedule(wait: number): void {
    const at = steadyNow() + wait;
    // A timer that comes later than this one finds nothing to do.
    if (flushAt <= at) return;
    flushAt = at;
    later(() => {
      if (flushAt !== at) return;
      write();
    }, wait);
  }

  const soon = (): void => schedule(Math.max(0, Math.ceil(mayFlushAt - steadyNow())));

  function write(): void {
    flushAt = Number.POSITIVE_INFINITY;
    if (group.accounts.size === 0) return;
    const { accounts, charges, resolve, reject } = group;
    group = newGroup();
    mayFlushAt = steadyNow() + Math.min(LONGEST_WAIT, charges * WAIT_PER_CALL);
    const written = log.appendAll(appendsOf(accounts)).then(resolve, (error: unknown) => {
      // First, so that who is told of the failure finds the accounts as the log has them.
      onFailed([...accounts.keys()], error);
      reject(error);
    });
    last = Promise.all([last, written]).then(() => {});
  }

  return {
    write(event) {
      pendingOf(event.data.accountId).ledger.push(event as never);
      soon();
      return group.done;
    },
    charge(accountId, charge, unlimited) {
      const { ledger } = pendingOf(accountId);
      const before = ledger.at(-1)?.data;
      if (before?.charges && (before.unlimited === true) === unlimited) before.charges.push(charge);
      else {
        const data = { accountId, charges: [charge], ...(unlimited ? { unlimited } : {}) };
        ledger.push(accountEvent('CreditsCharged', data as never) as never);
      }
      group.charges++;
      soon();
      return group.done;
    },
    note(accountId, call) {
      pendingOf(accountId).calls.push(call);
      schedule(NOTES_WAIT);
    },
    async flush() {
      write();
      await last;
    },
  };
}

function appendsOf(accounts: ReadonlyMap<number, Pending>): StreamAppend[] {
  const appends: StreamAppend[] = [];
  for (const [accountId, { ledger, calls }] of accounts) {
    if (ledger.length > 0) {
      const events = ledger as unknown as NewRecord[];
      appends.push({ stream: accountStreams.ledger(accountId), events, expected: 'any' });
    }
    if (calls.length > 0) {
      const events = [accountEvent('CallsAnswered', { accountId, calls })];
      appends.push({ stream: accountStreams.calls(accountId), events, expected: 'any' });
    }
  }
  return appends;
}

function newGroup(): Group {
  let resolve!: () => void;
  let reject!: (error: unknown) => void;
  const done = new Promise<void>((yes, no) => {
    resolve = yes;
    reject = no;
  });
  // Grants and notes are waited for by nobody.
  done.catch(() => {});
  return { accounts: new Map(), charges: 0, done, resolve, reject };
}
