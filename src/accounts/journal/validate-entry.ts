import type { ChargedCall } from '../../domain/accounts/account-event-data.ts';
import { accountStreams } from '../../domain/accounts/account-events.ts';
import { chargesFromColumns } from '../../domain/accounts/version-2-columns.ts';
import type { NewRecord } from '../../domain/event-sourcing/record.ts';
import type { StreamAppend } from '../../event-log/port/event-log.ts';
import type { ChargesEntry } from './journaled-sink.ts';
import type { LegacyJournalEntry } from './legacy-journal.ts';

/** Whether a journal entry is valid for the log. An invalid one with a correct checksum counts as damage. */
export function isChargesEntry(value: unknown): value is ChargesEntry | LegacyJournalEntry {
  if (!isObject(value) || !isCount(value['number'])) return false;
  if ('appends' in value) return isListOf(value['appends'], isAppend);
  return typeof value['id'] === 'string' && isLegacyEntry(value as unknown as LegacyJournalEntry);
}

function isAppend(value: unknown): value is StreamAppend {
  if (!isObject(value) || !isListOf(value['events'], isEvent) || value['events'].length === 0) return false;
  const accounts = new Set(value['events'].map(({ data }) => data.accountId));
  return accounts.size === 1 && value['stream'] === accountStreams.ledger([...accounts][0]!);
}

type ChargesRecord = NewRecord<'CreditsCharged', { readonly accountId: number; readonly charges: unknown }>;

function isEvent(value: unknown): value is ChargesRecord {
  if (!isObject(value) || value['type'] !== 'CreditsCharged' || !isCount(value['version'])) return false;
  const { data, meta } = value;
  if (!isObject(data) || !isCount(data['accountId']) || !isListOf(data['charges'], isCharge)) return false;
  return isObject(meta) && typeof meta['partition'] === 'string' && ['string', 'undefined'].includes(typeof meta['id']);
}

/** The entries of earlier versions. */
function isLegacyEntry({ charges }: LegacyJournalEntry): boolean {
  try {
    const { accountIds, unlimited } = charges;
    const calls = chargesFromColumns(charges);
    return (
      isListOf(accountIds, isCount) &&
      accountIds.length === calls.length &&
      isListOf(unlimited, isNumber) &&
      isListOf(calls, isCharge)
    );
  } catch {
    return false;
  }
}

function isCharge(value: unknown): value is ChargedCall {
  if (!isObject(value)) return false;
  const { at, keyId, operation, requestId, status, milliseconds, credits } = value;
  const isNamed = typeof requestId === 'string' && (operation === null || typeof operation === 'string');
  // A call in a session has no key.
  const isKeyed = keyId === null || isNumber(keyId);
  return isNamed && isKeyed && typeof at === 'string' && [status, milliseconds, credits].every(isNumber);
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
const isNumber = (value: unknown): value is number => typeof value === 'number';
const isCount = (value: unknown): value is number => Number.isSafeInteger(value) && (value as number) >= 0;
const isListOf = <T>(value: unknown, isOne: (one: unknown) => one is T): value is readonly T[] =>
  Array.isArray(value) && value.every(isOne);
