import type { CustomerBilling, StaffBilling } from '../../../accounts/billing/model/billing-services.ts';
import type { LedgerLine } from '../../../accounts/credits/ledger-reader.ts';
import type { SecurityLog } from '../../../accounts/users/security-log.ts';
import type { UserService } from '../../../accounts/users/user-service.ts';
import type { Health } from '../../../api/calls/operation/operation.ts';
import type { CreditBalance } from '../../../api/calls/services/account-services.ts';
import type { UserActName } from '../../../domain/accounts/staff-events.ts';
import type { IdentityDesk } from './identity-desk.ts';
import type { LeagueFreshness } from './league-freshness.ts';
import type { RecentFigures } from './recent-figures.ts';

/**
 * An action of staff on a user, or on the mails of an account, for the log. It holds ids only: no event stores names or
 * addresses.
 */
export interface StaffActOnUser {
  /** The member of staff. */
  readonly userId: number;
  readonly requestId: string;
  readonly act: UserActName;
  /** The id of the user or account that the action concerns. */
  readonly subject: string;
  /** The requested change, such as `{isActive: false}`. */
  readonly details: Readonly<Record<string, unknown>>;
}

/** The services that the staff pages use. */
export interface AdminParts {
  readonly users: Pick<UserService, 'staff'>;
  readonly securityLog: SecurityLog;
  readonly billing: StaffBilling;
  /** Newest first. */
  readonly invoicesOf: CustomerBilling['invoices'];
  /** Undefined if the account does not exist. */
  readonly balanceOf: (accountId: number) => Promise<CreditBalance | undefined>;
  /** The newest entries of the account's ledger, newest first, at most `limit`. */
  readonly ledgerEnd: (accountId: number, limit: number) => Promise<readonly LedgerLine[]>;
  /** Resolves when the event is on disk. */
  readonly recordStaffAct: (act: StaffActOnUser) => Promise<void>;
  /** What waits, and mended identities. */
  readonly desk: IdentityDesk;
  /** How the backup stands; absent if none is made. */
  readonly backup?:
    | (() => {
        /** Milliseconds since 1970; undefined: not since the start. */
        readonly currentAt: number | undefined;
        readonly lagSeconds: number;
        readonly failure: string | undefined;
        /** What is wrong with it, and what to do; undefined: nothing. */
        readonly problem: string | undefined;
        /** Undefined: there was none. */
        readonly drill: { readonly at: number; readonly problem: string | null } | undefined;
      })
    | undefined;
  /** As the API's `get_health` answers it. */
  readonly health: () => Promise<Health>;
  readonly leagues: () => Promise<readonly LeagueFreshness[]>;
  /** What this process counted lately. */
  readonly recent: () => RecentFigures;
  /** Milliseconds. */
  readonly now: () => number;
}
