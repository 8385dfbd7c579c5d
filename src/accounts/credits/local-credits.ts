import type { AccountTerms } from '../../domain/accounts/credit-terms.ts';
import { type EventLog, requireAllAppended } from '../../event-log/port/event-log.ts';
import type { Awaitable } from '../../platform/async/awaitable.ts';
import { alwaysOpenGate, type WriteGate } from '../../platform/clock/write-gate.ts';
import type { ReadStore } from '../../read-models/store/read-store.ts';
import { CreditAccount } from './credit-account.ts';
import type { Credits } from './credits.ts';
import { loadLedger } from './ledger-reader.ts';
import type { LedgerSink } from './ledger-writer.ts';
import { createLedgerWriter, type LedgerWriter, type LedgerWriterParts } from './ledger-writer.ts';

interface LocalCreditsParts extends Pick<LedgerWriterParts, 'writerId' | 'later' | 'steadyNow' | 'isUnclear'> {
  readonly log: Pick<EventLog, 'readStream' | 'appendAll'>;
  /** What records go through on their way to the log; absent: nothing. */
  readonly sink?: LedgerSink | undefined;
  readonly store: ReadStore;
  /** Milliseconds. */
  readonly now: () => number;
  /** Closed: nothing is charged, granted, or ended by time. Absent: it is open. */
  readonly gate?: WriteGate | undefined;
  /** Charges are lost, of calls that failed with them. */
  readonly onError: (error: unknown) => void;
  /** Charges are on their way longer than they should be; told as an error where nobody takes it. */
  readonly onTrouble?: (error: unknown) => void;
  /** A call or a delivery was charged so much. */
  readonly onCharged?: ((credits: number, accountId: number) => void) | undefined;
  /** Accounts kept in memory before idle ones are let go. */
  readonly keep?: number;
}

/**
 * `Credits` of one process that is the only one: it reads an account from its balance and the end of its ledger, once; from
 * then on the account is in memory, and written ahead. Answers come at once where the account has been asked for lately.
 */
export function createLocalCredits(parts: LocalCreditsParts): Credits {
  const { log, store, now, gate = alwaysOpenGate, onError, onTrouble = onError, keep = 20_000 } = parts;
  const sink = createGatedSink(parts.sink ?? createLogSink(log), gate);
  const accounts = new Map<number, CreditAccount>();
  const opening = new Map<number, Promise<CreditAccount>>();
  const ledgerWriter = createLedgerWriter({ ...parts, sink, onFailed, onTrouble });
  const { onCharged } = parts;
  const writer = onCharged === undefined ? ledgerWriter : notifyOfCharges(ledgerWriter, onCharged);

  /** The accounts in memory tell of charges that the log does not have: the next call reads the log again. */
  function onFailed(accountIds: readonly number[], error: unknown): void {
    onError(error);
    for (const id of accountIds) {
      accounts.get(id)?.fail(error);
      accounts.delete(id);
    }
  }

  async function open(terms: AccountTerms): Promise<CreditAccount> {
    const { accountId } = terms;
    // Behind a gate that is closed the log may lack what a crash has left in the journal: the next call reads again.
    let isWhole = gate.isOpen;
    // What an account that has failed left behind must be in the log, or lost, before it is read.
    await writer.flush().catch((error: unknown) => {
      if (gate.isOpen) throw error;
      isWhole = false;
    });
    const ledger = await loadLedger(log, store, accountId);
    if (accounts.size >= keep) letGo();
    const account = new CreditAccount(terms, ledger, writer, now, gate);
    if (isWhole) accounts.set(accountId, account);
    return account;
  }

  function letGo(): void {
    for (const [id, account] of accounts) {
      if (accounts.size < keep / 2) return;
      if (account.isIdle) accounts.delete(id);
    }
  }

  function account(terms: AccountTerms): Awaitable<CreditAccount> {
    const known = accounts.get(terms.accountId);
    if (!known) return opened(terms);
    known.terms = terms;
    return known;
  }

  function opened(terms: AccountTerms): Promise<CreditAccount> {
    const { accountId } = terms;
    const under = opening.get(accountId);
    if (under) return under;
    const promise = open(terms).finally(() => opening.delete(accountId));
    opening.set(accountId, promise);
    return promise;
  }

  /** At once where the account is in memory: nearly all calls pass without waiting for anybody. */
  function of<T>(terms: AccountTerms, ask: (account: CreditAccount) => Awaitable<T>): Awaitable<T> {
    const found = account(terms);
    return found instanceof Promise ? found.then(ask) : ask(found);
  }

  return {
    reserve(terms, most, at) {
      gate.assertOpen();
      return of(terms, (found) => found.reserve(most, at));
    },
    remaining: (terms, at) => of(terms, (found) => found.remaining(at)),
    balance: (terms) => of(terms, (found) => found.balance),
    ledger: (terms) => of(terms, (found) => found.ledger),
    async record(terms, decide) {
      gate.assertOpen();
      await (await account(terms)).record(decide);
    },
    note(accountId, call) {
      if (gate.isOpen) writer.note(accountId, call);
    },
    flush: writer.flush,
  };
}

const notifyOfCharges = (
  writer: LedgerWriter,
  onCharged: (credits: number, accountId: number) => void,
): LedgerWriter => ({
  ...writer,
  charge(accountId, charge, unlimited) {
    onCharged(charge.credits, accountId);
    return writer.charge(accountId, charge, unlimited);
  },
});

/** Nothing is expected of an account's streams, so that no append conflicts. */
const createLogSink = (log: Pick<EventLog, 'appendAll'>): LedgerSink => ({
  appendAll: async (appends) => requireAllAppended(await log.appendAll(appends)),
});

/** A call may have begun before the gate was closed: it fails with its charge. */
const createGatedSink = (sink: LedgerSink, gate: WriteGate): LedgerSink => ({
  ...sink,
  async appendAll(appends) {
    gate.assertOpen();
    return sink.appendAll(appends);
  },
});
