import { balances } from '../../../projections/balances.ts';
import { accountStreams, type LedgerRecord } from '../../domain/accounts/events.ts';
import { applyLedgerRecord, type Ledger, newLedger } from '../../domain/accounts/ledger.ts';
import type { AccountTerms } from '../../domain/accounts/terms.ts';
import type { EventLog } from '../../log/event-log.ts';
import { isBuildOf } from '../../store/builds.ts';
import type { ReadStore } from '../../store/read-store.ts';
import { CreditAccount } from './credit-account.ts';
import { createLedgerWriter, type LedgerWriter, type LedgerWriterParts } from './ledger-writer.ts';

export interface CreditBookParts extends Pick<LedgerWriterParts, 'journal' | 'later' | 'steadyNow'> {
  readonly log: EventLog;
  readonly store: ReadStore;
  /** Milliseconds. */
  readonly now: () => number;
  /** Charges are lost, of calls that failed with them. */
  readonly onError: (error: unknown) => void;
  /** Charges are on their way longer than they should be; told as an error where nobody takes it. */
  readonly onTrouble?: (error: unknown) => void;
  /** Accounts kept in memory before idle ones are let go. */
  readonly keep?: number;
}

/** The credits of all accounts that this process serves. */
export interface CreditBook {
  /** At once where the account has been asked for lately. */
  account(terms: AccountTerms): CreditAccount | Promise<CreditAccount>;
  readonly writer: Pick<LedgerWriter, 'note' | 'flush'>;
}

/** Reads an account from its balance and the end of its ledger, once; from then on it is in memory, and written ahead. */
export function createCreditBook(parts: CreditBookParts): CreditBook {
  const { log, store, now, onError, onTrouble = onError, keep = 20_000 } = parts;
  const accounts = new Map<number, CreditAccount>();
  const opening = new Map<number, Promise<CreditAccount>>();
  const writer = createLedgerWriter({ ...parts, onFailed, onTrouble });

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
    // What an account that has failed left behind must be in the log, or lost, before it is read.
    await writer.flush();
    const ledger = await readLedger(log, store, accountId);
    if (accounts.size >= keep) letGo();
    const account = new CreditAccount(terms, ledger, writer, now);
    accounts.set(accountId, account);
    return account;
  }

  function letGo(): void {
    for (const [id, account] of accounts) {
      if (accounts.size < keep / 2) return;
      if (account.isIdle) accounts.delete(id);
    }
  }

  return {
    writer,
    account(terms) {
      const account = accounts.get(terms.accountId);
      if (account) {
        account.terms = terms;
        return account;
      }
      let promise = opening.get(terms.accountId);
      if (!promise) {
        promise = open(terms).finally(() => opening.delete(terms.accountId));
        opening.set(terms.accountId, promise);
      }
      return promise;
    },
  };
}

/** The account's ledger as the log has it now. */
export async function readLedger(
  log: Pick<EventLog, 'readStream'>,
  store: ReadStore,
  accountId: number,
): Promise<Ledger> {
  const ledger = await storedLedger(store, accountId);
  const stream = accountStreams.ledger(accountId);
  const records = await log.readStream(stream, { fromRevision: ledger.revision + 1 });
  for (const record of records) applyLedgerRecord(ledger, record as LedgerRecord);
  return ledger;
}

/** The balance as it was projected last; without one the ledger is read from its start. */
async function storedLedger(store: ReadStore, accountId: number): Promise<Ledger> {
  const build = await store.activeBuild(balances.name);
  if (!isBuildOf(build, balances.version)) return newLedger();
  const stored = await store.get<Ledger>(balances.name, String(accountId));
  return stored ? structuredClone(stored.document) : newLedger();
}
