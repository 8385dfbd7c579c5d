import { balances } from '../../../projections/balances.ts';
import { type ChargeColumns, chargesOfColumns } from '../../domain/accounts/earlier-columns.ts';
import { accountStreams } from '../../domain/accounts/events.ts';
import type { RecordMeta } from '../../domain/record.ts';
import type { EventLog, StreamAppend } from '../../event-log/event-log.ts';
import type { ReadStore } from '../../read-models/store/read-store.ts';
import { appendsOf, enterCharge, newEntered } from '../credits/ledger-appends.ts';

/**
 * Before records had names, each record of a ledger told in its `meta.journal` how far a journal was in the ledger, and
 * journals held the charges of all accounts in columns. A server of that time that crashed has left in its journal what
 * its clients have paid for.
 */
interface JournalMark {
  /** Of the run of the server that wrote the journal. */
  readonly id: string;
  /** Of an entry; it rises along the journal. */
  readonly number: number;
}
type MarkedMeta = RecordMeta & { readonly journal?: JournalMark };

export interface EarlierEntry extends JournalMark {
  /** Whose each of them is stands at the same place. */
  readonly charges: ChargeColumns & {
    readonly accountIds: readonly number[];
    /** Places of those whose account had no limit. */
    readonly unlimited: readonly number[];
  };
}

/** What these entries hold and the log does not. Cut off, it may begin again: the records carry marks as well. */
export async function earlierAppends(
  log: Pick<EventLog, 'readStream'>,
  store: Pick<ReadStore, 'activeBuild' | 'get'>,
  entries: readonly EarlierEntry[],
): Promise<readonly StreamAppend[]> {
  const last = entries.at(-1);
  if (!last) return [];
  const missing = newEntered();
  const known = new Map<number, JournalMark | null>();
  for (const { id, number, charges } of entries) {
    for (const [place, charge] of chargesOfColumns(charges).entries()) {
      const accountId = charges.accountIds[place]!;
      if (!known.has(accountId)) known.set(accountId, await lastMark(log, store, accountId));
      const mark = known.get(accountId);
      if (mark?.id === id && mark.number >= number) continue;
      enterCharge(missing, accountId, charge, charges.unlimited.includes(place));
    }
  }
  const journal: JournalMark = { id: last.id, number: last.number };
  let count = 0;
  return appendsOf(missing, () => `${last.id}.${++count}`).map((append) => ({
    ...append,
    events: append.events.map((event) => ({ ...event, meta: { ...event.meta, journal } as MarkedMeta })),
  }));
}

/** How far a journal is in an account's ledger. */
async function lastMark(
  log: Pick<EventLog, 'readStream'>,
  store: Pick<ReadStore, 'activeBuild' | 'get'>,
  accountId: number,
): Promise<JournalMark | null> {
  const stored = await earlierBalance(store, accountId);
  let mark = stored?.journal ?? null;
  const fromRevision = (stored?.revision ?? -1) + 1;
  for (const { meta } of await log.readStream(accountStreams.ledger(accountId), { fromRevision })) {
    mark = (meta as MarkedMeta).journal ?? mark;
  }
  return mark;
}

/** As version 2 of `balances` kept it, so that a long ledger need not be read; undefined where it is gone. */
async function earlierBalance(store: Pick<ReadStore, 'activeBuild' | 'get'>, accountId: number) {
  const build = await store.activeBuild(balances.name);
  if (build?.replace(/\..*/, '') !== 'v2') return undefined;
  type Balance = { readonly journal: JournalMark | null; readonly revision: number };
  return (await store.get<Balance>(balances.name, String(accountId)))?.document;
}
