import { accountEvent, accountStreams, type LedgerEvent } from '../domain/accounts/events.ts';
import type { AnsweredCall, ChargedCall } from '../domain/accounts/facts.ts';
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

/** The longest that a charge waits for others while every turn of the event loop brings some, in milliseconds. */
const LONGEST_WAIT = 2;
/** Between the beginnings of two writes, in milliseconds: one who calls alone is not held up. */
const PAUSE_PER_CHARGE = 0.25;
const LONGEST_PAUSE = 1;
/** Calls that cost nothing wait so long for a charge to go with, in milliseconds. */
const NOTES_WAIT = 250;

interface Pending {
  readonly ledger: LedgerEvent[];
  /** The last entry of the ledger, where it is one of charges: it takes the next ones. */
  charging: { readonly charges: ChargedCall[]; readonly unlimited: boolean } | undefined;
  readonly calls: AnsweredCall[];
}

interface Group {
  readonly accounts: Map<number, Pending>;
  /** Somebody waits for it: it is more than notes. */
  isAwaited: boolean;
  charges: number;
  readonly done: Promise<void>;
  readonly resolve: () => void;
  readonly reject: (error: unknown) => void;
}

/**
 * One write at a time: what comes while it is under way shares the next one, with one record for each account. So the
 * more calls there are, the more of them share a commit and its wait for the disk, and one who calls alone hardly waits
 * for company.
 */
export function createLedgerWriter({ log, later, steadyNow, onFailed }: LedgerWriterParts): LedgerWriter {
  let group = newGroup();
  let isScheduled = false;
  let writing: Promise<void> | undefined;
  /** Of the group at hand: when its first call came, and how many had come at the last look. */
  let since = 0;
  let gathered = 0;
  let notBefore = Number.NEGATIVE_INFINITY;

  function pendingOf(accountId: number): Pending {
    const known = group.accounts.get(accountId);
    if (known) return known;
    const pending: Pending = { ledger: [], charging: undefined, calls: [] };
    group.accounts.set(accountId, pending);
    return pending;
  }

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
    const grows = group.charges > gathered && now < since + LONGEST_WAIT;
    if (!writing && (grows || now < notBefore)) {
      gathered = group.charges;
      later(look, 0);
      return;
    }
    isScheduled = false;
    if (!writing) write();
  }

  function write(): void {
    if (group.accounts.size === 0) return;
    const { accounts, charges, resolve, reject } = group;
    group = newGroup();
    notBefore = steadyNow() + Math.min(LONGEST_PAUSE, charges * PAUSE_PER_CHARGE);
    writing = log
      .appendAll(appendsOf(accounts))
      .then(resolve, (error: unknown) => {
        // First, so that who is told of the failure finds the accounts as the log has them.
        onFailed([...accounts.keys()], error);
        reject(error);
      })
      .then(() => {
        writing = undefined;
        if (group.isAwaited) soon();
      });
  }

  return {
    write(event) {
      const pending = pendingOf(event.data.accountId);
      pending.ledger.push(event);
      pending.charging = undefined;
      soon();
      return group.done;
    },
    charge(accountId, charge, unlimited) {
      group.charges++;
      const pending = pendingOf(accountId);
      if (pending.charging?.unlimited === unlimited) pending.charging.charges.push(charge);
      else {
        const charges = [charge];
        const data = unlimited ? { accountId, charges, unlimited } : { accountId, charges };
        pending.ledger.push(accountEvent('CreditsCharged', data));
        pending.charging = { charges, unlimited };
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
    if (ledger.length > 0) appends.push({ stream: accountStreams.ledger(accountId), events: ledger, expected: 'any' });
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
  return { accounts: new Map(), isAwaited: false, charges: 0, done, resolve, reject };
}
