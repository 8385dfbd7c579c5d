import { accountEvent, accountStreams, type LedgerEvent } from '../domain/accounts/events.ts';
import type { AnsweredCall, ChargedCall } from '../domain/accounts/facts.ts';
import type { NewRecord } from '../domain/record.ts';
import type { EventLog, StreamAppend } from '../log/event-log.ts';

export interface LedgerWriterParts {
  readonly log: Pick<EventLog, 'appendAll'>;
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

/** Calls that cost nothing wait so long for a charge to go with, in milliseconds. */
const NOTES_WAIT = 250;

interface Pending {
  readonly ledger: { type: string; data: { charges?: ChargedCall[]; unlimited?: true } }[];
  readonly calls: AnsweredCall[];
}

interface Group {
  readonly accounts: Map<number, Pending>;
  /** Somebody waits for it: it is more than notes. */
  isAwaited: boolean;
  readonly done: Promise<void>;
  readonly resolve: () => void;
  readonly reject: (error: unknown) => void;
}

/**
 * One write at a time: what comes while it is under way shares the next one, with one record for each account. So the
 * more calls there are, the more of them share a commit and its wait for the disk, and one who calls alone never waits
 * for company.
 */
export function createLedgerWriter({ log, later, onFailed }: LedgerWriterParts): LedgerWriter {
  let group = newGroup();
  let isScheduled = false;
  let writing: Promise<void> | undefined;

  function pendingOf(accountId: number): Pending {
    const known = group.accounts.get(accountId);
    if (known) return known;
    const pending: Pending = { ledger: [], calls: [] };
    group.accounts.set(accountId, pending);
    return pending;
  }

  /** At the end of this turn, so that all calls of the turn are together. */
  function soon(): void {
    group.isAwaited = true;
    if (isScheduled || writing) return;
    isScheduled = true;
    later(() => {
      isScheduled = false;
      if (!writing) write();
    }, 0);
  }

  function write(): void {
    if (group.accounts.size === 0) return;
    const { accounts, resolve, reject } = group;
    group = newGroup();
    writing = log
      .appendAll(appendsOf(accounts))
      .then(resolve, (error: unknown) => {
        // First, so that who is told of the failure finds the accounts as the log has them.
        onFailed([...accounts.keys()], error);
        reject(error);
      })
      .then(() => {
        writing = undefined;
        if (group.isAwaited) write();
      });
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
      soon();
      return group.done;
    },
    note(accountId, call) {
      const isFirst = group.accounts.size === 0;
      pendingOf(accountId).calls.push(call);
      if (!isFirst) return;
      const noted = group;
      later(() => {
        if (group === noted && !writing) write();
        else if (group === noted) group.isAwaited = true;
      }, NOTES_WAIT);
    },
    async flush() {
      while (writing || group.accounts.size > 0) {
        if (!writing) write();
        await writing;
      }
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
  return { accounts: new Map(), isAwaited: false, done, resolve, reject };
}
