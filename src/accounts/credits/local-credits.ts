import type { AccountTerms } from '../../domain/accounts/credit-terms.ts';
import { type EventLog, requireAllAppended } from '../../event-log/port/event-log.ts';
import type { Awaitable } from '../../platform/async/awaitable.ts';
import { alwaysOpenGate, type GuardedGate } from '../../platform/clock/write-gate.ts';
import type { ReadStore } from '../../read-models/store/read-store.ts';
import { CreditAccount } from './credit-account.ts';
import type { Credits } from './credits.ts';
import { loadLedger } from './ledger-reader.ts';
import { createLedgerWriter, type LedgerSink, type LedgerWriter, type LedgerWriterParts } from './ledger-writer.ts';

interface LocalCreditsParts extends Pick<LedgerWriterParts, 'writerId' | 'later' | 'steadyNow' | 'isUnclear'> {
  readonly log: Pick<EventLog, 'readStream' | 'appendAll'>;
  /** Takes the records on their way to the log; absent: they go to the log directly. */
  readonly sink?: LedgerSink | undefined;
  readonly store: ReadStore;
  /** Milliseconds. */
  readonly now: () => number;
  /** While it is closed, nothing is charged, granted or expired. Default: open. */
  readonly gate?: GuardedGate | undefined;
  /** Charges were lost; their calls have failed. */
  readonly onError: (error: unknown) => void;
  /** Charges take longer than they should. Default: `onError`. */
  readonly onTrouble?: (error: unknown) => void;
  /** Called for each charge of a call or a delivery. */
  readonly onCharged?: ((credits: number, accountId: number) => void) | undefined;
  /** Number of accounts in memory above which idle ones are removed. */
  readonly keep?: number;
}

/**
 * `Credits` for a single process. It loads an account once, from its projected balance and the end of its ledger; after
 * that the account is in memory, and its changes are written through. Accounts in memory are answered synchronously.
 */
export function createLocalCredits(parts: LocalCreditsParts): Credits {
  const { log, store, now, gate = alwaysOpenGate, onError, onTrouble = onError, keep = 20_000 } = parts;
  const sink = createGatedSink(parts.sink ?? createLogSink(log), gate);
  const accounts = new Map<number, CreditAccount>();
  const opening = new Map<number, Promise<CreditAccount>>();
  const ledgerWriter = createLedgerWriter({ ...parts, sink, onFailed, onTrouble });
  const { onCharged } = parts;
  const writer = onCharged === undefined ? ledgerWriter : notifyOfCharges(ledgerWriter, onCharged);

  /**
   * The accounts in memory include charges that the log does not have. Drop them, so that the next call reads the log
   * again.
   */
  function onFailed(accountIds: readonly number[], error: unknown): void {
    onError(error);
    for (const id of accountIds) {
      accounts.get(id)?.fail(error);
      accounts.delete(id);
    }
  }

  async function open(terms: AccountTerms): Promise<CreditAccount> {
    const { accountId } = terms;
    // While the gate is closed, the log may lack charges that a crash left in the journal. Do not keep the account
    // then.
    let isWhole = gate.isOpen;
    // Pending records of a failed account must be in the log, or lost, before the ledger is read.
    await writer.flush().catch((error: unknown) => {
      if (gate.isOpen) throw error;
      isWhole = false;
    });
    const ledger = await loadLedger(log, store, accountId);
    if (accounts.size >= keep) evictIdle();
    const account = new CreditAccount(terms, ledger, writer, now, gate);
    if (isWhole) accounts.set(accountId, account);
    return account;
  }

  function evictIdle(): void {
    for (const [id, account] of accounts) {
      if (accounts.size < keep / 2) return;
      if (account.isIdle) accounts.delete(id);
    }
  }

  function account(terms: AccountTerms): Awaitable<CreditAccount> {
    const known = accounts.get(terms.accountId);
    if (!known) return openOnce(terms);
    known.terms = terms;
    return known;
  }

  function openOnce(terms: AccountTerms): Promise<CreditAccount> {
    const { accountId } = terms;
    const pending = opening.get(accountId);
    if (pending) return pending;
    const promise = open(terms).finally(() => opening.delete(accountId));
    opening.set(accountId, promise);
    return promise;
  }

  /** Synchronous if the account is in memory, so that nearly all calls do not wait. */
  function withAccount<T>(terms: AccountTerms, ask: (account: CreditAccount) => Awaitable<T>): Awaitable<T> {
    const found = account(terms);
    return found instanceof Promise ? found.then(ask) : ask(found);
  }

  return {
    reserve(terms, maxCost, at, keyCap) {
      gate.assertOpen();
      return withAccount(terms, (found) => found.reserve(maxCost, at, keyCap));
    },
    remaining: (terms, at) => withAccount(terms, (found) => found.remaining(at)),
    balance: (terms) => withAccount(terms, (found) => found.balance),
    ledger: (terms) => withAccount(terms, (found) => found.ledger),
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

/** Appends expect no revision of the stream, so they never conflict. */
const createLogSink = (log: Pick<EventLog, 'appendAll'>): LedgerSink => ({
  appendAll: async (appends) => requireAllAppended(await log.appendAll(appends)),
});

/** A call may have begun before the gate was closed. Its charge then fails, and the call with it. */
const createGatedSink = (sink: LedgerSink, gate: GuardedGate): LedgerSink => ({
  ...sink,
  async appendAll(appends) {
    gate.assertOpen();
    const outcome = await sink.appendAll(appends);
    // A clock that is doubted only now takes back no charge that is written.
    gate.guard?.assertOpen();
    return outcome;
  },
});
