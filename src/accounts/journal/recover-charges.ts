import type { LedgerEvent } from '../../domain/accounts/events.ts';
import { noteFirst } from '../../domain/record-id.ts';
import { allAppended, type EventLog, type StreamAppend } from '../../log/event-log.ts';
import type { ReadStore } from '../../store/read-store.ts';
import { readLedger } from '../credits/read-ledger.ts';
import { type EarlierEntry, earlierAppends } from './earlier-charges.ts';
import { dropJournal, readJournal } from './journal-files.ts';
import type { ChargesEntry } from './journaled-ledger.ts';
import { mergeAppends } from './merge-appends.ts';

/**
 * Brings into the log what a crash has left in the journal alone, and drops the journal. The records of each ledger tell
 * by their names which are there, so that this may itself be cut off, and begin again.
 * @param files of the journal, which no server has open
 * @returns how many charges were missing
 */
export async function recoverCharges(
  log: Pick<EventLog, 'readStream' | 'appendAll'>,
  store: Pick<ReadStore, 'activeBuild' | 'get'>,
  files: readonly [string, string],
): Promise<number> {
  const entries = readJournal<ChargesEntry | EarlierEntry>(files);
  const earlier = entries.filter((entry): entry is EarlierEntry => 'charges' in entry);
  const present = entries.filter((entry): entry is ChargesEntry => 'appends' in entry);
  const missing = [
    ...(await earlierAppends(log, store, earlier)),
    ...(await missingAppends(
      log,
      store,
      present.flatMap(({ appends }) => appends),
    )),
  ];
  if (missing.length > 0) allAppended(await log.appendAll(missing));
  dropJournal(files);
  return missing.reduce((sum, { events }) => sum + chargesIn(events as readonly LedgerEvent[]), 0);
}

async function missingAppends(
  log: Pick<EventLog, 'readStream'>,
  store: Pick<ReadStore, 'activeBuild' | 'get'>,
  appends: readonly StreamAppend[],
): Promise<readonly StreamAppend[]> {
  const written = new Map<string, Awaited<ReturnType<typeof readLedger>>['written']>();
  const missing: StreamAppend[] = [];
  for (const append of appends) {
    const { accountId } = (append.events as readonly LedgerEvent[])[0]!.data;
    let known = written.get(append.stream);
    if (!known) {
      known = (await readLedger(log, store, accountId)).written;
      written.set(append.stream, known);
    }
    const events = append.events.filter(({ meta }) => noteFirst(known, meta.id));
    if (events.length > 0) missing.push({ ...append, events });
  }
  return mergeAppends([missing]);
}

const chargesIn = (events: readonly LedgerEvent[]): number =>
  events.reduce((sum, event) => (event.type === 'CreditsCharged' ? sum + event.data.charges.length : sum), 0);
