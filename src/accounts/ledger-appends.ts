import {
  addCall,
  addCharge,
  addColumns,
  type ChargeColumns,
  emptyColumns,
  type FillingCalls,
  type FillingCharges,
} from '../domain/accounts/call-columns.ts';
import { accountEvent, accountStreams, type LedgerEvent } from '../domain/accounts/events.ts';
import type { AnsweredCall, ChargedCall } from '../domain/accounts/facts.ts';
import type { JournalMark, NewRecord } from '../domain/record.ts';
import type { StreamAppend } from '../log/event-log.ts';

/** What has happened to an account, and is not in the log. */
export interface Entered {
  readonly ledger: LedgerEvent[];
  /** The last entry of the ledger, where it is one of charges: it takes the next ones. */
  charging: { readonly charges: FillingCharges; readonly unlimited: boolean } | undefined;
  calls: FillingCalls | undefined;
}

/** What of this account is entered here, to be added to. */
export function enteredOf(accounts: Map<number, Entered>, accountId: number): Entered {
  const known = accounts.get(accountId);
  if (known) return known;
  const entered: Entered = { ledger: [], charging: undefined, calls: undefined };
  accounts.set(accountId, entered);
  return entered;
}

export function enterEvent(entered: Entered, event: LedgerEvent): void {
  entered.ledger.push(event);
  entered.charging = undefined;
}

export function enterCharge(entered: Entered, accountId: number, charge: ChargedCall, unlimited: boolean): void {
  addCharge(chargingOf(entered, accountId, charge.at, unlimited), charge);
}

export function enterCharges(entered: Entered, accountId: number, charges: ChargeColumns, unlimited: boolean): void {
  addColumns(chargingOf(entered, accountId, charges.at, unlimited), charges);
}

export function enterCall(entered: Entered, call: AnsweredCall): void {
  entered.calls ??= emptyColumns(call.at);
  addCall(entered.calls, call);
}

/** Charges of one record, unless more came at once. */
const CHARGES = 250;

/** The entry of the ledger that takes the next charges. @param at of the first of them */
function chargingOf(entered: Entered, accountId: number, at: string, unlimited: boolean): FillingCharges {
  const { charging } = entered;
  if (charging?.unlimited === unlimited && charging.charges.credits.length < CHARGES) return charging.charges;
  const charges: FillingCharges = { ...emptyColumns(at), credits: [] };
  const data = unlimited ? { accountId, charges, unlimited } : { accountId, charges };
  enterEvent(entered, accountEvent('CreditsCharged', data));
  entered.charging = { charges, unlimited };
  return charges;
}

/** Groups in their order as what goes into the log. @param mark that everything up to here of the journal is in it */
export function appendsOf(
  groups: readonly ReadonlyMap<number, Entered>[],
  mark: JournalMark | undefined,
): readonly StreamAppend[] {
  const all = groups.length === 1 ? groups[0]! : together(groups);
  const appends: StreamAppend[] = [];
  const append = (stream: string, events: readonly NewRecord[]) => appends.push({ stream, events, expected: 'any' });
  for (const [accountId, { ledger, calls }] of all) {
    const marked = mark ? ledger.map((event) => ({ ...event, meta: { ...event.meta, journal: mark } })) : ledger;
    if (ledger.length > 0) append(accountStreams.ledger(accountId), marked);
    if (calls) append(accountStreams.calls(accountId), [accountEvent('CallsAnswered', { accountId, calls })]);
  }
  return appends;
}

function together(groups: readonly ReadonlyMap<number, Entered>[]): ReadonlyMap<number, Entered> {
  const all = new Map<number, Entered>();
  for (const group of groups) {
    for (const [accountId, { ledger, calls }] of group) {
      const entered = enteredOf(all, accountId);
      for (const event of ledger) {
        if (event.type !== 'CreditsCharged') enterEvent(entered, event);
        else enterCharges(entered, accountId, event.data.charges, event.data.unlimited === true);
      }
      if (!calls) continue;
      entered.calls ??= emptyColumns(calls.at);
      addColumns(entered.calls, calls);
    }
  }
  return all;
}
