import type { CustomerBilling, StaffBilling } from '../../../accounts/billing/model/billing-services.ts';
import type { LedgerLine } from '../../../accounts/credits/ledger-reader.ts';
import type { SecurityLog } from '../../../accounts/users/security-log.ts';
import type { UserService } from '../../../accounts/users/user-service.ts';
import type { CreditBalance } from '../../../api/calls/services/account-services.ts';
import type { UserActName } from '../../../domain/accounts/staff-events.ts';

/** What somebody of the staff did with a user, or with the mails of an account, for the log. By ids only: names and
 *  addresses stand in no fact. */
export interface StaffActOnUser {
  /** Who of the staff. */
  readonly userId: number;
  readonly requestId: string;
  readonly act: UserActName;
  /** The id of the user that it was done to, or of the account. */
  readonly subject: string;
  /** What was asked for, such as `{isActive: false}`. */
  readonly details: Readonly<Record<string, unknown>>;
}

/** The services that the pages of the staff stand on. */
export interface AdminParts {
  readonly users: Pick<UserService, 'staff'>;
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
