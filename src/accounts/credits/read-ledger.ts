import { balances } from '../../../projections/balances.ts';
import { accountStreams, type LedgerRecord } from '../../domain/accounts/events.ts';
import { applyLedgerRecord, type Ledger, newLedger } from '../../domain/accounts/ledger.ts';
import type { EventLog } from '../../log/event-log.ts';
import type { ReadStore } from '../../store/read-store.ts';

/** The account's ledger as the log has it now. */
export async function readLedger(
  log: Pick<EventLog, 'readStream'>,
  store: Pick<ReadStore, 'activeBuild' | 'get'>,
  accountId: number,
): Promise<Ledger> {
  const ledger = await storedLedger(store, accountId);
  const stream = accountStreams.ledger(accountId);
  const records = await log.readStream(stream, { fromRevision: ledger.revision + 1 });
  for (const record of records) applyLedgerRecord(ledger, record as LedgerRecord);
  return ledger;
}

/** The balance as it was projected last; without one the ledger is read from its start. */
async function storedLedger(store: Pick<ReadStore, 'activeBuild' | 'get'>, accountId: number): Promise<Ledger> {
  const build = await store.activeBuild(balances.name);
  if (build?.replace(/\..*/, '') !== `v${balances.version}`) return newLedger();
  const stored = await store.get<Ledger>(balances.name, String(accountId));
  return stored ? structuredClone(stored.document) : newLedger();
}
