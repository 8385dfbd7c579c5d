import { balances } from '../../../projections/balances.ts';
import { accountStreams, type LedgerRecord } from '../../domain/accounts/events.ts';
import { applyLedgerRecord, type Ledger, newLedger } from '../../domain/accounts/ledger.ts';
import { Unavailable } from '../../domain/unavailable.ts';
import type { EventLog } from '../../event-log/event-log.ts';
import { realTimer, type SetTimer } from '../../platform/time/timer.ts';
import { within } from '../../platform/time/within.ts';
import type { ReadStore } from '../../read-models/store/read-store.ts';

/** A document spares reading some records; it is not waited for longer than that, in milliseconds. */
const DOCUMENT_WITHIN = 1000;

/** The account's ledger as the log has it now, also while the read store is away. */
export async function readLedger(
  log: Pick<EventLog, 'readStream'>,
  store: Pick<ReadStore, 'activeBuild' | 'get'>,
  accountId: number,
  setTimer: SetTimer = realTimer,
): Promise<Ledger> {
  const late = () => new Unavailable('the read store took too long', 1);
  const stored = within(setTimer, DOCUMENT_WITHIN, storedLedger(store, accountId), late);
  const ledger = await stored.catch((error: unknown) => {
    if (error instanceof Unavailable) return newLedger();
    throw error;
  });
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
