import { balances } from '../../../projections/accounts/balances.ts';
import { accountStreams } from '../../domain/accounts/account-events.ts';
import { type ChargeColumns, chargesFromColumns } from '../../domain/accounts/version-2-columns.ts';
import type { RecordMeta } from '../../domain/event-sourcing/record.ts';
import type { EventLog, StreamAppend } from '../../event-log/port/event-log.ts';
import type { ReadStore } from '../../read-models/store/read-store.ts';
import { addCharge, newLedgerBatch, toStreamAppends } from '../credits/ledger-batch.ts';

/**
 * The journal format of earlier versions. Ledger records had no ids: `meta.journal` told which journal entries the
 * ledger includes. A journal entry held the charges of all accounts in columns. A crashed server of such a version may
 * have left paid charges in its journal.
 */
interface JournalMarker {
  /** The run of the server that wrote the journal. */
  readonly id: string;
  /** The number of an entry; it increases along the journal. */
  readonly number: number;
}
type MetaWithMarker = RecordMeta & { readonly journal?: JournalMarker };

export interface LegacyJournalEntry extends JournalMarker {
  /** `accountIds` has the account of each charge, at the same index. */
  readonly charges: ChargeColumns & {
    readonly accountIds: readonly number[];
    /** Indexes of the charges of accounts without a limit. */
    readonly unlimited: readonly number[];
  };
}

/**
 * The charges in these entries that the log lacks. May be interrupted and repeated, since the new records carry markers
 * too.
 */
export async function findMissingLegacyAppends(
  log: Pick<EventLog, 'readStream'>,
  store: Pick<ReadStore, 'activeGeneration' | 'get'>,
  entries: readonly LegacyJournalEntry[],
): Promise<readonly StreamAppend[]> {
  const last = entries.at(-1);
  if (!last) return [];
  const missing = newLedgerBatch();
  const known = new Map<number, JournalMarker | null>();
  for (const { id, number, charges } of entries) {
    for (const [index, charge] of chargesFromColumns(charges).entries()) {
      const accountId = charges.accountIds[index]!;
      if (!known.has(accountId)) known.set(accountId, await readLastMarker(log, store, accountId));
      const marker = known.get(accountId);
      if (marker?.id === id && marker.number >= number) continue;
      addCharge(missing, accountId, charge, charges.unlimited.includes(index));
    }
  }
  const journal: JournalMarker = { id: last.id, number: last.number };
  let count = 0;
  return toStreamAppends(missing, () => `${last.id}.${++count}`).map((append) => ({
    ...append,
    events: append.events.map((event) => ({ ...event, meta: { ...event.meta, journal } as MetaWithMarker })),
  }));
}

/** Which journal entries an account's ledger includes. */
async function readLastMarker(
  log: Pick<EventLog, 'readStream'>,
  store: Pick<ReadStore, 'activeGeneration' | 'get'>,
  accountId: number,
): Promise<JournalMarker | null> {
  const stored = await readLegacyBalance(store, accountId);
  let marker = stored?.journal ?? null;
  const fromRevision = (stored?.revision ?? -1) + 1;
  for (const { meta } of await log.readStream(accountStreams.ledger(accountId), { fromRevision })) {
    marker = (meta as MetaWithMarker).journal ?? marker;
  }
  return marker;
}

/**
 * The balance as version 2 of `balances` stored it, so that a long ledger need not be read; undefined if it is gone.
 */
async function readLegacyBalance(store: Pick<ReadStore, 'activeGeneration' | 'get'>, accountId: number) {
  const generation = await store.activeGeneration(balances.name);
  if (generation?.replace(/\..*/, '') !== 'v2') return undefined;
  type Balance = { readonly journal: JournalMarker | null; readonly revision: number };
  return (await store.get<Balance>(balances.name, String(accountId)))?.document;
}
