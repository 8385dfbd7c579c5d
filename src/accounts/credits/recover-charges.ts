import { chargesOf } from '../../domain/accounts/call-columns.ts';
import type { JournalMark } from '../../domain/record.ts';
import { allAppended, type EventLog } from '../../log/event-log.ts';
import type { ReadStore } from '../../store/read-store.ts';
import type { JournalEntry } from './charge-journal.ts';
import { readLedger } from './credit-book.ts';
import { appendsOf, chargesIn, enterCharge, newEntered } from './ledger-appends.ts';

/**
 * Brings into the log what a crash has left in the journal alone. Each account's ledger tells how far it has the
 * journal, so that this may itself be cut off, and begin again.
 * @param entries of one journal, in order
 * @returns how many charges were missing
 */
export async function recoverCharges(
  log: Pick<EventLog, 'readStream' | 'appendAll'>,
  store: ReadStore,
  entries: readonly JournalEntry[],
): Promise<number> {
  const last = entries.at(-1);
  if (!last) return 0;
  const known = new Map<number, JournalMark | null>();
  const missing = newEntered();
  for (const { id, number, charges } of entries) {
    for (const [place, charge] of chargesOf(charges).entries()) {
      const accountId = charges.accountIds[place]!;
      if (!known.has(accountId)) known.set(accountId, (await readLedger(log, store, accountId)).journal);
      const mark = known.get(accountId);
      if (mark?.id === id && mark.number >= number) continue;
      enterCharge(missing, accountId, charge, charges.unlimited.includes(place));
    }
  }
  allAppended(await log.appendAll(appendsOf([missing], { id: last.id, number: last.number })));
  return chargesIn(missing);
}
