import type { CustomerBilling, StaffBilling } from '../../accounts/billing/customer-billing.ts';
import type { CreditBalance } from '../../calls/account-services.ts';
import type { People } from '../../users/people.ts';
import type { SecurityLog } from '../../users/security-log.ts';

/** One entry of an account's ledger, for staff to read. */
export interface LedgerLine {
  readonly at: string;
  /** The domain event's type. */
  readonly type: string;
  /** What it adds to the balance; a charge is negative. */
  readonly credits: number;
  /** What tells more: the operation of a charge, the pack that was bought, the reason of a refund. */
  readonly about: string | null;
  readonly requestId: string | null;
}

/** What somebody of the staff did with a user, for the log. Names and addresses stand in no fact: ids only. */
export interface StaffActOnUser {
  /** `delete`, `toggle`, ...: the last part of the route's path. */
  readonly act: string;
  /** What was asked for, such as `{active: false}`. */
  readonly given: Readonly<Record<string, string | number | boolean | null>>;
  readonly byUserId: number;
  readonly requestId: string;
  readonly userId: number | null;
  /** Null: the user is not verified, and has none. */
  readonly accountId: number | null;
}

/** The services that the pages of the staff stand on. */
export interface AdminParts {
  readonly people: Pick<People, 'staff' | 'resendVerification'>;
  readonly securityLog: SecurityLog;
  readonly billing: StaffBilling;
  /** The newest first. */
  readonly invoicesOf: CustomerBilling['invoices'];
  /** Undefined: there is no such account. */
  readonly balanceOf: (accountId: number) => Promise<CreditBalance | undefined>;
  /** The newest entries of the account's ledger, newest first, at most `limit`. */
  readonly ledgerEnd: (accountId: number, limit: number) => Promise<readonly LedgerLine[]>;
  /** Resolves when the fact is on disk. */
  readonly recordStaffAct: (act: StaffActOnUser) => Promise<void>;
  /** Milliseconds. */
  readonly now: () => number;
}
