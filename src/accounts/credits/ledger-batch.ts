import type { AnsweredCall, ChargedCall } from '../../domain/accounts/account-event-data.ts';
import { accountStreams, createAccountEvent, type LedgerEvent } from '../../domain/accounts/account-events.ts';
import type { NewRecord } from '../../domain/event-sourcing/record.ts';
import type { StreamAppend } from '../../event-log/port/event-log.ts';

/** Account events that are not in the log yet. */
export interface LedgerBatch {
  readonly ledgers: Map<number, LedgerEntries>;
  /** Free calls. */
  readonly calls: Map<number, AnsweredCall[]>;
  charges: number;
}

/** The events of one account, in order. */
interface LedgerEntries {
  readonly events: LedgerEvent[];
  /** The last event, if it is one of charges. It takes the next charges too. */
  charging: { readonly charges: ChargedCall[]; readonly unlimited: boolean } | undefined;
}

export const newLedgerBatch = (): LedgerBatch => ({ ledgers: new Map(), calls: new Map(), charges: 0 });

export const isBatchEmpty = ({ ledgers, calls }: LedgerBatch): boolean => ledgers.size === 0 && calls.size === 0;

export const accountsInBatch = ({ ledgers, calls }: LedgerBatch): ReadonlySet<number> =>
  new Set([...ledgers.keys(), ...calls.keys()]);

/** Charges per record. */
const CHARGES_PER_RECORD = 250;

export function addCharge(batch: LedgerBatch, accountId: number, charge: ChargedCall, unlimited: boolean): void {
  batch.charges++;
  const ledger = entriesOf(batch, accountId);
  const { charging } = ledger;
  if (charging?.unlimited === unlimited && charging.charges.length < CHARGES_PER_RECORD) {
    charging.charges.push(charge);
    return;
  }
  const charges = [charge];
  ledger.events.push(
    createAccountEvent('CreditsCharged', unlimited ? { accountId, charges, unlimited } : { accountId, charges }),
  );
  ledger.charging = { charges, unlimited };
}

export function addLedgerEvent(batch: LedgerBatch, event: LedgerEvent): void {
  const ledger = entriesOf(batch, event.data.accountId);
  ledger.events.push(event);
  ledger.charging = undefined;
}

export function addFreeCall({ calls }: LedgerBatch, accountId: number, call: AnsweredCall): void {
  const known = calls.get(accountId);
  if (known) known.push(call);
  else calls.set(accountId, [call]);
}

function entriesOf({ ledgers }: LedgerBatch, accountId: number): LedgerEntries {
  const known = ledgers.get(accountId);
  if (known) return known;
  const entries: LedgerEntries = { events: [], charging: undefined };
  ledgers.set(accountId, entries);
  return entries;
}

/**
 * Makes records for the log: a few per account, however many calls they hold.
 * @param newId gives a record's id; each id is higher than the one before
 */
export function toStreamAppends({ ledgers, calls }: LedgerBatch, newId: () => string): readonly StreamAppend[] {
  const appends: StreamAppend[] = [];
  const append = (stream: string, events: readonly NewRecord[]) => {
    const named = events.map((event) => ({ ...event, meta: { ...event.meta, id: newId() } }));
    appends.push({ stream, events: named, expected: 'any' });
  };
  for (const [accountId, { events }] of ledgers) append(accountStreams.ledger(accountId), events);
  for (const [accountId, answered] of calls) {
    append(accountStreams.calls(accountId), [createAccountEvent('CallsAnswered', { accountId, calls: answered })]);
  }
  return appends;
}
