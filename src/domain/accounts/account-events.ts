import type { LogRecord, NewRecord } from '../event-sourcing/record.ts';
import type { UpcastStep } from '../event-sourcing/upcast.ts';
import type {
  CallsAnswered,
  CreditsCharged,
  CreditsExpired,
  CreditsGranted,
  CreditsRefunded,
  CreditsToppedUp,
  InvoiceDeclined,
  InvoicePaid,
  PlanChanged,
} from './account-event-data.ts';
import { callsFromColumns, chargesFromColumns } from './version-2-columns.ts';

/** `data` of the domain events that change an account's ledger, by type. Stream: `account-ID`. */
export interface LedgerEventData {
  CreditsGranted: CreditsGranted;
  CreditsToppedUp: CreditsToppedUp;
  CreditsExpired: CreditsExpired;
  CreditsCharged: CreditsCharged;
  CreditsRefunded: CreditsRefunded;
  InvoiceDeclined: InvoiceDeclined;
  InvoicePaid: InvoicePaid;
  PlanChanged: PlanChanged;
}

/** `CallsAnswered` is in the stream `calls-ID`. */
interface AccountEventData extends LedgerEventData {
  CallsAnswered: CallsAnswered;
}
type AccountEventType = keyof AccountEventData;
export type LedgerEvent = {
  [T in keyof LedgerEventData]: NewRecord<T, LedgerEventData[T]>;
}[keyof LedgerEventData];
export type LedgerRecord = {
  [T in keyof LedgerEventData]: LogRecord<T, LedgerEventData[T]>;
}[keyof LedgerEventData];

/** Current versions. */
export const ACCOUNT_VERSIONS: Readonly<Record<AccountEventType, number>> = {
  CreditsGranted: 2,
  CreditsToppedUp: 1,
  CreditsExpired: 1,
  CreditsCharged: 3,
  CreditsRefunded: 1,
  InvoiceDeclined: 1,
  InvoicePaid: 1,
  PlanChanged: 1,
  CallsAnswered: 3,
};

/** Upcast steps from each version to the next. */
export const ACCOUNT_STEPS: Readonly<Partial<Record<AccountEventType, Readonly<Record<number, UpcastStep>>>>> = {
  // Version 2 has more kinds of grants. Code for version 1 would start a new period at such a grant.
  CreditsGranted: { 1: (data) => data },
  // Version 1 and version 3 hold a list of calls, version 2 holds columns.
  CreditsCharged: {
    1: (data) => data,
    2: (data) => (Array.isArray(data.charges) ? data : { ...data, charges: chargesFromColumns(data.charges) }),
  },
  CallsAnswered: {
    1: (data) => data,
    2: (data) => (Array.isArray(data.calls) ? data : { ...data, calls: callsFromColumns(data.calls) }),
  },
};
export const LEDGER_TYPES = [
  'CreditsGranted',
  'CreditsToppedUp',
  'CreditsExpired',
  'CreditsCharged',
  'CreditsRefunded',
  'InvoiceDeclined',
  'InvoicePaid',
  'PlanChanged',
] as const satisfies readonly (keyof LedgerEventData)[];

/** Stream names. */
export const accountStreams = {
  ledger: (accountId: number | string) => `account-${accountId}`,
  calls: (accountId: number | string) => `calls-${accountId}`,
} as const;
const accountPartition = (accountId: number): string => `account-${accountId}`;

/** Creates a domain event of an account. */
export const createAccountEvent = <T extends AccountEventType>(
  type: T,
  data: AccountEventData[T],
): NewRecord<T, AccountEventData[T]> => ({
  type,
  version: ACCOUNT_VERSIONS[type],
  data,
  meta: { partition: accountPartition(data.accountId) },
});
