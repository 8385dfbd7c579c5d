import {
  addCall,
  addCharge,
  addFrom,
  atOf,
  type CallColumns,
  type ChargeColumns,
  emptyCharges,
  emptyColumns,
  type FillingCalls,
  type FillingCharges,
} from '../../domain/accounts/call-columns.ts';
import type { AnsweredCall, ChargedCall } from '../../domain/accounts/calls.ts';
import { accountEvent, accountStreams, type LedgerEvent } from '../../domain/accounts/events.ts';
import type { JournalMark, NewRecord } from '../../domain/record.ts';
import type { StreamAppend } from '../../log/event-log.ts';

/** Calls of several accounts: whose each is stands at the same place. */
export interface AccountsCalls extends CallColumns {
  readonly accountIds: readonly number[];
}

export interface AccountsCharges extends ChargeColumns {
  readonly accountIds: readonly number[];
  /** Places of those whose account had no limit. */
  readonly unlimited: readonly number[];
}

/** What has happened to accounts, and is not in the log. Thousands may wait: in columns they are few objects. */
export interface Entered {
  charges: (FillingCharges & { accountIds: number[]; unlimited: number[] }) | undefined;
  /** What cost nothing. */
  calls: (FillingCalls & { accountIds: number[] }) | undefined;
  /** What else happened, and behind how many of the charges. */
  readonly others: { readonly event: LedgerEvent; readonly behind: number }[];
}

export const newEntered = (): Entered => ({ charges: undefined, calls: undefined, others: [] });

export const isEmpty = ({ charges, calls, others }: Entered): boolean => !charges && !calls && others.length === 0;

export const chargesIn = ({ charges }: Entered): number => charges?.accountIds.length ?? 0;

export const accountsIn = ({ charges, calls, others }: Entered): ReadonlySet<number> =>
  new Set([
    ...(charges?.accountIds ?? []),
    ...(calls?.accountIds ?? []),
    ...others.map(({ event }) => event.data.accountId),
  ]);

export function enterCharge(entered: Entered, accountId: number, charge: ChargedCall, unlimited: boolean): void {
  entered.charges ??= { ...emptyCharges(charge.at), accountIds: [], unlimited: [] };
  if (unlimited) entered.charges.unlimited.push(entered.charges.accountIds.length);
  entered.charges.accountIds.push(accountId);
  addCharge(entered.charges, charge);
}

export function enterCall(entered: Entered, accountId: number, call: AnsweredCall): void {
  entered.calls ??= { ...emptyColumns(call.at), accountIds: [] };
  entered.calls.accountIds.push(accountId);
  addCall(entered.calls, call);
}

export function enterEvent(entered: Entered, event: LedgerEvent): void {
  entered.others.push({ event, behind: chargesIn(entered) });
}

/**
 * What goes into the log: for each account few records, however many calls they hold.
 * @param all in their order
 * @param mark that everything up to here of the journal is in it
 */
export function appendsOf(all: readonly Entered[], mark: JournalMark | undefined): readonly StreamAppend[] {
  const ledgers = new Map<number, LedgerEntries>();
  const answered = new Map<number, FillingCalls>();
  for (const entered of all) {
    divideLedger(entered, ledgers);
    if (entered.calls) divideCalls(entered.calls, answered);
  }
  const appends: StreamAppend[] = [];
  const append = (stream: string, events: readonly NewRecord[]) => appends.push({ stream, events, expected: 'any' });
  for (const [accountId, { events }] of ledgers) {
    const marked = mark ? events.map((event) => ({ ...event, meta: { ...event.meta, journal: mark } })) : events;
    append(accountStreams.ledger(accountId), marked);
  }
  for (const [accountId, calls] of answered) {
    append(accountStreams.calls(accountId), [accountEvent('CallsAnswered', { accountId, calls })]);
  }
  return appends;
}

/** Of one account. */
interface LedgerEntries {
  readonly events: LedgerEvent[];
  /** The last of them, where it is one of charges: it takes the next ones. */
  charging: { readonly charges: FillingCharges; readonly unlimited: boolean } | undefined;
}

function divideLedger(entered: Entered, ledgers: Map<number, LedgerEntries>): void {
  const { charges, others } = entered;
  const unlimited = new Set(charges?.unlimited);
  const count = chargesIn(entered);
  let next = 0;
  for (let place = 0; place <= count; place++) {
    for (; next < others.length && others[next]!.behind === place; next++) {
      const { event } = others[next]!;
      const ledger = entriesOf(ledgers, event.data.accountId);
      ledger.events.push(event);
      ledger.charging = undefined;
    }
    if (charges && place < count) divideCharge(charges, place, unlimited.has(place), ledgers);
  }
}

/** Charges of one record. */
const CHARGES = 250;

function divideCharge(
  all: AccountsCharges,
  place: number,
  unlimited: boolean,
  ledgers: Map<number, LedgerEntries>,
): void {
  const accountId = all.accountIds[place]!;
  const ledger = entriesOf(ledgers, accountId);
  const { charging } = ledger;
  if (charging?.unlimited === unlimited && charging.charges.credits.length < CHARGES) {
    addFrom(charging.charges, all, place);
    return;
  }
  const charges = emptyCharges(atOf(all, place));
  addFrom(charges, all, place);
  const data = unlimited ? { accountId, charges, unlimited } : { accountId, charges };
  ledger.events.push(accountEvent('CreditsCharged', data));
  ledger.charging = { charges, unlimited };
}

function entriesOf(ledgers: Map<number, LedgerEntries>, accountId: number): LedgerEntries {
  const known = ledgers.get(accountId);
  if (known) return known;
  const entries: LedgerEntries = { events: [], charging: undefined };
  ledgers.set(accountId, entries);
  return entries;
}

function divideCalls(all: AccountsCalls, answered: Map<number, FillingCalls>): void {
  all.accountIds.forEach((accountId, place) => {
    let calls = answered.get(accountId);
    if (!calls) {
      calls = emptyColumns(atOf(all, place));
      answered.set(accountId, calls);
    }
    addFrom(calls, all, place);
  });
}
