import type { LedgerEvent } from '../../domain/accounts/events.ts';
import { noteFirst } from '../../domain/record-id.ts';
import { allAppended, type EventLog, type StreamAppend } from '../../event-log/event-log.ts';
import type { ReadStore } from '../../read-models/store/read-store.ts';
import { readLedger } from '../credits/read-ledger.ts';
import { type EarlierEntry, earlierAppends } from './earlier-charges.ts';
import { isChargesEntry } from './entry-content.ts';
import { dropJournal } from './journal-files.ts';
import type { ChargesEntry } from './journaled-ledger.ts';
import { keepDamaged } from './keep-damaged.ts';
import { mergeAppends } from './merge-appends.ts';
import { type JournalDamage, readJournal } from './read-journal.ts';

/** A file that could not be read whole. */
export interface DamagedJournal extends JournalDamage {
  /** Where it is kept. */
  readonly kept: string;
  /** How many charges the journal has brought into the log all the same. */
  readonly charges: number;
}

/**
 * Brings into the log what a crash has left in the journal alone, and drops the journal. The records of each ledger tell
 * by their names which are there, so that this may itself be cut off, and begin again. A damaged file is put aside once
 * what is whole of it is in the log: put aside before, it would not be read again after a crash.
 * @param files of the journal, which no server has open
 * @returns how many charges were missing
 */
export async function recoverCharges(
  log: Pick<EventLog, 'readStream' | 'appendAll'>,
  store: Pick<ReadStore, 'activeBuild' | 'get'>,
  files: readonly [string, string],
  onDamage: (damaged: DamagedJournal) => void = () => {},
): Promise<number> {
  const { missing, damage } = await missingCharges(log, store, files);
  if (missing.length > 0) allAppended(await log.appendAll(missing));
  const charges = missing.reduce((sum, { events }) => sum + chargesIn(events as readonly LedgerEvent[]), 0);
  for (const one of damage) onDamage({ ...one, kept: keepDamaged(one.file), charges });
  dropJournal(files);
  return charges;
}

/** What a crash has left in the journal alone. Changes nothing. */
export async function missingCharges(
  log: Pick<EventLog, 'readStream'>,
  store: Pick<ReadStore, 'activeBuild' | 'get'>,
  files: readonly [string, string],
): Promise<{ readonly missing: readonly StreamAppend[]; readonly damage: readonly JournalDamage[] }> {
  const { entries, damage } = readJournal<ChargesEntry | EarlierEntry>(files, { isEntry: isChargesEntry });
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
  return { missing, damage };
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
