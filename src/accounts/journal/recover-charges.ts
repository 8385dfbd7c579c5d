import { existsSync, renameSync } from 'node:fs';
import type { LedgerEvent } from '../../domain/accounts/account-events.ts';
import { registerRecordId } from '../../domain/event-sourcing/record-id.ts';
import { type EventLog, requireAllAppended, type StreamAppend } from '../../event-log/port/event-log.ts';
import type { ReadStore } from '../../read-models/store/read-store.ts';
import { loadLedger } from '../credits/ledger-reader.ts';
import { dropJournal } from './journal-files.ts';
import type { ChargesEntry } from './journaled-sink.ts';
import { findMissingLegacyAppends, type LegacyJournalEntry } from './legacy-journal.ts';
import { mergeAppends } from './merge-appends.ts';
import { type JournalDamage, readJournal } from './read-journal.ts';
import { isChargesEntry } from './validate-entry.ts';

/** A file that could not be fully read. */
export interface DamagedJournal extends JournalDamage {
  /** The new path of the file. */
  readonly kept: string;
  /** The number of charges recovered from the journal in spite of the damage. */
  readonly charges: number;
}

/**
 * Writes the charges that a crash left only in the journal to the log, and drops the journal. The record ids in each
 * ledger tell which records it has, so this may be interrupted and repeated. A damaged file is renamed after its whole
 * entries are in the log: renamed earlier, it would not be read after another crash.
 * @param files of the journal, not open in any server
 * @returns the number of recovered charges
 */
export async function recoverCharges(
  log: Pick<EventLog, 'readStream' | 'appendAll'>,
  store: Pick<ReadStore, 'activeGeneration' | 'get'>,
  files: readonly [string, string],
  onDamage: (damaged: DamagedJournal) => void = () => {},
): Promise<number> {
  const { missing, damage } = await findMissingCharges(log, store, files);
  if (missing.length > 0) requireAllAppended(await log.appendAll(missing));
  const charges = missing.reduce((sum, { events }) => sum + countCharges(events as readonly LedgerEvent[]), 0);
  for (const one of damage) onDamage({ ...one, kept: setDamagedFileAside(one.file), charges });
  dropJournal(files);
  return charges;
}

/** The charges that a crash left only in the journal. Changes nothing. */
export async function findMissingCharges(
  log: Pick<EventLog, 'readStream'>,
  store: Pick<ReadStore, 'activeGeneration' | 'get'>,
  files: readonly [string, string],
): Promise<{ readonly missing: readonly StreamAppend[]; readonly damage: readonly JournalDamage[] }> {
  const { entries, damage } = readJournal<ChargesEntry | LegacyJournalEntry>(files, { isEntry: isChargesEntry });
  const earlier = entries.filter((entry): entry is LegacyJournalEntry => 'charges' in entry);
  const present = entries.filter((entry): entry is ChargesEntry => 'appends' in entry);
  const missing = [
    ...(await findMissingLegacyAppends(log, store, earlier)),
    ...(await findMissingAppends(
      log,
      store,
      present.flatMap(({ appends }) => appends),
    )),
  ];
  return { missing, damage };
}

async function findMissingAppends(
  log: Pick<EventLog, 'readStream'>,
  store: Pick<ReadStore, 'activeGeneration' | 'get'>,
  appends: readonly StreamAppend[],
): Promise<readonly StreamAppend[]> {
  const written = new Map<string, Awaited<ReturnType<typeof loadLedger>>['written']>();
  const missing: StreamAppend[] = [];
  for (const append of appends) {
    const { accountId } = (append.events as readonly LedgerEvent[])[0]!.data;
    let known = written.get(append.stream);
    if (!known) {
      known = (await loadLedger(log, store, accountId)).written;
      written.set(append.stream, known);
    }
    const events = append.events.filter(({ meta }) => registerRecordId(known, meta.id));
    if (events.length > 0) missing.push({ ...append, events });
  }
  return mergeAppends([missing]);
}

const countCharges = (events: readonly LedgerEvent[]): number =>
  events.reduce((sum, event) => (event.type === 'CreditsCharged' ? sum + event.data.charges.length : sum), 0);

/**
 * Renames a damaged file to the next free name: `NAME.damaged`, `NAME.damaged.2` and so on.
 * @returns the new name
 */
function setDamagedFileAside(file: string): string {
  let name = `${file}.damaged`;
  for (let count = 2; existsSync(name); count++) name = `${file}.damaged.${count}`;
  renameSync(file, name);
  return name;
}
